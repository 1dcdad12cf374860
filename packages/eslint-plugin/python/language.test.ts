import { Linter, RuleTester } from "eslint";
import type { Rule } from "eslint";
import { builtinRules } from "eslint/use-at-your-own-risk";
import comments from "@eslint-community/eslint-plugin-eslint-comments";
import { describe, expect, it } from "vitest";
import plugin from "../index.ts";

type Node = Record<string, unknown> & { type: string; range: [number, number]; parent: Node | null; children: Node[] };

/** Rules as somebody else would write them for Python. */
function rule(create: (context: Rule.RuleContext) => Record<string, (node: never) => void>, meta: Rule.RuleMetaData = {}): Rule.RuleModule {
  // Its types know the nodes of JavaScript only.
  return { meta: { schema: [], ...meta }, create: create as unknown as Rule.RuleModule["create"] };
}

const own = (selector: string, told: (node: Node) => string): Rule.RuleModule => rule((context) => ({ [selector]: (node) => { context.report({ node, message: told(node) }); } }));

function lint(text: string, rules: Record<string, Rule.RuleModule>, more: Record<string, unknown> = {}): Linter.LintMessage[] {
  const linter = new Linter({ configType: "flat" });
  const config = {
    files: ["**/*.py"], language: "agentgate/python", plugins: { agentgate: plugin, own: { rules } },
    rules: Object.fromEntries(Object.keys(rules).map((id) => [`own/${id}`, "error"])), ...more,
  };
  return linter.verify(text, [config] as unknown as Linter.Config[], "a.py");
}

const places = (messages: Linter.LintMessage[]): string[] => messages.map(({ line, column, endLine, endColumn, message }) => `${line}:${column}-${endLine}:${endColumn} ${message}`);

const calls = { calls: own("call", () => "a call") };

describe("a Python tree", () => {
  it("is entered and left in the order of the text, with parents and fields", () => {
    const seen: string[] = [];
    const walk = rule(() => ({
      "*": (node: Node) => { seen.push(`> ${node.type}`); },
      "*:exit": (node: Node) => { seen.push(`< ${node.type}`); },
      call: (node: { function: Node; arguments: Node; parent: Node }) => {
        seen.push(`${node.function.type} ${node.arguments.type} ${node.parent.type} ${String(node.function.parent === (node as unknown))}`);
      },
    }));
    lint("f(x)\n", { walk });
    expect(seen).toEqual([
      "> module", "> expression_statement", "> call", "identifier argument_list expression_statement true", "> identifier", "< identifier",
      "> argument_list", "> identifier", "< identifier", "< argument_list", "< call", "< expression_statement", "< module",
    ]);
  });

  it.each([
    ["call > identifier.function", "f(x)\n", ["1:1-1:2 x"]],
    ["function_definition:has(return_statement)", "def f():\n  return 1\ndef g(): pass\n", ["1:1-2:11 x"]],
    ["import_statement ~ import_statement", "import a\nimport b\n", ["2:1-2:9 x"]],
    ["identifier[text='eval']", "eval(a)\n", ["1:1-1:5 x"]],
    [":callable", "def f(): pass\ng = lambda: 1\n", ["1:1-1:14 x", "2:5-2:14 x"]],
    ["if_statement > elif_clause:nth-child(3)", "if a:\n  b\nelif c:\n  d\n", ["3:1-4:4 x"]],
    ["binary_operator[operator.type='+']", "a + b * c\n", ["1:1-1:10 x"]],
    ["typed_parameter[annotation]", "def f(a: int): pass\n", ["1:7-1:13 x"]],
    ["import_from_statement[name.length=2]", "from a import b, c\n", ["1:1-1:19 x"]],
  ])("answers the selector %s", (selector, text, expected) => {
    expect(places(lint(text, { rule: own(selector, () => "x") }))).toEqual(expected);
  });

  it("spans the text, whatever comes first in it", () => {
    const text = "\n\n  # note\nimport os\n\n";
    const root = own("module", (node) => node.range.join("-"));
    expect(places(lint(text, { root }))).toEqual([`1:1-6:1 0-${text.length}`]);
    expect(places(lint("", { root }))).toEqual(["1:1-1:1 0-0"]);
  });

  it.each([["CRLF", "\r\n"], ["CR", "\r"], ["LF", "\n"]])("counts lines that end in %s", (_name, end) => {
    const text = ["x = 1  # one", "", "f(x)  # two", ""].join(end);
    expect(places(lint(text, calls))).toEqual(["3:1-3:5 a call"]);
    const values = rule((context) => ({ module: (node) => { context.report({ node, message: context.sourceCode.getAllComments().map(({ value }) => value).join("|") }); } }));
    expect(lint(text, { values })[0]?.message).toBe(" one| two");
  });

  it("takes 5,000 brackets in one another", () => {
    expect(lint(`${"(".repeat(5000)}f()${")".repeat(5000)}\n`, calls)).toHaveLength(1);
  });

  it("can be fixed and be suggested for, behind a byte order mark too", () => {
    const rename = rule((context) => ({
      "call > identifier.function": (node: never) => {
        if ((node as { text: string }).text === "g") return;
        context.report({ node, message: "no", fix: (fixer) => fixer.replaceText(node, "g"), suggest: [{ desc: "h", fix: (fixer) => fixer.replaceText(node, "h") }] });
      },
    }), { fixable: "code", hasSuggestions: true });
    const linter = new Linter({ configType: "flat" });
    const config = [{ files: ["**/*.py"], language: "agentgate/python", plugins: { agentgate: plugin, own: { rules: { rename } } }, rules: { "own/rename": "error" } }] as unknown as Linter.Config[];
    expect(linter.verifyAndFix("\ufefff(1)\n", config, "a.py").output).toBe("\ufeffg(1)\n");
    expect(lint("f(1)\n", { rename })[0]?.suggestions?.[0]?.fix).toEqual({ range: [0, 1], text: "h" });
  });

  it("works in a rule tester", () => {
    const tester = new RuleTester({ plugins: { agentgate: plugin }, language: "agentgate/python" } as never);
    const now = (_: string, run: () => void): void => { run(); };
    Object.assign(RuleTester, { it: now, describe: now });
    tester.run("no-calls", own("call", () => "a call"), { valid: ["x = 1"], invalid: [{ code: "f()", errors: [{ message: "a call", line: 1, column: 1 }] }] });
  });
});

describe("options of the language", () => {
  it("judge what can be read by default, and nothing with tolerant: false", () => {
    const text = "f()\ndef (:\n";
    expect(lint(text, calls).map(({ ruleId }) => ruleId)).toEqual(["own/calls"]);
    expect(lint(text, calls, { languageOptions: { tolerant: false } })).toEqual([expect.objectContaining({ fatal: true, line: 2, ruleId: null })]);
  });

  it("refuse what they know in the wrong form, and take what belongs to JavaScript", () => {
    expect(() => lint("f()\n", calls, { languageOptions: { tolerant: "no" } })).toThrow(/Key "tolerant": Expected a Boolean/);
    for (const key of ["tolerent", "Tolerant", "tolerance"]) expect(() => lint("f()\n", calls, { languageOptions: { [key]: true } })).toThrow(`Unexpected key "${key}" found: "tolerant" is meant.`);
    expect(lint("f()\n", calls, { languageOptions: { globals: { a: "readonly" }, sourceType: "commonjs" } })).toHaveLength(1);
  });
});

describe("directives in comments", () => {
  it.each([
    ["f()  # eslint-disable-line own/calls -- why", 0],
    ["f()  #eslint-disable-line", 0],
    ["# eslint-disable-next-line own/calls\nf()", 0],
    ["# eslint-disable own/calls\nf()\n# eslint-enable own/calls\nf()", 1],
    ["f()  # type: ignore  # eslint-disable-line own/calls", 0],
    ["f()  # eslint-disable-line own/calls  # noqa: S307", 0],
    ["f()  # noqa # eslint-disable-line own/calls -- it is # here", 0],
    ["x = '''\n# eslint-disable own/calls\n'''\nf()", 1],
    ["## eslint-disabled\nf()", 1],
    ["# eslint-disable-next-line own/other\nf()", 2],
  ])("%j leaves %i", (text, left) => {
    expect(lint(`${text}\n`, { ...calls, other: own("lambda", () => "other") }, { linterOptions: { reportUnusedDisableDirectives: "error" } })).toHaveLength(left);
  });

  it("keep what was suppressed, with its reason", () => {
    const linter = new Linter({ configType: "flat" });
    const config = [{ files: ["**/*.py"], language: "agentgate/python", plugins: { agentgate: plugin, own: { rules: calls } }, rules: { "own/calls": "error" } }] as unknown as Linter.Config[];
    linter.verify("f()  # eslint-disable-line own/calls -- asked for\n", config, "a.py");
    expect((linter as unknown as { getSuppressedMessages(): { suppressions: unknown }[] }).getSuppressedMessages()[0]?.suppressions).toEqual([{ kind: "directive", justification: "asked for" }]);
  });

  it.each([
    ["f()  # type: ignore  # eslint-disable-line own/other\r\nx = 1\r\n", "f()  # type: ignore  \r\nx = 1\r\n"],
    ["f()  # eslint-disable-line own/calls, own/other\n", "f()  # eslint-disable-line own/calls\n"],
  ])("that are unused can be taken out of %j", (text, output) => {
    const linter = new Linter({ configType: "flat" });
    const rules = { ...calls, other: own("lambda", () => "other") };
    const config = [{ files: ["**/*.py"], language: "agentgate/python", plugins: { agentgate: plugin, own: { rules } }, rules: { "own/calls": "error", "own/other": "error" }, linterOptions: { reportUnusedDisableDirectives: "error" } }] as unknown as Linter.Config[];
    expect(linter.verifyAndFix(text, config, "a.py").output.replaceAll(/ +(?=\r?\n)/g, (blanks) => blanks)).toMatch(new RegExp(`^${output.trimEnd().replaceAll(/[.()]/g, "\\$&").split("\r\n").map((line) => line.trimEnd()).join(" *\\r\\n")}`));
  });

  it("configure no rule", () => {
    expect(lint("# eslint own/calls: off\nf()\n", calls)).toHaveLength(1);
  });

  it("count for nothing where ESLint is told to pass over them, which it says of each", () => {
    const messages = lint("f()  # eslint-disable-line own/calls\n", calls, { linterOptions: { noInlineConfig: true } });
    expect(messages.map(({ ruleId }) => ruleId)).toContain("own/calls");
    expect(messages.some(({ message }) => message.includes("has no effect"))).toBe(true);
  });
});

describe("rules of others over a Python file", () => {
  const TEXT = "import os\n\n\nclass A(B):  # eslint-disable-line\n    def f(self, *a, **k) -> 'x':\n        if a == 1 or not k:\n            return [x for x in a if x]\n        else:\n            raise E from None\n\nasync def g():\n    async with h() as i, j:\n        await k[1:2] if l else m\n        return f'{n!r:>{o}}' + b'x'\n";

  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else names the deprecated rules, which projects still use
  it.each([...builtinRules.keys()])("%s does not crash", (id) => {
    const linter = new Linter({ configType: "flat" });
    const config = [{ files: ["**/*.py"], language: "agentgate/python", plugins: { agentgate: plugin }, rules: { [id]: "error" } }] as unknown as Linter.Config[];
    expect(linter.verify(TEXT, config, "a.py").filter(({ fatal }) => fatal)).toEqual([]);
  });

  it.each(Object.keys(comments.rules))("%s reads its comments", (id) => {
    const linter = new Linter({ configType: "flat" });
    const config = [{ files: ["**/*.py"], language: "agentgate/python", plugins: { agentgate: plugin, comments }, rules: { [`comments/${id}`]: "error" } }] as unknown as Linter.Config[];
    const found = linter.verify("# eslint-disable no-eval\nimport os\n# eslint-disable-line\n", config, "a.py");
    expect(found.filter(({ fatal }) => fatal)).toEqual([]);
    if (id === "require-description" || id === "no-unlimited-disable") expect(found.length).toBeGreaterThan(0);
  });

  it("finds on a program what rules of JavaScript look for on every one", () => {
    const seen: unknown[] = [];
    const looks = rule(({ sourceCode }) => ({
      "*:exit"(node: Node) {
        if (node.parent !== null) return;
        const { body } = sourceCode.ast as unknown as { body: Node[] };
        seen.push(body.map(({ type }) => type), sourceCode.scopeManager.globalScope!.variables, sourceCode.getDeclaredVariables(node as never));
      },
    }));
    expect(lint("import os\nx = 1\n", { looks })).toEqual([]);
    expect(seen).toEqual([["import_statement", "expression_statement"], [], []]);
  });
});
