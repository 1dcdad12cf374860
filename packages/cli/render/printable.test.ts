import { describe, expect, it } from "vitest";
import { printable, printableJson, printableSource } from "./printable.ts";

describe("printable", () => {
  it.each([
    ["an escape code", "a\u001b[31mb", "a\\x1b[31mb"],
    ["a C1 control", "a\u009b31mb", "a\\x9b31mb"],
    ["line ends and tabs", "a\nb\rc\td", "a\\nb\\rc\\td"],
    ["NUL and DEL", "\u0000\u007f", "\\x00\\x7f"],
    ["bidirectional controls", "a\u202eb\u2066c\u200fd\u061ce", "a\\u{202e}b\\u{2066}c\\u{200f}d\\u{061c}e"],
    ["line separators", "a\u2028b\u2029c", "a\\u{2028}b\\u{2029}c"],
    ["invisible characters", "a\u200bb\ufeffc\u00add\u{e0041}e", "a\\u{200b}b\\u{feff}c\\xadd\\u{e0041}e"],
    ["a lone surrogate", "a\ud800b", "a\\u{d800}b"],
    ["a workflow command", "::error file=a::b", ":\\x3aerror file=a:\\x3ab"],
    ["a legacy workflow command", "x ##[error]y ##vso[task.x]z", "x #\\x23[error]y #\\x23vso[task.x]z"],
  ])("escapes %s", (_what, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it("leaves ordinary text of any script alone", () => {
    const text = "src/café/日本語.ts: naïve 😀 — ‘x’ a::1 # x ## y";
    expect(printable(text)).toBe(text);
  });

  it("leaves slices in source alone, which never starts a line", () => {
    expect(printableSource("a[::step]")).toBe("a[::step]");
  });
});

describe("printableJson", () => {
  const hostile = { path: "a\u001b[31m\u009b\u202e\n##[error]x\u{e0041}\ud800😀\u2028.py", n: [1, null, true] };

  it("holds the same values", () => {
    expect(JSON.parse(printableJson(hostile))).toEqual(hostile);
  });

  it("prints nothing that a terminal or a build service obeys", () => {
    const lines = printableJson(hostile).split("\n");
     
    for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\u2028]|##\[|^\s*::|[\u{e0041}]/u);
  });
});
