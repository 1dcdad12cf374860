import type { Call, ModuleFacts } from "@agentgate/parsers";
import type { Rule, RuleFinding, RuleMeta } from "./rule.ts";

const meta: RuleMeta = {
  id: "no-fresh-idempotency-key",
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
  const reference = call.references.find((found) => APIS.has(`${found.module} ${found.path.join(".")}`));
  if (reference === undefined) return [];
  const api = reference.path.at(-1)!;
  return [{
    severity: "error",
    message: `${api} ends the process at once, so nothing that is open gets closed. Return or raise instead.`,
    span: call.nameSpan,
    capability: null,
    api,
    key: api,
    statement: call.statement,
    related: [],
  }];
}

/** Reports every call that ends the process at once. */
export const noFreshIdempotencyKey: Rule = {
  meta,
  check: (facts: ModuleFacts) => facts.calls.flatMap(findingOf),
};
