import { functionsOf } from "@agentgate/parsers";
import type { CallId, FunctionId, ModuleFacts } from "@agentgate/parsers";
import type { ReachedEffect } from "../effects/index.ts";
import { bare } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import type { LoopSite } from "./sites.ts";

type EffectsOf = (call: CallId) => readonly ReachedEffect[];

/** So many callers of a helper are looked at for one that hands it an effect. */
const MOST_CALLERS = 20;

/** The calls of each function of the file, by its name or attribute. */
const callersOf = onceFor((facts): ReadonlyMap<FunctionId, readonly CallId[]> => {
  const index = new Map<FunctionId, CallId[]>();
  facts.calls.forEach((call, id) => {
    for (const called of functionsOf(facts, call.callee)) {
      const list = index.get(called);
      if (list === undefined) index.set(called, [id]);
      else list.push(id);
    }
  });
  return index;
});

/**
 * The effects of the calls of a loop, where one that calls a parameter (`fn()` of a retry helper) does what the callers
 * in the same file hand in.
 */
export function withHandedIn(facts: ModuleFacts, site: LoopSite, effects: EffectsOf): EffectsOf {
  const handed = site.inside.flatMap((statement) => (statement.kind === "call" && isParameterOf(facts, site.function, statement.call) ? [statement.call] : []));
  if (handed.length === 0) return effects;
  const callers = (callersOf(facts).get(site.function) ?? []).slice(0, MOST_CALLERS).filter((caller) => facts.calls[caller]!.function !== site.function);
  const given = callers.flatMap((caller) => (handsFunctionIn(facts, caller) ? effects(caller) : []));
  if (given.length === 0) return effects;
  const all = new Set(handed);
  return (call) => (all.has(call) && effects(call).length === 0 ? given : effects(call));
}

function isParameterOf(facts: ModuleFacts, id: FunctionId, call: CallId): boolean {
  const callee = facts.values[bare(facts, facts.calls[call]!.callee)];
  const values = callee?.kind === "name" ? facts.bindings[callee.binding]?.values : undefined;
  return values?.some((each) => {
    const value = facts.values[each];
    return value?.kind === "parameter" && value.function === id;
  }) === true;
}

function handsFunctionIn(facts: ModuleFacts, caller: CallId): boolean {
  return facts.calls[caller]!.arguments.some((argument) => functionsOf(facts, argument.value).length > 0 || facts.values[bare(facts, argument.value)]?.kind === "member");
}
