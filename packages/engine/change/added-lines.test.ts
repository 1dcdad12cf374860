import { describe, expect, it } from "vitest";
import { addedLines } from "./added-lines.ts";

const text = (...lines: string[]): string => `${lines.join("\n")}\n`;

describe("added lines", () => {
  it("are all of a new file, and none of one that is the same but for its line ends", () => {
    expect([...addedLines(null, text("a", "b"))]).toEqual([1, 2]);
    expect([...addedLines(text("a", "b"), "a\r\nb")]).toEqual([]);
  });

  it("are those of the shortest edit", () => {
    expect([...addedLines(text("a", "b", "c"), text("a", "x", "b", "y", "c"))]).toEqual([2, 4]);
    expect([...addedLines(text("a", "b", "c"), text("a", "c"))]).toEqual([]);
    expect([...addedLines(text("f()", "g()"), text("g()", "f()"))]).toHaveLength(1);
  });

  it("are found in a file that was written anew, where no shortest edit is looked for", () => {
    const old = Array.from({ length: 20_000 }, (_, index) => `old ${index}`);
    const now = Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? `new ${index}` : `old ${index}`));
    expect(addedLines(text(...old), text(...now)).size).toBe(10_000);
    expect(addedLines(text(...old), text(...now.map((line) => `${line}!`))).size).toBe(20_000);
  });
});
