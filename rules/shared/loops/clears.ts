import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare, callsApi, childrenOf, parentsOf } from "../expressions.ts";
import { onceFor, resultOf } from "../indexes.ts";
import { statementsIn } from "../statements.ts";
import { calledName, methodOf } from "./places.ts";
import { LOOPS } from "./vocabulary.ts";

/** Places whose timers the module clears somewhere, by the last name: the clean-up may know the object by another name. */
const clearedNames = onceFor((facts): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const call of facts.calls) {
    const method = methodOf(facts, call);
    const isClear = callsApi(call, LOOPS.timers.clears) || LOOPS.timers.clears.some((api) => api.endsWith(`.${calledName(facts, call)}`));
    const target = isClear ? call.arguments[0]?.value : method !== null && LOOPS.timers.clearMethods.includes(method.name) ? method.object : undefined;
    for (const name of target === undefined ? [] : namesFor(facts, target)) names.add(name);
  }
  return names;
});

/** The name that is cleared; of a loop's variable also those of what is gone through. */
function namesFor(facts: ModuleFacts, target: ValueId): readonly string[] {
  const name = lastName(facts, target);
  const value = facts.values[bare(facts, target)];
  const walked = value?.kind === "name" ? walkedBy(facts).get(value.binding) ?? [] : [];
  return [...(name === null ? [] : [name]), ...walked.flatMap((each) => namesWithin(facts, each))];
}

/** What the loops of the module go through, by the variable. */
const walkedBy = onceFor((facts): ReadonlyMap<number, readonly ValueId[]> => {
  const walked = new Map<number, ValueId[]>();
  for (const { body } of facts.functions) {
    for (const statement of statementsIn(body)) {
      if (statement.kind !== "loop" || statement.iterable === null) continue;
      for (const target of statement.targets) {
        const value = facts.values[target];
        if (value?.kind === "name") walked.set(value.binding, [...(walked.get(value.binding) ?? []), statement.iterable]);
      }
    }
  }
  return walked;
});

function namesWithin(facts: ModuleFacts, id: ValueId): string[] {
  const names: string[] = [];
  const pending = [id];
  for (let steps = 0; pending.length > 0 && steps < 40; steps++) {
    const value = facts.values[pending.pop()!];
    if (value?.kind === "name") names.push(value.name);
    if (value?.kind === "member" && value.property !== null) names.push(value.property);
    if (value !== undefined) pending.push(...childrenOf(facts, value));
  }
  return names;
}

/** The last name of a place; `timers[key]` is kept in the table `timers`. */
function lastName(facts: ModuleFacts, id: ValueId): string | null {
  let current = id;
  for (let step = 0; step < 8; step++) {
    const value = facts.values[bare(facts, current)];
    if (value?.kind === "name") return value.name;
    if (value?.kind !== "member") return null;
    if (value.property !== null) return value.property;
    current = value.object;
  }
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

/** Whether what a call gives, such as a task, is kept by a name that the module cancels somewhere. */
export function isCancelled(facts: ModuleFacts, call: CallId): boolean {
  return isKeptIn(facts, call, clearedNames(facts));
}

function isKeptIn(facts: ModuleFacts, call: CallId, names: ReadonlySet<string>): boolean {
  const result = resultOf(facts, call);
  return result >= 0 && (keptValues(facts).get(result) ?? []).some((name) => name !== null && names.has(name));
}

/** Places whose timers go on no longer than what the process lives for. */
const detachedNames = onceFor((facts): ReadonlySet<string> => new Set(facts.calls.flatMap((call) => {
  const method = methodOf(facts, call);
  return method?.name === "unref" ? lastName(facts, method.object) ?? [] : [];
})));

/** `this.timer = setInterval(check, 1000); this.timer.unref()`. */
export function isDetachedByName(facts: ModuleFacts, call: CallId): boolean {
  return isKeptIn(facts, call, detachedNames(facts));
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
