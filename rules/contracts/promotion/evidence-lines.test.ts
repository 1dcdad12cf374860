import { describe, expect, it } from "vitest";
import { readStatements } from "./evidence-lines.ts";

function read(text: string): unknown[] {
  return readStatements(text).map(({ at, entries, key, lines, value }) => [key, value, `${at.line}:${at.column}`, entries.map((entry) => `${entry.text}@${entry.at.line}:${entry.at.column}`), lines]);
}

describe("readStatements", () => {
  it("reads a value and its parts between commas", () => {
    expect(read("a:  x,  \"y\" ,,z \r\n")).toEqual([["a", "x,  \"y\" ,,z", "1:5", ["x@1:5", "y@1:9", "z@1:15"], [1]]]);
  });

  it("reads the items right below a bare key, and no others", () => {
    expect(read("a:\n- x: 1\n  - y\n\n- z\nb: 1")).toEqual([["a", "", "1:1", ["x: 1@2:3", "y@3:5"], [1, 2, 3]], ["b", "1", "6:4", ["1@6:4"], [6]]]);
  });

  it.each([" a: x", "- a: x", "a:x", "a-b: x", "a : x", ": x", "ä: x", "# a: x"])("takes %j for free text", (line) => {
    expect(read(line)).toEqual([]);
  });

  it("ends no line at a separator of Unicode or a carriage return alone", () => {
    expect(read("a: x\u2028b: y\rc: z").map((one) => (one as string[])[0])).toEqual(["a"]);
  });
});
