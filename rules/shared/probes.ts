import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import { bindingsGiven, consumerOf, readsOf } from "./consumers.ts";
import { parentsOf } from "./expressions.ts";

/** Functions that only look at what they are given. */
const LOOKERS = new Set([
  "hasattr", "isinstance", "issubclass", "type", "id", "callable", "repr", "str", "bool", "dir", "getattr", "setattr", "delattr", "vars", "print", "len",
  "Boolean", "String",
]);
/** Of these only the first argument is looked at: what else they are given is kept, or given back. */
const KEEPERS = new Set(["setattr", "getattr"]);
const COMPARISONS = new Set(["==", "!=", "===", "!==", "is", "is not", "in", "not in", "instanceof", "<", ">"]);

/** Whether an expression is only asked about: `typeof fetch`, `x is None`, `hasattr(os, "fork")`, `if (window.fetch)`. */
export function isProbe(facts: ModuleFacts, id: ValueId): boolean {
  const parents = parentsOf(facts);
  let current = id;
  for (let step = 0; step < 16; step++) {
    const parent = parents[current] ?? -1;
    const value = facts.values[parent];
    if (value === undefined) return consumerOf(facts, current)?.kind === "test";
    if (value.kind === "unary" && (value.operator === "typeof" || value.operator === "not")) return true;
    if (value.kind === "binary") return COMPARISONS.has(value.operator);
    if (value.kind === "conditional") return value.test === current;
    if (value.kind === "call") return isLookedAt(facts, value.call, current);
    // The left side of `and` is tested; what the whole gives may be the right side.
    if (value.kind !== "logical") return false;
    if (value.operator === "and" && value.left === current) return true;
    current = parent;
  }
  return false;
}

/** Whether an expression is given to names of a function and those are only asked about: `found = sys.modules.get(name)`, then `found is None`. */
export function isKeptToProbe(facts: ModuleFacts, id: ValueId): boolean {
  const names = bindingsGiven(facts, id);
  return names.length > 0 && names.every((name) => facts.scopes[facts.bindings[name]!.scope]!.function !== 0 && readsOf(facts, name).every((read) => isProbe(facts, read)));
}

function isLookedAt(facts: ModuleFacts, call: number, argument: ValueId): boolean {
  const entry = facts.calls[call];
  const callee = entry === undefined ? undefined : facts.values[entry.callee];
  return callee?.kind === "name" && callee.binding === -1 && callee.name !== "" && entry?.callee !== argument && LOOKERS.has(callee.name)
    && !(KEEPERS.has(callee.name) && entry?.arguments[0]?.value !== argument);
}
