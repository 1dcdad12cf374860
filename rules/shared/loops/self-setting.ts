import type { Call, CallId, FunctionId, ModuleFacts } from "@agentgate/parsers";
import { bare, callsApi } from "../expressions.ts";
import { returnsBecauseOf } from "./deciders.ts";
import { calledName } from "./places.ts";
import { LOOPS } from "./vocabulary.ts";

const { timers } = LOOPS;

/** A timer of either language that runs something once. */
export function isTimerCall(call: Call, facts: ModuleFacts): boolean {
  return callsApi(call, timers.once) || callsApi(call, timers.pythonOnce) || timers.pythonOnceMethods.includes(calledName(facts, call));
}

/**
 * Whether timers by which a function has itself called are the schedule of a service: it pauses, and goes on after a
 * success as after an error. One that a success ends is a retry, and one that does not pause works like a loop.
 */
export function isSchedule(facts: ModuleFacts, id: FunctionId, again: readonly CallId[], calls: readonly CallId[]): boolean {
  const acts = new Set(calls);
  return again.some((call) => isTimerCall(facts.calls[call]!, facts) && hasPause(facts, call) && !returnsBecauseOf(facts, id, acts, call));
}

/** `setTimeout(run, delay)`, `Timer(30, run)`; not `setTimeout(run, 0)` nor `setImmediate(run)`. */
function hasPause(facts: ModuleFacts, id: CallId): boolean {
  const call = facts.calls[id]!;
  const delay = call.arguments[callsApi(call, timers.once) ? 1 : 0];
  if (delay === undefined) return false;
  const value = facts.values[bare(facts, delay.value)];
  return value?.kind !== "number" || value.value > 0;
}
