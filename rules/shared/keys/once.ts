import type { BindingId, CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { consumerOf, readsOf } from "../consumers.ts";
import { parentsOf } from "../expressions.ts";
import { resultOf } from "../indexes.ts";
import { isLogger, isSetter } from "./names.ts";
import { partsOf } from "../parts.ts";

/**
 * Whether the names between a value and the call that takes it serve nothing else, so that nobody keeps the value for a
 * second attempt. Names of functions that only give the value back may return it.
 */
export function servesOnly(facts: ModuleFacts, bindings: readonly BindingId[], call: CallId): boolean {
  const own = new Set(bindings);
  const result = resultOf(facts, call);
  const { function: id } = facts.calls[call]!;
  // The other names of a pattern join the set while it is walked.
  for (const binding of own) {
    const inside = facts.scopes[facts.bindings[binding]!.scope]?.function;
    if (!readsOf(facts, binding).every((read) => leadsTo(facts, read, result, own, inside !== id))) return false;
  }
  return true;
}

function leadsTo(facts: ModuleFacts, read: ValueId, result: ValueId, own: Set<BindingId>, mayReturn: boolean): boolean {
  let current = read;
  for (let step = 0; step < 64; step++) {
    if (current === result) return true;
    const parent = parentsOf(facts)[current] ?? -1;
    if (parent < 0 || consumerOf(facts, current)?.kind === "assign") break;
    if (isFilled(facts, current, parent)) return true;
    current = parent;
  }
  const consumer = consumerOf(facts, current);
  if (consumer?.kind === "return") return mayReturn;
  if (consumer?.kind === "expression") return isLogged(facts, current);
  if (consumer?.kind !== "assign") return false;
  return consumer.targets.every((target) => {
    const given = partsOf(facts, target).map((part) => rootBinding(facts, part));
    if (!given.some((binding) => own.has(binding)) || given.includes(-1)) return false;
    for (const binding of given) own.add(binding);
    return true;
  });
}

function isLogged(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  const callee = value?.kind === "call" ? facts.values[facts.calls[value.call]!.callee] : undefined;
  if (callee?.kind === "name") return isLogger(callee.name);
  return callee?.kind === "member" && callee.property !== null && isLogger(callee.property);
}

/** `headers.set(…)`, `headers["x"] = …`: the object is filled, not handed on. */
function isFilled(facts: ModuleFacts, id: ValueId, parent: ValueId): boolean {
  const member = facts.values[parent];
  if (member?.kind !== "member" || member.object !== id) return false;
  const above = parentsOf(facts)[parent] ?? -1;
  const call = facts.values[above];
  if (call?.kind === "call") return member.property !== null && isSetter(member.property);
  return above < 0 && consumerOf(facts, parent) === undefined;
}

function rootBinding(facts: ModuleFacts, target: ValueId): BindingId {
  let value = facts.values[target];
  for (let step = 0; value?.kind === "member" && step < 16; step++) value = facts.values[value.object];
  return value?.kind === "name" ? value.binding : -1;
}
