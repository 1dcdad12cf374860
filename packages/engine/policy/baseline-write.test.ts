import { chmodSync, lstatSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { checker, lines } from "../testing/check.ts";
import { addFiles, makeTree } from "../testing/tree.ts";
import { BASELINE_FILE } from "./baseline.ts";
import { writeBaseline } from "./baseline-write.ts";
import { replaceFile } from "./replace-file.ts";

const IO = "import httpx\n";
const BROKEN = "const = ;\n";

describe("writing the baseline", () => {
  const { check, options } = checker("test-baseline-write");
  const write = (cwd: string) => writeBaseline({ ...options(), cwd });
  const textOf = (root: string): string => readFileSync(path.join(root, BASELINE_FILE), "utf8");

  it("lets an old tree adopt the gate, and says what came and went since the last one", async () => {
    const root = makeTree({ "a.py": IO, "b.py": IO, "c.ts": "fetch('x');\n" });
    expect(await write(root)).toMatchObject({ error: null, path: BASELINE_FILE, lines: { added: 3, kept: 0, dropped: 0 }, unheld: [] });
    expect(textOf(root)).toBe('{\n  "module a.py": "net",\n  "module b.py": "net",\n  "module c.ts": "net",\n  "version": 1\n}\n');
    expect(lines((await check(root)).findings)).toEqual([]);
    addFiles(root, { "a.py": "x = 1\n", "d.py": IO });
    expect(await write(path.join(root))).toMatchObject({ lines: { added: 1, kept: 2, dropped: 1 } });
    const text = textOf(root);
    expect(await write(root)).toMatchObject({ lines: { added: 0, kept: 3, dropped: 0 } });
    expect(textOf(root)).toBe(text);
    expect(readdirSync(root).sort()).toEqual(["a.py", BASELINE_FILE, "b.py", "c.ts", "d.py"].sort());
  });

  it("replaces one that an editor saved in its own way", async () => {
    const root = makeTree({ "a.py": IO, [BASELINE_FILE]: '\uFEFF{\r\n  "module a.py": "net",\r\n  "version": 1\r\n}\r\n' });
    expect(await write(root)).toMatchObject({ error: null, lines: { added: 0, kept: 1, dropped: 0 } });
    expect(textOf(root)).toBe('{\n  "module a.py": "net",\n  "version": 1\n}\n');
  });

  it("is about the whole tree, from wherever it is run", async () => {
    const root = makeTree({ "agentgate.yml": "version: 1\n", "a.py": IO, "sub/b.py": IO });
    expect(await write(path.join(root, "sub"))).toMatchObject({ lines: { added: 2 } });
    expect(textOf(root)).toContain('"module a.py"');
  });

  it("holds nothing that could not be judged, says so, and keeps what it held there", async () => {
    const root = makeTree({ "a.ts": "fetch('x');\n" });
    await write(root);
    addFiles(root, { "a.ts": BROKEN, "b.ts": BROKEN });
    expect(await write(root)).toMatchObject({ error: null, lines: { added: 0, kept: 1, dropped: 0 }, unheld: [{ rule: "parse-error", findings: 2 }] });
  });

  it.each([["agentgate.yml", "version: 9\n"], [BASELINE_FILE, "{\n"]])("refuses where %s cannot be read, and leaves everything as it is", async (name, text) => {
    const root = makeTree({ "a.py": IO, [name]: text });
    expect(await write(root)).toMatchObject({ error: { message: expect.stringContaining(name) as string, hint: expect.any(String) as string }, lines: { added: 0 } });
    expect(readdirSync(root).sort()).toEqual(["a.py", name].sort());
    expect(readFileSync(path.join(root, name), "utf8")).toBe(text);
  });

  it("never reads or writes through a symbolic link", async () => {
    const elsewhere = makeTree({ "kept.json": '{\n  "version": 1\n}\n' });
    const root = makeTree({ "a.py": IO });
    symlinkSync(path.join(elsewhere, "kept.json"), path.join(root, BASELINE_FILE));
    expect(await write(root)).toMatchObject({ error: { message: expect.stringContaining("symbolic link") as string } });
    expect(readFileSync(path.join(elsewhere, "kept.json"), "utf8")).toBe('{\n  "version": 1\n}\n');
    expect(lstatSync(path.join(root, BASELINE_FILE)).isSymbolicLink()).toBe(true);
  });

  it("refuses a folder in its place", async () => {
    const root = makeTree({ "a.py": IO, [`${BASELINE_FILE}/x`]: "" });
    expect((await write(root)).error?.message).toContain("no regular file");
  });
});

describe("replacing a file", () => {
  it("keeps its mode and leaves no other file behind", () => {
    const root = makeTree({ "f": "old" });
    const file = path.join(root, "f");
    chmodSync(file, 0o664);
    replaceFile(file, "old", "new", "f");
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(lstatSync(file).mode & 0o777).toBe(0o664);
    expect(readdirSync(root)).toEqual(["f"]);
  });

  it("keeps what another program wrote meanwhile", () => {
    const root = makeTree({ "f": "theirs" });
    const file = path.join(root, "f");
    expect(() => replaceFile(file, "old", "new", "f")).toThrow("f was changed meanwhile");
    expect(() => replaceFile(file, null, "new", "f")).toThrow("f was changed meanwhile");
    expect(() => replaceFile(path.join(root, "gone"), "old", "new", "gone")).toThrow("gone was changed meanwhile");
    expect(readFileSync(file, "utf8")).toBe("theirs");
    expect(readdirSync(root)).toEqual(["f"]);
  });

  it("says why it cannot be written", () => {
    const root = makeTree({ "f": "x" });
    expect(() => replaceFile(path.join(root, "no/f"), null, "new", "no/f")).toThrow("its folder does not exist");
    writeFileSync(path.join(root, "g"), "");
    expect(() => replaceFile(path.join(root, "g/f"), null, "new", "g/f")).toThrow(/g\/f cannot be (?:reached|written)/);
  });
});
