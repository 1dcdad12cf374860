import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { commandLine, firstLine, shown } from "./words.ts";

test("a command line is taken apart by a shell as it was put together", () => {
  const words = ["plain", "two words", "it's", "$(touch x)", "`x`", "a;b", "a&&b", "\"", "*", "~", "!x", "a\\b", "ünï", "+refs/heads/*:refs/remotes/o/*", ""];
  const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${commandLine(words)}`], { encoding: "utf8" });
  expect(printed.split("\0").slice(0, -1)).toEqual(words);
});

test("what would break or turn a line is shown by its number", () => {
  expect(shown("a\nb\u001b[31m\u202Ec\u2028\u0000")).toBe("a\\u{a}b\\u{1b}[31m\\u{202e}c\\u{2028}\\u{0}");
  expect(commandLine(["a\nb"])).toBe("'a\\u{a}b'");
  expect(firstLine("\n\nfatal: no\nmore")).toBe("no");
  expect(firstLine("")).toBe("it gave no reason");
});
