import { describe, expect, it } from "vitest";
import { parsePython } from "../python/index.ts";
import { NumberList } from "./number-list.ts";

describe("NumberList", () => {
  it("keeps what it holds when it grows", () => {
    const list = new NumberList();
    for (let item = 0; item < 5000; item++) list.push(item * 2);
    expect([list.length, list.items[0], list.items[1023], list.items[1024], list.items[4999]]).toEqual([5000, 0, 2046, 2048, 9998]);
  });
});

describe("the lists of a draft", () => {
  it("are used for the next file without a trace of the last", () => {
    const source = "import os\nos.environ['A'] = '1'\nfor name in os.listdir('.'):\n    os.remove(name)\n";
    const first = JSON.stringify(parsePython(source));
    parsePython(`import subprocess\n${"subprocess.run(['x']).stdout.read()\n".repeat(3000)}`);
    expect(JSON.stringify(parsePython(source))).toBe(first);
  });
});
