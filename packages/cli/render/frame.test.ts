import { describe, expect, it } from "vitest";
import { frameOf } from "./frame.ts";
import { COLOURED, PLAIN } from "./paint.ts";
import { sourceText } from "./source.ts";
import { widthOf } from "./width.ts";

function frame(text: string, line: number, from: number, to: number, columns = 60, path = "a.py"): string[] {
  const source = sourceText(path, text);
  return frameOf({ source, start: { line, column: from }, end: { line, column: to }, added: new Set() }, columns, PLAIN, true);
}

/** What stands above the marks, by cells. */
function marked(lines: readonly string[]): string {
  const marks = lines.at(-1) ?? "";
  const code = lines.at(-2) ?? "";
  const from = widthOf(marks.slice(0, marks.indexOf("^")));
  const to = from + (marks.match(/\^/g) ?? []).length;
  let at = 0;
  let found = "";
  for (const character of code) {
    if (at >= from && at < to) found += character;
    at += widthOf(character);
  }
  return found;
}

describe("a code frame", () => {
  it("shows the line before, the line and the marks", () => {
    expect(frame("from decimal import Decimal\nimport httpx\n", 2, 8, 13)).toEqual(["  1 │ from decimal import Decimal", "  2 │ import httpx", "    │        ^^^^^"]);
  });

  it("leaves a blank line before out", () => {
    expect(frame("\nimport httpx\n", 2, 8, 13)).toHaveLength(2);
  });

  it("says which line is new", () => {
    const source = sourceText("a.py", "import os\nimport httpx\n");
    const lines = (added: readonly number[]) => frameOf({ source, start: { line: 2, column: 8 }, end: { line: 2, column: 13 }, added: new Set(added) }, 60, PLAIN, true);
    expect(lines([2])).toEqual(["  1 │ import os", "+ 2 │ import httpx", "    │        ^^^^^"]);
    expect(lines([1])).toEqual(["+ 1 │ import os", "  2 │ import httpx", "    │        ^^^^^"]);
  });

  it.each([
    ["tabs", "\tif x:\tfetch()", 8, 13, "fetch"],
    ["wide characters", 'x = "日本語"; fetch()', 12, 17, "fetch"],
    ["astral characters", 'x = "😀😀"; fetch()', 13, 18, "fetch"],
    ["combining characters", 'x = "e\u0301e\u0301"; fetch()', 13, 18, "fetch"],
    ["escapes", 'x = "\u001b[31m\u202e"; fetch()', 15, 20, "fetch"],
    ["a build service's command", "##[error]x; fetch()", 13, 18, "fetch"],
  ])("keeps the marks under the finding after %s", (_what, text, from, to, expected) => {
    expect(text.slice(from - 1, to - 1)).toBe(expected);
    expect(marked(frame(text, 1, from, to))).toBe(expected);
  });

  it.each([0, 10, 200, 1990, 2010, 100_000])("cuts a long line around a finding that has %i units before it", (before) => {
    const text = `${"日a".repeat(before / 2)}fetch()${"z".repeat(200_000)}`;
    const lines = frame(text, 1, before + 1, before + 6, 50);
    expect(marked(lines)).toBe("fetch");
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(50);
  });

  it("keeps marks that are longer than the room inside it", () => {
    for (const line of frame("x".repeat(5000), 1, 11, 5001, 50)) expect(widthOf(line)).toBeLessThanOrEqual(50);
  });

  it("marks a place at the end of a line", () => {
    expect(frame("abc", 1, 4, 4)).toEqual(["  1 │ abc", "    │    ^"]);
  });

  it("shows nothing for a line that is not there", () => {
    expect(frame("abc", 9, 1, 2)).toEqual([]);
  });

  it("counts lines as the language does", () => {
    expect(frame("a\u2028fetch()", 2, 1, 6, 60, "a.js").at(-2)).toBe("  2 │ fetch()");
    expect(frame("a\u2028fetch()", 2, 1, 6, 60, "a.py")).toEqual([]);
    expect(frame("a\rfetch()", 2, 1, 6).at(-2)).toBe("  2 │ fetch()");
    expect(frame("\ufefffetch()", 1, 1, 6).at(-2)).toBe("  1 │ fetch()");
  });

  it("never lets the source speak to the terminal", () => {
    const source = sourceText("a.py", 'x = "\u001b]0;owned\u0007\u202e"\n');
    const lines = frameOf({ source, start: { line: 1, column: 1 }, end: { line: 1, column: 2 }, added: new Set() }, 60, COLOURED, true).join("\n");
     
    expect(lines.replace(/\u001b\[\d+m/g, "")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});
