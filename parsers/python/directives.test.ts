import { describe, expect, it } from "vitest";
import { parsePython } from "./index.ts";

describe("directive comments", () => {
  it("are split at each inner #, and stand where they stand", () => {
    const source = "x = 1  # noqa: E501 # agentgate: allow net -- why\r\n  # eslint-disable-next-line r\r\n# other\r\n";
    const { directives } = parsePython(source);
    expect(directives.map(({ text, line, ownLine, span }) => [text, line, ownLine, source.slice(...span)])).toEqual([
      [" agentgate: allow net -- why", 1, false, "# agentgate: allow net -- why"],
      [" eslint-disable-next-line r", 2, true, "# eslint-disable-next-line r"],
    ]);
  });

  it("mean nothing in strings", () => {
    expect(parsePython("'''\n# agentgate: allow\n'''\nx = '# agentgate: allow'\nf'# agentgate: {x}'\n").directives).toEqual([]);
  });

  it("are found after a lone CR and in a last line without an end", () => {
    expect(parsePython("#\r# agentgate: a\r#agentgate: b").directives.map(({ text, line }) => [text, line])).toEqual([[" agentgate: a", 2], ["agentgate: b", 3]]);
  });
});
