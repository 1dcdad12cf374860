import { functionsOf } from "@agentgate/parsers";
import type { CallId, FunctionId, ModuleFacts } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { bare, parentsOf } from "../expressions.ts";
import { callersInImporters } from "../tree-callers.ts";
import type { Asked, PlacedCall } from "../tree-callers.ts";

/**
 * The calls of a function in the modules that load its own, by members of a module too (`sync.sync(…)`), where all that
 * is done with it is calling it, here only by functions that are asked themselves; null where nobody can tell.
 */
export function callersElsewhere(facts: ModuleFacts, context: RuleContext, id: FunctionId): readonly PlacedCall[] | null {
  return callersInImporters(facts, context, id, callsIn);
}

function callsIn({ facts: home, id, name }: Asked, context: RuleContext, path: string): readonly PlacedCall[] | null {
  const facts = context.tree.facts(path);
  if (facts === null || facts.exports.some((entry) => entry.import !== undefined && [name, "*"].includes(entry.imported ?? entry.name))) return null;
  const effects = effectsOf(facts, { ...context, path });
  const calls: PlacedCall[] = [];
  for (const called of mentionsOf(facts, name)) {
    if (called === null) return null;
    const call = facts.calls[called]!;
    if (effects.callees(called).some((callee) => callee.facts === home && callee.function === id)) calls.push({ path, facts, call, id: called });
    else if (functionsOf(facts, call.callee).length === 0) return null;
  }
  return calls;
}

/** The calls of what has a name, of its own or as a member; null for each other use of it. */
function mentionsOf(facts: ModuleFacts, name: string): readonly (CallId | null)[] {
  const called = new Map(facts.calls.map(({ callee }, id) => [bare(facts, callee), id]));
  return facts.values.flatMap((value, use) => {
    const isMention = (value.kind === "name" && value.name === name) || (value.kind === "member" && value.property === name);
    if (!isMention) return [];
    const around = facts.values[parentsOf(facts)[use] ?? -1];
    // The module of that name, of which a member is taken.
    return value.kind === "name" && around?.kind === "member" && around.object === use ? [] : [called.get(use) ?? null];
  });
}
