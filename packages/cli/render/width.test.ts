import { describe, expect, it } from "vitest";
import { cutTo, padTo, widthOf, wrap } from "./width.ts";

describe("widthOf", () => {
  it.each([["abc", 3], ["日本", 4], ["e\u0301", 1], ["😀", 2], ["ｆ", 2], ["é", 1], ["", 0]])("counts the cells of %s", (text, cells) => {
    expect(widthOf(text)).toBe(cells);
  });
});

describe("cutTo", () => {
  it("keeps what fits", () => {
    expect(cutTo("abc", 3)).toBe("abc");
  });

  it("marks what is missing and never exceeds the width", () => {
    expect(cutTo("abcd", 3)).toBe("ab…");
    expect(cutTo("日本語", 4)).toBe("日…");
  });
});

describe("padTo", () => {
  it("counts cells, not characters", () => {
    expect(padTo("日", 4)).toBe("日  ");
  });
});

describe("wrap", () => {
  it("breaks at spaces", () => {
    expect(wrap("one two three four", 9)).toEqual(["one two", "three", "four"]);
  });

  it("does not tear what is longer than a line", () => {
    expect(wrap("run agentgate-permit-src/refund.py now", 10)).toEqual(["run", "agentgate-permit-src/refund.py", "now"]);
  });
});
