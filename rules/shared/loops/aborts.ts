import { functionsOf } from "@agentgate/parsers";
import type { Call, CallId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { bare, callsApi, isApi, originsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { statementsIn } from "../statements.ts";
import { methodOf, placeOf } from "./places.ts";
import { LOOPS } from "./vocabulary.ts";

const { limits, joins, controllers, timers } = LOOPS.aborts;

/** Whether `signal`, `signal.aborted` or `controller.signal` is aborted after a time that the code itself sets. */
export function isLimitedAbort(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "member" && value.property === "aborted" && isLimitedSignal(facts, value.object);
}

/** A signal that a limit of the code aborts. A caller's or a user's is none. */
export function isLimitedSignal(facts: ModuleFacts, id: ValueId): boolean {
  const pending = [...originsOf(facts, id).values];
  for (let steps = 0; pending.length > 0 && steps < 32; steps++) {
    const current = pending.pop()!;
    const value = facts.values[current];
    if (value?.kind === "call") {
      const call = facts.calls[value.call]!;
      if (callsApi(call, limits)) return true;
      if (callsApi(call, joins)) pending.push(...joined(facts, call).flatMap((each) => originsOf(facts, each).values));
    } else if (value?.kind === "member" && value.property === "signal" && isTimedController(facts, value.object)) return true;
  }
  return false;
}

function joined(facts: ModuleFacts, call: Call): readonly ValueId[] {
  const list = facts.values[call.arguments[0]?.value ?? -1];
  return list?.kind === "list" ? list.items : [];
}

/** A controller made here that a timer of this module aborts. */
function isTimedController(facts: ModuleFacts, id: ValueId): boolean {
  const isMade = originsOf(facts, id).values.some((origin) => {
    const value = facts.values[origin];
    return value?.kind === "call" && isApi(facts, facts.calls[value.call]!.callee, controllers);
  });
  const place = placeOf(facts, id);
  return isMade && place !== null && abortedByTimers(facts).has(place);
}

const abortedByTimers = onceFor((facts): ReadonlySet<string> => {
  const aborted = new Set<string>();
  const timed = new Set(facts.calls.flatMap((call) => (callsApi(call, timers) ? functionsOf(facts, call.arguments[0]?.value ?? -1) : [])));
  if (timed.size === 0) return aborted;
  for (const call of facts.calls) {
    const method = methodOf(facts, call);
    const place = method?.name === "abort" && timed.has(call.function) ? placeOf(facts, method.object) : null;
    if (place !== null) aborted.add(place);
  }
  return aborted;
});

/** `Promise.race([fetch(url), timedOut])` with a promise that a timer settles. */
export function isTimedRace(facts: ModuleFacts, call: Call): boolean {
  if (!callsApi(call, LOOPS.races.apis)) return false;
  const raced = facts.values[bare(facts, call.arguments[0]?.value ?? -1)];
  return raced?.kind === "list" && raced.items.some((item) => isTimedPromise(facts, item));
}

/** The calls whose promises race a timer: what goes wrong with them comes out of the race. */
export const racedCalls = onceFor((facts): ReadonlySet<CallId> => new Set(facts.calls.flatMap((call) => {
  if (!isTimedRace(facts, call)) return [];
  const raced = facts.values[bare(facts, call.arguments[0]!.value)];
  return raced?.kind === "list" ? raced.items.flatMap((item) => callAt(facts, item)) : [];
})));

function callAt(facts: ModuleFacts, id: ValueId): CallId[] {
  const value = facts.values[id];
  return value?.kind === "call" ? [value.call] : [];
}

/** A promise that was made before, under a name: one made in the race begins anew in each round. */
function isTimedPromise(facts: ModuleFacts, id: ValueId): boolean {
  if (facts.values[bare(facts, id)]?.kind !== "name") return false;
  return originsOf(facts, id).values.some((origin) => {
    const value = facts.values[origin];
    const made = value?.kind === "call" ? facts.calls[value.call]! : null;
    if (made?.construct !== true) return false;
    const bodies = new Set(functionsOf(facts, made.arguments[0]?.value ?? -1));
    return [...bodies].some((body) => facts.functions[body]!.body.some((statement) => callsTimer(facts, statement)));
  });
}

function callsTimer(facts: ModuleFacts, statement: Statement): boolean {
  return statementsIn([statement]).some((each) => each.kind === "call" && callsApi(facts.calls[each.call]!, timers));
}
