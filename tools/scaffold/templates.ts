/** Where a name in a template stands for the rule's own: `some-rule`, `someRule`. */
export interface RuleNames {
  readonly id: string;
  readonly camel: string;
}

/**
 * The files of a new rule, by path. The rule that they make works: it reports `os.abort()` and `process.abort()`, so
 * that its test, its fixtures and its page hold together from the first minute and each part can be replaced in turn.
 */
export function templates(names: RuleNames): Readonly<Record<string, string>> {
  const fixtures = `fixtures/rules/${names.id}`;
  return {
    [`rules/${names.id}.ts`]: rule(names),
    [`rules/${names.id}.test.ts`]: test(names),
    [`docs/rules/${names.id}.md`]: PAGE,
    [`${fixtures}/plain-call/main.py`]: `# technique: plain-call\nimport os\n\nos.abort()  # expect: ${names.id}@4\n`,
    [`${fixtures}/plain-call/main.ts`]: `// technique: plain-call\nprocess.abort(); // expect: ${names.id}@9\n`,
    [`${fixtures}/local-of-that-name/main.py`]: "# technique: local-of-that-name\ndef stop(os):\n    os.abort()\n",
    [`${fixtures}/local-of-that-name/main.ts`]:
      "// technique: local-of-that-name\nexport function stop(process: { abort(): void }): void {\n  process.abort();\n}\n",
  };
}

function rule({ id, camel }: RuleNames): string {
  return `import type { Call, ModuleFacts } from "@agentgate/parsers";
import type { Rule, RuleFinding, RuleMeta } from "./rule.ts";

const meta: RuleMeta = {
  id: "${id}",
  severity: "error",
  summary: "The process is ended at once, without closing what is open.",
  category: "code",
  suppressible: true,
  configurable: true,
  techniques: [
    { name: "plain-call", summary: "The call as it is usually written.", kind: "true" },
    { name: "local-of-that-name", summary: "A parameter or local with the module's name.", kind: "look-alike" },
  ],
};

/** Module and path of what is looked for, in both languages. */
const APIS = new Set(["os abort", "globalThis process.abort"]);

function findingOf(call: Call): RuleFinding[] {
  const reference = call.references.find((found) => APIS.has(\`\${found.module} \${found.path.join(".")}\`));
  if (reference === undefined) return [];
  const api = reference.path.at(-1)!;
  return [{
    severity: "error",
    message: \`\${api} ends the process at once, so nothing that is open gets closed. Return or raise instead.\`,
    span: call.nameSpan,
    capability: null,
    api,
    key: api,
    statement: call.statement,
    related: [],
  }];
}

/** Reports every call that ends the process at once. */
export const ${camel}: Rule = {
  meta,
  check: (facts: ModuleFacts) => facts.calls.flatMap(findingOf),
};
`;
}

function test({ id, camel }: RuleNames): string {
  return `import { factsOf } from "@agentgate/parsers/testing";
import { describe, expect, it } from "vitest";
import { ${camel} } from "./${id}.ts";
import { aloneContext } from "./shared/alone.ts";

const context = aloneContext("main.py");

describe("${id}", () => {
  it("reports the call at its name", () => {
    const facts = factsOf("python", (b) => {
      b.call(b.member(b.import("os"), "abort"));
    });
    const findings = ${camel}.check(facts, context);
    expect(findings.map((finding) => [finding.api, finding.span])).toEqual([["abort", facts.calls[0]!.nameSpan]]);
  });

  it("is silent about a parameter with the module's name", () => {
    const facts = factsOf("python", (b) => {
      b.function("stop", ["os"], (os) => { b.call(b.member(os, "abort")); });
    });
    expect(${camel}.check(facts, context)).toEqual([]);
  });
});
`;
}

const PAGE = `## What is reported

A call that ends the process at once: \`os.abort\`, \`process.abort\`.

## Why it matters to a reviewer

Nothing that is open gets closed: a write that was under way is cut in the middle, and no handler hears of it.

## Wrong

\`\`\`python
import os

os.abort()
\`\`\`

\`\`\`ts
process.abort();
\`\`\`

## Right

\`\`\`python
raise RuntimeError("the ledger does not add up")
\`\`\`

\`\`\`ts
throw new Error("the ledger does not add up");
\`\`\`

## What it cannot see

- A call through a name that does not resolve inside the file.
`;
