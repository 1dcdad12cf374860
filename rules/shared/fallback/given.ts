import { occurrencesOf, referencesOf } from "@agentgate/parsers";
import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { apiName, childrenOf, parentsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { ownAttribute, ownClass } from "../selves.ts";
import { hostOf } from "./hosts.ts";
import { lastName, talkOf } from "./talks.ts";

const MOST_STEPS = 120;

/**
 * Whether a list of addresses is one that the code is given, and names no address of: a parameter or a part of one, a
 * setting, an attribute that the file gives no value, or what an answer held. Whoever wrote the list chose them.
 */
export function isGivenList(facts: ModuleFacts, context: RuleContext, list: ValueId): boolean {
  const seen = new Set<ValueId>([list]);
  let given = false;
  for (const id of seen) {
    if (seen.size > MOST_STEPS) return false;
    const value = facts.values[id];
    if (value?.kind === "string" && namesHost(value.value)) return false;
    given ||= isGiven(facts, context, id);
    for (const next of behind(facts, id)) seen.add(next);
  }
  return given;
}

function namesHost(text: string): boolean {
  return hostOf(text) !== null || /^(?:localhost|(?:[\w-]+\.)+[a-z]{2,}|\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.test(text);
}

const SETTINGS = /^(?:globalThis\.)?(?:process\.env|os\.environ|os\.getenv|import\.meta\.env)\b/;

function isGiven(facts: ModuleFacts, context: RuleContext, id: ValueId): boolean {
  const value = facts.values[id];
  if (value?.kind === "parameter") return true;
  if (value?.kind === "call") return referencesOf(facts, facts.calls[value.call]!.callee).some((reference) => SETTINGS.test(apiName(reference))) || talkOf(facts, context, value.call) !== null;
  if (value?.kind !== "member") return false;
  if (ownClass(facts, value.object) >= 0) return ownAttribute(facts, id).length === 0 && !callees(facts).has(id);
  return referencesOf(facts, id).some((reference) => SETTINGS.test(apiName(reference)));
}

/** The members that are methods which are called. */
const callees = onceFor((facts): ReadonlySet<ValueId> => new Set(facts.calls.map(({ callee }) => callee)));

/** Functions that give the list they are given, in another order or form. */
const WRAPPERS = new Set(["list", "tuple", "set", "sorted", "reversed", "enumerate", "iter", "filter", "map", "zip", "shuffle", "from", "of", "entries", "values", "str", "String", "URL", "Set"]);

/** What an expression is made of: a list of a call only where that is a method of it, or a function that keeps it. */
function behind(facts: ModuleFacts, id: ValueId): readonly ValueId[] {
  const value = facts.values[id]!;
  if (value.kind === "call") {
    const { callee, arguments: taken } = facts.calls[value.call]!;
    if (WRAPPERS.has(lastName(facts, callee))) return taken.map((argument) => argument.value);
    const method = facts.values[callee];
    return method?.kind === "member" ? [method.object, ...taken.filter((argument) => facts.values[argument.value]?.kind === "string").map((argument) => argument.value)] : [];
  }
  if (value.kind === "member") return [...ownAttribute(facts, id), ...(ownClass(facts, value.object) < 0 ? [] : addedToAttributes(facts).get(value.property ?? "") ?? []), value.object];
  if (value.kind !== "name") return childrenOf(facts, value);
  const binding = facts.bindings[value.binding];
  return [...(binding?.values ?? []), ...(binding === undefined ? [] : [...addedTo(facts, value.binding), ...defaultsOf(facts, binding.values)])];
}

function defaultsOf(facts: ModuleFacts, values: readonly ValueId[]): readonly ValueId[] {
  return values.flatMap((id) => {
    const value = facts.values[id];
    const written = value?.kind === "parameter" ? facts.functions[value.function]?.parameters[value.index]?.default ?? null : null;
    return written === null ? [] : [written];
  });
}

const ADDERS = new Set(["push", "append", "unshift", "add"]);

/** What methods put into a list that a name holds. */
export function addedTo(facts: ModuleFacts, binding: number): readonly ValueId[] {
  return occurrencesOf(facts, binding).flatMap((occurrence): readonly ValueId[] => {
    const member = parentsOf(facts)[occurrence] ?? -1;
    const called = facts.values[parentsOf(facts)[member] ?? -1];
    const method = facts.values[member];
    if (method?.kind !== "member" || method.property === null || !ADDERS.has(method.property) || called?.kind !== "call") return [];
    return facts.calls[called.call]!.arguments.map((argument) => argument.value);
  });
}

/** By the name of an own attribute what methods put into the list that it holds: `self.hosts.append(host)`. */
const addedToAttributes = onceFor((facts): ReadonlyMap<string, readonly ValueId[]> => {
  const added = new Map<string, ValueId[]>();
  for (const call of facts.calls) {
    const method = facts.values[call.callee];
    const list = method?.kind === "member" && ADDERS.has(method.property ?? "") ? facts.values[method.object] : undefined;
    if (list?.kind !== "member" || list.property === null || ownClass(facts, list.object) < 0) continue;
    added.set(list.property, [...(added.get(list.property) ?? []), ...call.arguments.map((argument) => argument.value)]);
  }
  return added;
});
