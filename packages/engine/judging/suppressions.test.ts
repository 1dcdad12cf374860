import { parseEcmascript, parsePython } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import { Suppressions, suppressionsOf } from "./suppressions.ts";

const names = { known: (rule: string) => rule !== "no-such", suppressible: (rule: string) => rule !== "config" };

function python(text: string): ReturnType<typeof suppressionsOf> {
  return suppressionsOf(parsePython(text), names);
}

describe("a suppression", () => {
  it("gives a reason and an owner", () => {
    const { valid, broken } = python("import x  # agentgate: allow no-invented-io -- it is safe, as said, payments\n");
    expect(broken).toEqual([]);
    expect(valid).toMatchObject([{ rule: "no-invented-io", reason: "it is safe, as said", owner: "payments", line: 1, endLine: 1 }]);
  });

  it("may stand among other pragmas, in a block comment, and behind a BOM or CRLF", () => {
    expect(python("import x  # noqa  # agentgate: allow a -- why, payments # nosec\n").valid).toHaveLength(1);
    const lines = parseEcmascript("/**\n * agentgate: allow a -- why, payments\n */\nfetch(1);", { dialect: "typescript" });
    expect(suppressionsOf(lines, names).valid).toMatchObject([{ rule: "a", owner: "payments", line: 1, endLine: 3 }]);
    const block = parseEcmascript("/* agentgate: allow a -- why, payments */ fetch(1);\r\n/** agentgate: allow b -- why, payments */\r\nfetch(2);", { dialect: "typescript" });
    expect(suppressionsOf(block, names).valid.map((one) => [one.rule, one.owner, one.line])).toEqual([["a", "payments", 1], ["b", "payments", 2]]);
  });

  it("speaks for its line and the one below, and for no other", () => {
    const { valid } = python("# agentgate: allow a -- why, payments\nimport x\nimport y\n");
    const suppressions = new Suppressions(valid);
    expect([1, 2, 3].map((line) => suppressions.at("a", line) !== null)).toEqual([true, true, false]);
    expect(suppressions.at("b", 2)).toBeNull();
  });

  it("is a comment: the same text in a string means nothing", () => {
    const text = 'x = "# agentgate: allow a -- why, payments"\ny = """\n# agentgate: allow a -- why, payments\n"""\n';
    expect(python(text)).toEqual({ valid: [], broken: [] });
    expect(suppressionsOf(parseEcmascript('const x = "// agentgate: allow a -- why, payments"; const y = `\n// agentgate: allow a -- w, o\n`;', { dialect: "typescript" }), names)).toEqual({ valid: [], broken: [] });
  });

  it.each([
    ["no reason", "agentgate: allow a", "no reason"],
    ["a blank reason", "agentgate: allow a -- , payments", "no reason"],
    ["a reason that is none", "agentgate: allow a -- TODO, payments", "no reason"],
    ["no owner", "agentgate: allow a -- because of it", "no owner"],
    ["a machine as owner", "agentgate: allow a -- why, copilot", "machine"],
    ["a machine of two words as owner", "agentgate: allow a -- why, Claude Code", "machine"],
    ["a dash as owner", "agentgate: allow a -- why, -", "holds no letter"],
    ["an unknown rule", "agentgate: allow no-such -- why, payments", "no rule is called no-such"],
    ["no rule", "agentgate: allow -- why, payments", "names no rule"],
    ["two rules", "agentgate: allow no-such b -- why, payments", "no rule is called"],
    ["a rule that cannot be suppressed", "agentgate: allow config -- why, payments", "cannot be suppressed"],
    ["another word", "agentgate: disable a -- why, payments", "the word is allow"],
    ["capitals", "agentgate: Allow a -- why, payments", "the word is allow"],
  ])("with %s suppresses nothing and is reported", (_, comment, expected) => {
    const { valid, broken } = suppressionsOf(parsePython(`import x  # ${comment}\n`), { ...names, known: (rule) => rule === "a" || rule === "config" });
    expect(valid).toEqual([]);
    expect(broken.map((one) => one.message).join()).toContain(expected);
  });

  it("of other tools, and talk about agentgate, is not ours", () => {
    expect(python("# noqa\n# nosec\n# agentgate is a tool\n# see agentgate: allow\n# agentgate: see the docs\nimport x\n")).toEqual({ valid: [], broken: [] });
  });
});
