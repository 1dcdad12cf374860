import { parseEcmascript, parsePython } from "@agentgate/parsers";
import { CODE_RULES, aloneContext } from "@agentgate/rules";
import { describe, expect, it } from "vitest";
import { SUGGESTERS, repaired } from "./suggestions.ts";

/** The text with the repair of the rule's only finding, once it is shown that the rule says nothing more of it. */
function repair(id: string, text: string, python: boolean): string | null {
  const rule = CODE_RULES.find(({ meta }) => meta.id === id)!;
  const parse = (source: string): ReturnType<typeof parsePython> => (python ? parsePython(source) : parseEcmascript(source, { dialect: "typescript" }));
  const facts = parse(text);
  const context = aloneContext(python ? "a.py" : "a.ts");
  const [finding] = rule.check(facts, context);
  const suggestion = finding === undefined ? null : SUGGESTERS.get(id)!(facts, text, finding.span[0]);
  if (suggestion === null) return null;
  const after = repaired(text, suggestion);
  expect(parse(after).problems).toEqual([]);
  expect(rule.check(parse(after), context)).toEqual([]);
  return after;
}

const CALL = "\nimport openai\nopenai.OpenAI().chat.completions.create(model=m, messages=[])\n";

describe("repairs", () => {
  it.each([
    ['x = __import__("json")\n', "import json as x\n"],
    ['json = __import__("json")\n', "import json\n"],
    ['def f():\n    return __import__("json").loads("1")\n', 'def f():\n    import json\n    return json.loads("1")\n'],
    ['x = __import__("os.path")\n', null],
    ['if a: __import__("json")\n', null],
    ['x = [\n  __import__("json")\n]\n', null],
  ])("write an import as a statement: %j", (text, expected) => {
    expect(repair("no-dynamic-import", text, true)).toBe(expected);
  });

  it.each([
    [`import os\nm = os.getenv("MODEL", "gpt-4o")${CALL}`, `import os\nm = os.environ["MODEL"]${CALL}`],
    [`import os\nm = os.environ.get("MODEL", "gpt-4o")${CALL}`, `import os\nm = os.environ["MODEL"]${CALL}`],
    [`import os\nm = os.getenv("MODEL") or "gpt-4o"${CALL}`, `import os\nm = os.environ["MODEL"]${CALL}`],
    [`from os import getenv\nm = getenv("MODEL", "gpt-4o")${CALL}`, null],
    [`def f(m="gpt-4o"):\n    import openai\n    openai.OpenAI().chat.completions.create(model=m, messages=[])\n`, null],
  ])("read a model's setting so that a missing one fails: %j", (text, expected) => {
    expect(repair("no-unpinned-model", text, true)).toBe(expected);
  });

  it("do the same in TypeScript", () => {
    const text = (model: string): string => `import OpenAI from "openai";\nconst model = ${model};\nawait new OpenAI().chat.completions.create({ model, messages: [] });\n`;
    expect(repair("no-unpinned-model", text('process.env.MODEL ?? "gpt-4o"'), false)).toBe(text('(process.env.MODEL ?? (() => { throw new Error("MODEL is not set"); })())'));
  });
});
