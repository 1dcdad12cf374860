import { describe, expect, it } from "vitest";
import { isWritable, withPins } from "./lock-edit.ts";

const at = (line: number, column: number, length: number, value: string): Parameters<typeof isWritable>[1] => ({ path: "a", at: { line, column, length }, key: "k", value, text: "NEW", of: "b" });

describe("writing a digest", () => {
  it("keeps quotes, line ends, byte order mark and everything else", () => {
    const text = "\ufeffa: old # note\r\nb: \"old\"\r\nc: 'old' \r\n";
    const pins = [at(1, 4, 3, "old"), at(2, 4, 5, "old"), at(3, 4, 5, "old")];
    expect(pins.every((pin) => isWritable(text, pin))).toBe(true);
    expect(withPins(text, pins)).toBe("\ufeffa: NEW # note\r\nb: \"NEW\"\r\nc: 'NEW' \r\n");
  });

  it("writes several on one line", () => {
    expect(withPins("{a: x, b: yy}", [at(1, 5, 1, "x"), at(1, 11, 2, "yy")])).toBe("{a: NEW, b: NEW}");
  });

  it.each([
    ["an alias", "a: *old", at(1, 4, 4, "old")], ["a block", "a: |\n  old\n", at(1, 4, 1, "old")], ["a key", "a:\n", at(1, 1, 1, "")], ["an escape", 'a: "\\u006fld"', at(1, 4, 10, "old")],
  ])("refuses what is not written as its value: %s", (_what, text, pin) => {
    expect(isWritable(text, pin)).toBe(false);
  });
});
