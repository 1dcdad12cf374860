import { describe, expect, it } from "vitest";
import { lineHashes } from "./line-hash.ts";

describe("the hash that GitHub identifies a line by", () => {
  it.each([
    ["one letter", "a", ["53b5d4aabe50d64:1"]],
    ["an empty file", "", ["c129715d7a2bc9a3:1"]],
    ["every kind of line end, blanks and an emoji", "a\r\n\r\n\tb é😀\rc", ["fc092b4798970a0d:1", "c56fca0a6d03b5e6:1", "91080d7bc268b7d4:1", "188ff2f224477a1e:1"]],
  ])("of %s is the one that the upload step computes", (_what, text, expected) => {
    expect(lineHashes(text)).toEqual(expected);
  });

  it("counts lines with the same value, which spans the lines that follow", () => {
    const values = lineHashes("const x = 1;\n".repeat(12));
    expect(values.slice(0, 4)).toEqual(["7a7d4a20f0c80b7c:1", "7a7d4a20f0c80b7c:2", "7a7d4a20f0c80b7c:3", "f080c523ee033c59:1"]);
    expect(values.at(-1)).toBe("c129715d7a2bc9a3:1");
    expect(values).toHaveLength(13);
  });

  it("does not see indentation, and sees a byte order mark", () => {
    expect(lineHashes("if x:\n\ty = 1")[1]).toBe(lineHashes("if x:\n    y=1")[1]);
    expect(lineHashes("\ufeffa")).not.toEqual(lineHashes("a"));
  });
});

/** The same by its definition: each line by itself, in whole numbers of any size. */
function slowly(text: string): string[] {
  const units = `${text.replaceAll(/[ \t]/g, "").replaceAll("\r\n", "\n").replaceAll("\r", "\n")}\uffff`;
  const starts = [0, ...Array.from({ length: units.length }, (_, index) => index + 1).filter((index) => units[index - 1] === "\n")];
  const seen = new Map<string, number>();
  return starts.map((start) => {
    let hash = 0n;
    for (let index = start; index < start + 100; index++) hash = (hash * 37n + BigInt(index < units.length ? units.charCodeAt(index) : 0)) % 2n ** 64n;
    const value = hash.toString(16);
    seen.set(value, (seen.get(value) ?? 0) + 1);
    return `${value}:${seen.get(value) ?? 0}`;
  });
}

it("equals the plain sum on text of any kind", () => {
  const text = Array.from({ length: 400 }, (_, index) => `${"\uffff\ud83d😀é".repeat(index % 7)}${" ".repeat(index % 3)}x${index % 5}`).join("\n");
  expect(lineHashes(text)).toEqual(slowly(text));
});
