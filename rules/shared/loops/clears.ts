import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare, callsApi, parentsOf } from "../expressions.ts";
import { onceFor, resultOf } from "../indexes.ts";
import { statementsIn } from "../statements.ts";
import { calledName, methodOf, placeOf } from "./places.ts";
import { LOOPS } from "./vocabulary.ts";

/** Places whose timers the module clears somewhere, by the last name: the clean-up may know the object by another name. */
const clearedNames = onceFor((facts): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const call of facts.calls) {
    const method = methodOf(facts, call);
    const isClear = callsApi(call, LOOPS.timers.clears) || LOOPS.timers.clears.some((api) => api.endsWith(`.${calledName(facts, call)}`));
    const target = isClear ? call.arguments[0]?.value : method !== null && LOOPS.timers.clearMethods.includes(method.name) ? method.object : undefined;
    const name = target === undefined ? null : lastName(facts, target);
    if (name !== null) names.add(name);
  }
  return names;
});

function lastName(facts: ModuleFacts, id: ValueId): string | null {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "name") return value.name;
  if (value?.kind === "member") return value.property ?? placeOf(facts, value.object);
  return null;
}

/** Values that are given to a name or attribute, or handed to the caller, by the value. */
const keptValues = onceFor((facts): ReadonlyMap<ValueId, readonly (string | null)[]> => {
  const kept = new Map<ValueId, (string | null)[]>();
  const note = (value: ValueId | null, name: string | null): void => {
    if (value === null) return;
    const id = bare(facts, value);
    kept.set(id, [...(kept.get(id) ?? []), name]);
  };
  for (const { body } of facts.functions) {
    for (const statement of statementsIn(body)) {
      if (statement.kind === "assign") for (const target of statement.targets) note(statement.value, lastName(facts, target) ?? "?");
      else if (statement.kind === "return") note(statement.value, null);
    }
  }
  return kept;
});

/** Whether a timer is cleared in the module, or handed to whoever asked for it. */
export function isCleared(facts: ModuleFacts, call: CallId): boolean {
  const result = chained(facts, resultOf(facts, call));
  const names = result < 0 ? [] : keptValues(facts).get(result) ?? [];
  if (names.some((name) => name === null || clearedNames(facts).has(name))) return true;
  // Handed on in a table or a call: somebody else's to clear.
  return result >= 0 && names.length === 0 && isHandedOn(facts, result);
}

/** The result of `setInterval(…).unref()` is the timer itself. */
function chained(facts: ModuleFacts, result: ValueId): ValueId {
  const parents = parentsOf(facts);
  let current = result;
  for (let step = 0; step < 4 && current >= 0; step++) {
    const member = parents[current] ?? -1;
    const call = parents[member] ?? -1;
    if (facts.values[member]?.kind !== "member" || facts.values[call]?.kind !== "call") return current;
    current = call;
  }
  return current;
}

const handedOn = onceFor((facts): ReadonlySet<ValueId> => new Set([
  ...facts.calls.flatMap((call) => call.arguments.map((argument) => argument.value)),
  ...facts.values.flatMap((value) => (value.kind === "table" ? value.entries.map((entry) => entry.value) : value.kind === "list" ? value.items : [])),
]));

function isHandedOn(facts: ModuleFacts, result: ValueId): boolean {
  return handedOn(facts).has(result);
}
