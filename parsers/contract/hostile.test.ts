import { describe, expect, it } from "vitest";
import { decodeText, plainValue, readJson, readJsonLines, readKeyLines, readYaml, refuseLoneReturn } from "./index.ts";
import type { Read } from "./index.ts";

/** What is wrong with a text, with its line and column. */
function problem(read: Read<unknown>): string {
  return "problem" in read ? `${read.problem.at.line}:${read.problem.at.column} ${read.problem.message}` : "none";
}

const BOMB = `a0: &a0 [x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 12 }, (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(9)}]\n`).join("")}`;

describe("YAML that nobody should trust", () => {
  it.each([
    ["an alias bomb", BOMB, /nesting go on without end/],
    ["an alias of itself", "a: &a [*a]\n", /nesting go on without end|No anchor/],
    ["an alias of nothing", "a: *b\n", /^1:4 No anchor is called b\.$|no YAML/],
    ["deep flow nesting", `a: ${"[".repeat(20_000)}\n`, /no YAML|without end/],
    ["deep block nesting", Array.from({ length: 500 }, (_, depth) => `${" ".repeat(depth)}k:\n`).join(""), /without end/],
    ["a tab for indentation", "a:\n\tb: 1\n", /^2:1 This is no YAML 1\.2: tabs/],
    ["a key twice", "a: 1\nb: 2\na: 3\n", /^3:1 The key "a" stands in one mapping twice\.$/],
    ["a number as a key", "a: 1\n1: 2\n", /^2:1 A key must be text/],
    ["a list as a key", "? [a]\n: 1\n", /A key must be text/],
    ["no key", ": 1\n", /A key must be text/],
    ["a second document", "a: 1\n---\nb: 2\n", /more than one document/],
    ["a document after the end", "a: 1\n...\n---\n", /more than one document/],
    ["a tag of its own", "a: !secret b\n", /^1:\d+ (?:A tag|This is no YAML)/],
    ["a binary value", "a: !!binary aGk=\n", /A tag changes/],
    ["a version of YAML", "%YAML 1.1\n---\na: yes\n", /another version of YAML/],
    ["a merge of text", "<<: text\na: 1\n", /Only a mapping can be merged/],
    ["a bracket that stays open", "a: [1, 2\n", /no YAML/],
    ["a quote that stays open", 'a: "x\n', /no YAML/],
  ])("refuses %s", (_what, text, said) => {
    expect(problem(readYaml(text))).toMatch(said);
  });

  it("compares many keys in no time, and refuses more values than anybody writes", () => {
    const keys = (count: number): string => Array.from({ length: count }, (_, index) => `k${index}: 1\n`).join("");
    expect(problem(readYaml(keys(20_000)))).toBe("none");
    expect(problem(readYaml(keys(60_000)))).toMatch(/without end/);
  });

  it("finds what many aliases stand for in no time", () => {
    expect(problem(readYaml(`a: &a x\nb:\n${"- *a\n".repeat(20_000)}`))).toBe("none");
  });

  it("takes the last anchor before an alias, whatever aliases between them repeat", () => {
    const read = readYaml("a: &a {x: &b 1}\nb: &b 2\nc: *a\nd: *b\n");
    expect("value" in read ? plainValue(read.value) : null).toEqual({ a: { x: 1 }, b: 2, c: { x: 1 }, d: 2 });
    expect(problem(readYaml("a: *b\nb: &b 1\n"))).toBe("1:4 No anchor is called b.");
  });

  it("gives nothing for nothing", () => {
    for (const text of ["", "\n", "# only this\n", "---\n"]) expect(readYaml(text)).toMatchObject({ value: { kind: "scalar", value: null } });
  });
});

describe("JSON that nobody should trust", () => {
  it.each([
    ["nothing", "", /no JSON/],
    ["a comment", '{"a": 1 // one\n}', /^1:9 This is no JSON: JSON has no comments\.$/],
    ["a trailing comma", '{"a": 1,}', /^1:9 This is no JSON/],
    ["a key twice", '{"a": 1,\n "a": 2}', /^2:2 This is no JSON: the key "a" stands in one object twice\.$/],
    ["the same key escaped", '{"a": 1, "\\u0061": 2}', /twice/],
    ["NaN", '{"a": NaN}', /^1:7 This is no JSON/],
    ["Infinity", '{"a": -Infinity}', /no JSON/],
    ["a leading zero", '{"a": 01}', /no JSON/],
    ["a plus", '{"a": +1}', /no JSON/],
    ["a number that is cut off", '{"a": 1.}', /no JSON/],
    ["single quotes", "{'a': 1}", /no JSON/],
    ["a control character", '{"a": "\u0001"}', /no JSON/],
    ["a bad escape", '{"a": "\\x41"}', /no JSON/],
    ["a second value", '{"a": 1} {"b": 2}', /no JSON/],
    ["a byte order mark inside", '{"a": \ufeff1}', /no JSON/],
    ["deep nesting", "[".repeat(200_000), /nested too deeply/],
    ["deep objects", '{"a":'.repeat(100_000), /nested too deeply/],
    ["an object that stays open", '{"a": [1', /no JSON/],
    ["more values than anybody writes", `[${"1,".repeat(60_000)}1]`, /more values/],
  ])("refuses %s", (_what, text, said) => {
    expect(problem(readJson(text))).toMatch(said);
  });

  it("keeps a key that names a prototype a key", () => {
    expect(readJson('{"__proto__": 1}')).toMatchObject({ value: { entries: [{ key: "__proto__" }] } });
  });
});

describe("JSON lines", () => {
  it("splits at LF only, drops one CR and skips blank lines", () => {
    const lines = readJsonLines('{"a": "x\u2028y"}\r\n\n  \n{"b": 1}\n[1]\nno\n');
    expect(lines.map(({ at, read }) => [at.line, "value" in read])).toEqual([[1, true], [4, true], [5, false], [6, false]]);
    expect(lines[1]).toMatchObject({ read: { value: { entries: [{ key: "b", keyAt: { line: 4, column: 2, length: 3 }, value: { at: { line: 4, column: 7, length: 1 } } }] } } });
  });
});

describe("lines of keys", () => {
  it("are read in no time, whatever ends them", () => {
    const blanks = " ".repeat(100_000);
    for (const end of ["\u2028", "\u2029x", "\rx"]) expect(readKeyLines(`a:${blanks}${end}\nb:\n- ${blanks}${end}\n`)).toMatchObject([{ key: "a" }, { key: "b", items: [{}] }]);
  });
});

describe("bytes", () => {
  it("says on which line they are no UTF-8", () => {
    expect(problem(decodeText(Buffer.from("a: 1\nb: \xff\n", "latin1")))).toMatch(/^2:4 .*no UTF-8/);
  });

  it("tolerates a byte order mark", () => {
    expect(decodeText(Buffer.from("\ufeffa: 1\n"))).toEqual({ value: "a: 1\n" });
  });

  it("refuses a carriage return alone, which hides a line from some readers", () => {
    expect(problem(refuseLoneReturn("a: 1 # x\rb: 2\n"))).toMatch(/^1:9 A carriage return/);
    expect(problem(refuseLoneReturn("a: 1\r\nb: 2\r\n"))).toBe("none");
  });
});
