import type { CallId, FunctionId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { functionsOf } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { bare } from "../expressions.ts";
import { statementsIn } from "../statements.ts";
import { talksIn } from "./errors.ts";
import { isAskedForNothing, recursionReplacement, replacementIn } from "./replaced.ts";
import type { Replacement } from "./replaced.ts";
import { lastName, talkOf } from "./talks.ts";
import type { Talk } from "./talks.ts";

/** `ask(first) or ask(second)`: what the second call of a chain puts in place of the first one's target. */
export function replacementsInChains(facts: ModuleFacts, context: RuleContext): readonly Replacement[] {
  const found: Replacement[] = [];
  for (const value of facts.values) {
    const replacement = value.kind === "logical" && value.operator !== "and" ? replacementInChain(facts, context, value) : null;
    if (replacement !== null) found.push(replacement);
  }
  return found;
}

function replacementInChain(facts: ModuleFacts, context: RuleContext, value: Extract<Value, { kind: "logical" }>): Replacement | null {
  const left = facts.values[bare(facts, value.left)];
  const before = left?.kind === "logical" ? left.right : value.left;
  if (!isSameWork(facts, before, value.right)) return null;
  const to = talksOf(facts, context, value.right)[0];
  if (to === undefined) return null;
  for (const from of talksOf(facts, context, before)) {
    const found = replacementIn(facts, context, from, to);
    if (found !== null && isAskedForNothing(facts, found)) return { ...found, empty: true };
  }
  return null;
}

/** Whether two expressions have calls of one name: only these do the same work. */
function isSameWork(facts: ModuleFacts, one: ValueId, other: ValueId): boolean {
  const calls = callsOf(facts, other);
  if (calls.length === 0) return false;
  const names = new Set(calls.map((call) => lastName(facts, facts.calls[call]!.callee)));
  return callsOf(facts, one).some((call) => names.has(lastName(facts, facts.calls[call]!.callee)));
}

/** The call that an expression is, or that gave what it reads: `(await get(url)).data`. */
function talksOf(facts: ModuleFacts, context: RuleContext, id: ValueId): readonly Talk[] {
  return callsOf(facts, id).flatMap((call) => talkOf(facts, context, call) ?? []);
}

function callsOf(facts: ModuleFacts, id: ValueId): readonly CallId[] {
  const calls: CallId[] = [];
  let current = bare(facts, id);
  for (let step = 0; step < 12; step++) {
    const value = facts.values[current];
    if (value?.kind === "member") current = bare(facts, value.object);
    else if (value?.kind === "call") {
      calls.push(value.call);
      current = bare(facts, facts.calls[value.call]!.callee);
    } else break;
  }
  return calls;
}

/** `first().catch(() => second())`, also the second function of `then`. */
export function replacementsInCallbacks(facts: ModuleFacts, context: RuleContext): readonly Replacement[] {
  if (facts.language === "python") return [];
  return facts.calls.flatMap((call): readonly Replacement[] => {
    const callee = facts.values[call.callee];
    if (callee?.kind !== "member") return [];
    const handler = callee.property === "catch" ? call.arguments[0] : callee.property === "then" ? call.arguments[1] : undefined;
    const handlers = handler === undefined ? [] : functionsOf(facts, handler.value);
    if (handlers.length === 0) return [];
    const tried = triedBefore(facts, context, callee.object);
    if (tried.length === 0) return [];
    return handlers.flatMap((id) => replacementsIn(facts, context, tried, id, call.function));
  });
}

function triedBefore(facts: ModuleFacts, context: RuleContext, object: ValueId): readonly Talk[] {
  const chained = talksOf(facts, context, object);
  if (chained.length > 0) return chained;
  // `const attempt = first(); attempt.catch(…)`.
  const value = facts.values[bare(facts, object)];
  const given = value?.kind === "name" ? facts.bindings[value.binding]?.values ?? [] : [];
  return given.length === 1 ? talksOf(facts, context, given[0]!) : [];
}

function replacementsIn(facts: ModuleFacts, context: RuleContext, tried: readonly Talk[], handler: FunctionId, around: FunctionId): readonly Replacement[] {
  return talksIn(facts, context, statementsIn(facts.functions[handler]?.body ?? [])).flatMap((to): readonly Replacement[] => {
    for (const from of tried) {
      const found = replacementIn(facts, context, from, to) ?? returnedReplacement(facts, context, from, to) ?? recursionReplacement(facts, around, from, to);
      if (found !== null) return [found];
    }
    return [];
  });
}

/** What a handler gives back stands for what failed, whatever either is given. */
function returnedReplacement(facts: ModuleFacts, context: RuleContext, from: Talk, to: Talk): Replacement | null {
  if (from.operation !== to.operation || !isReturned(facts, to.call)) return null;
  return replacementIn(facts, context, { ...from, work: new Set(["returned"]) }, { ...to, work: new Set(["returned"]) });
}

function isReturned(facts: ModuleFacts, call: CallId): boolean {
  const { function: id } = facts.calls[call]!;
  return statementsIn(facts.functions[id]?.body ?? []).some((statement) => {
    if (statement.kind !== "return" || statement.value === null) return false;
    const value = facts.values[bare(facts, statement.value)];
    return value?.kind === "call" && value.call === call;
  });
}
