import type { ModuleFacts } from "@agentgate/parsers";
import type { Influence, Rule, RuleContext, RuleFinding } from "@agentgate/rules";

/**
 * A rule whose verdict on a module depends on others: it reports a call of `loop` in a module that calls `boom` in a
 * function, or imports one that does, directly or through others.
 */
export const boomRule: Rule = {
  meta: { id: "require-timeout", severity: "error", summary: "", category: "code", suppressible: true, configurable: true, techniques: [] },
  check: (facts, context): RuleFinding[] => {
    const loop = facts.calls.find((call) => isNamed(facts, call.callee, "loop"));
    if (loop === undefined || !booms(facts, context)) return [];
    return [{ severity: "error", message: "It booms.", span: loop.nameSpan, capability: null, api: null, key: "boom", statement: loop.statement, related: [] }];
  },
  influences: (facts, context): readonly Influence[] => facts.functions.slice(1).map(({ name, nameSpan }) => ({ name, key: booms(facts, context) ? "booms" : "calm", span: nameSpan })),
};

function booms(facts: ModuleFacts, { path, tree }: RuleContext): boolean {
  const seen = new Set([path]);
  const open: { readonly facts: ModuleFacts; readonly from: string }[] = [{ facts, from: path }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { facts: current, from } = next;
    if (current.calls.some((call) => call.function !== 0 && isNamed(current, call.callee, "boom"))) return true;
    for (const entry of current.imports) {
      const found = tree.resolve(from, entry.specifier);
      if (found === null || found === "missing" || !("path" in found) || seen.has(found.path)) continue;
      seen.add(found.path);
      const other = tree.facts(found.path);
      if (other !== null) open.push({ facts: other, from: found.path });
    }
  }
  return false;
}

function isNamed(facts: ModuleFacts, callee: number, name: string): boolean {
  const value = facts.values[callee];
  return value?.kind === "name" && value.name === name;
}
