import type { BindingId, CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { consumerOf, readsOf } from "../consumers.ts";
import { parentsOf } from "../expressions.ts";
import { resultOf } from "../indexes.ts";
import { isSetter } from "./names.ts";

/**
 * Whether the names between a value and the call that takes it serve nothing else, so that nobody keeps the value for a
 * second attempt. Names of functions that only give the value back may return it.
 */
export function servesOnly(facts: ModuleFacts, bindings: readonly BindingId[], call: CallId): boolean {
  const own = new Set(bindings);
  const result = resultOf(facts, call);
  const { function: id } = facts.calls[call]!;
  return bindings.every((binding) => {
    const inside = facts.scopes[facts.bindings[binding]!.scope]?.function;
    return readsOf(facts, binding).every((read) => leadsTo(facts, read, result, own, inside !== id));
  });
}

function leadsTo(facts: ModuleFacts, read: ValueId, result: ValueId, own: ReadonlySet<BindingId>, mayReturn: boolean): boolean {
  let current = read;
  for (let step = 0; step < 64; step++) {
    if (current === result) return true;
    const parent = parentsOf(facts)[current] ?? -1;
    if (parent < 0) break;
    if (isFilled(facts, current, parent)) return true;
    current = parent;
  }
  const consumer = consumerOf(facts, current);
  if (consumer?.kind === "return") return mayReturn;
  if (consumer?.kind !== "assign") return false;
  return consumer.targets.every((target) => own.has(rootBinding(facts, target)));
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
