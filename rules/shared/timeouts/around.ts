import { functionsOf } from "@agentgate/parsers";
import type { Call, CallId, FunctionId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { callersOf, isPrivate } from "../callers.ts";
import { consumerOf, readsOf } from "../consumers.ts";
import { originsOf, parentsOf } from "../expressions.ts";
import { callsWrittenIn, idOfCall, onceFor, resultOf, takers } from "../indexes.ts";
import { callPlaces } from "../statements.ts";
import type { Place } from "../statements.ts";
import { isAlarm, isLimit, saysLimit } from "./defaults.ts";
import { lastName } from "./options.ts";
import { isSettledByTimer } from "./timers.ts";

const MOST_STEPS = 64;

/** So many functions up a limit is looked for. */
const MOST_CALLERS = 3;

/**
 * Whether something around a call limits how long it may take: what it is handed to (`wait_for`, `Promise.race`), a
 * `with` around it, an alarm, a decorator of its function, or the call that its function is handed to. Where only the
 * file can call its function, that may stand around each of the calls of it.
 */
export function isLimitedAround(facts: ModuleFacts, id: CallId): boolean {
  return isLimitedWithin(facts, id, MOST_CALLERS);
}

function isLimitedWithin(facts: ModuleFacts, id: CallId, functions: number): boolean {
  let current = id;
  for (let step = 0; step < MOST_STEPS; step++) {
    const call = facts.calls[current];
    if (call === undefined) return false;
    if (isHandedToLimit(facts, resultOf(facts, current)) || isInsideLimit(facts, callPlaces(facts, call.function).get(current))) return true;
    if (functionHasLimit(facts, call.function) || isSettledByTimer(facts, call.function)) return true;
    const next = takenBy(facts, call.function);
    if (next === null) return functions > 0 && areCallersLimited(facts, call.function, functions);
    if (limits(facts, facts.calls[next]!)) return true;
    current = next;
  }
  return false;
}

function areCallersLimited(facts: ModuleFacts, id: FunctionId, functions: number): boolean {
  const callers = callersOf(facts, id);
  return callers.length > 0 && callers.length <= MOST_STEPS && isPrivate(facts, id, callers)
    && callers.every((caller) => isLimitedWithin(facts, idOfCall(facts, caller), functions - 1));
}

/** The call that is given the function written in place, or one around it. */
function takenBy(facts: ModuleFacts, id: FunctionId): CallId | null {
  const taker = takers(facts).get(id);
  return taker === undefined ? null : idOfCall(facts, taker);
}

/** `wait_for(call(), 5)`, `race([call(), late])`; also by the name that the result is given. */
function isHandedToLimit(facts: ModuleFacts, result: ValueId): boolean {
  const pending = [result];
  for (let step = 0; pending.length > 0 && step < MOST_STEPS; step++) {
    const parents = parentsOf(facts);
    let last = pending.pop()!;
    for (let id = last, up = 0; id >= 0 && up < MOST_STEPS; id = parents[id]!, up++) {
      const value = facts.values[id]!;
      if (id !== last && value.kind === "call" && limits(facts, facts.calls[value.call]!)) return true;
      last = id;
    }
    const statement = consumerOf(facts, last);
    const target = statement?.kind === "assign" ? facts.values[statement.targets[0] ?? -1] : undefined;
    if (step === 0 && target?.kind === "name" && target.binding >= 0) pending.push(...readsOf(facts, target.binding).slice(0, MOST_STEPS));
  }
  return false;
}

function isInsideLimit(facts: ModuleFacts, place: Place | undefined): boolean {
  for (let at = place ?? null; at !== null; at = at.above) {
    const statement = at.body[at.index];
    if (statement?.kind === "with" && statement.items.some((item) => originsOf(facts, item).values.some((origin) => isLimitValue(facts, facts.values[origin])))) return true;
  }
  return false;
}

function isLimitValue(facts: ModuleFacts, value: Value | undefined): boolean {
  return value?.kind === "call" && limits(facts, facts.calls[value.call]!);
}

function functionHasLimit(facts: ModuleFacts, id: FunctionId): boolean {
  const decorators = facts.functions[id]?.decorators ?? [];
  return decorators.some((decorator) => isLimitValue(facts, facts.values[decorator]) || saysLimit(lastName(facts, decorator))) || limitedFunctions(facts).has(id) || alarmed(facts).has(id);
}

/** Functions with `signal.alarm(5)` in them: the system interrupts what they wait for. */
const alarmed = onceFor((facts): ReadonlySet<FunctionId> => new Set(facts.functions.flatMap((_, id) => (callsWrittenIn(facts, id).some((call) => facts.calls[call]!.references.some(isAlarm)) ? [id] : []))));

/** Functions of the file that are handed to a limit, or whose call is: `wait_for(self._open(), 5)`. */
const limitedFunctions = onceFor((facts): ReadonlySet<FunctionId> => new Set(facts.calls.flatMap((call) => (limits(facts, call) ? call.arguments.flatMap(({ value }) => run(facts, value)) : []))));

function run(facts: ModuleFacts, id: ValueId): readonly FunctionId[] {
  const value = facts.values[id];
  if (value?.kind === "list") return value.items.flatMap((item) => run1(facts, item));
  return run1(facts, id);
}

function run1(facts: ModuleFacts, id: ValueId): readonly FunctionId[] {
  const value = facts.values[id];
  if (value?.kind === "call") return functionsOf(facts, facts.calls[value.call]!.callee);
  return value?.kind === "name" || value?.kind === "member" || value?.kind === "function" ? functionsOf(facts, id) : [];
}

function limits(facts: ModuleFacts, call: Call): boolean {
  return call.references.some((reference) => isLimit(facts.language, reference)) || (call.arguments.length > 0 && saysLimit(lastName(facts, call.callee)));
}
