import type { ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { bare, callsApi, childrenOf } from "../expressions.ts";
import { methodOf, placeOf, calledName } from "./places.ts";
import { CLOCK_METHODS, CLOCKS, LOOPS } from "./vocabulary.ts";

type Binary = Extract<Value, { kind: "binary" }>;

interface Reading {
  readonly facts: ModuleFacts;
  readonly given: (place: string) => readonly ValueId[];
}

/** Whether a call reads a clock. */
export function isClock(facts: ModuleFacts, id: number): boolean {
  const call = facts.calls[id];
  if (call === undefined) return false;
  if (callsApi(call, CLOCKS)) return true;
  const method = methodOf(facts, call);
  // `from .metrics import time`: the project's own clock.
  if (method === null) return call.arguments.length === 0 && LOOPS.clocks.functions.includes(calledName(facts, call)) && facts.values[bare(facts, call.callee)]?.kind === "name";
  if (CLOCK_METHODS.has(method.name)) return true;
  const object = facts.values[bare(facts, method.object)];
  const on = object?.kind === "call" ? calledName(facts, facts.calls[object.call]!) : object?.kind === "name" ? object.name : object?.kind === "member" ? object.property ?? "" : "";
  // `reactor.seconds()`, `this.clock.seconds()`.
  return (LOOPS.clocks.loop.includes(method.name) && /loop$/i.test(on)) || (LOOPS.clocks.reactor.includes(method.name) && /(?:reactor|clock)$/i.test(on));
}

/** Whether an expression reads a clock itself, or a name that the loop sets from one. */
function readsClock({ facts, given }: Reading, id: ValueId): boolean {
  const pending = [id];
  const seen = new Set<ValueId>();
  while (pending.length > 0 && seen.size < 64) {
    const current = pending.pop()!;
    const value = facts.values[current];
    if (value === undefined || seen.has(current)) continue;
    seen.add(current);
    if (value.kind === "call" && isClock(facts, value.call)) return true;
    if (value.kind === "name") {
      const place = placeOf(facts, current);
      if (place !== null) pending.push(...given(place));
    } else if (value.kind !== "function") pending.push(...childrenOf(facts, value));
  }
  return false;
}

/** Whether an expression reads something that was set before the round: a start, a deadline, a setting. */
function readsFixed({ facts, given }: Reading, id: ValueId): boolean {
  const pending = [id];
  const seen = new Set<ValueId>();
  while (pending.length > 0 && seen.size < 64) {
    const current = pending.pop()!;
    const value = facts.values[current];
    if (value === undefined || seen.has(current)) continue;
    seen.add(current);
    if (value.kind === "call") {
      const call = facts.calls[value.call]!;
      pending.push(...call.arguments.map((argument) => argument.value), ...(isClock(facts, value.call) ? [] : [call.callee]));
      continue;
    }
    const place = value.kind === "name" || value.kind === "member" ? placeOf(facts, current) : null;
    if (place === null) pending.push(...childrenOf(facts, value));
    else if (given(place).length > 0) pending.push(...given(place));
    else if (!place.startsWith(":")) return true;
  }
  return false;
}

/** The side of a comparison with a clock that no clock is read for: the limit. Null where no clock takes part. */
export function isClockTest(reading: Reading, { left, right }: Binary): ValueId | null {
  // What is only measured in the round and compared to a number says how long the round took.
  if (!readsFixed(reading, left) && !readsFixed(reading, right)) return null;
  if (readsClock(reading, left)) return right;
  return readsClock(reading, right) ? left : null;
}

/**
 * Whether a comparison with a clock that holds by `operator` says that the time has not come: `now < deadline`,
 * `deadline - now > 0`. Where it has come nothing is waited for, whatever is done then.
 */
export function isBeforeLimit(reading: Reading, { left, right }: Binary, operator: string): boolean {
  const isLeft = readsClock(reading, left);
  const isRising = clockRises(reading, isLeft ? left : right) === isLeft;
  return (isRising ? BEFORE : AFTER).has(operator);
}

const BEFORE = new Set(["<", "<="]);
const AFTER = new Set([">", ">="]);

/** Whether a number made from a clock grows as time passes: `now - start` does, `deadline - now` falls. */
function clockRises(reading: Reading, id: ValueId): boolean {
  const { facts, given } = reading;
  let current = bare(facts, id);
  let rises = true;
  for (let step = 0; step < 16; step++) {
    const value = facts.values[current];
    let next: ValueId | undefined;
    if (value?.kind === "binary") {
      const isRight = !readsClock(reading, value.left);
      if (isRight && value.operator === "-") rises = !rises;
      next = isRight ? value.right : value.left;
    } else if (value?.kind === "name") {
      const place = placeOf(facts, current);
      next = (place === null ? [] : given(place)).find((each) => readsClock(reading, each));
    } else if (value?.kind === "call" && !isClock(facts, value.call)) {
      const call = facts.calls[value.call]!;
      next = call.arguments.map((argument) => argument.value).find((each) => readsClock(reading, each)) ?? methodOf(facts, call)?.object;
    } else if (value?.kind === "member") next = value.object;
    if (next === undefined) return rises;
    current = bare(facts, next);
  }
  return rises;
}

/** How long one round took: both ends are read in the round, so nothing adds up. */
export function isSpanOfOneRound(reading: Reading, value: Binary): boolean {
  const { facts } = reading;
  for (const side of [value.left, value.right]) {
    let current = bare(facts, side);
    for (let step = 0; step < 4; step++) {
      const found = facts.values[current];
      if (found?.kind === "name") {
        const place = placeOf(facts, current);
        const last = place === null ? undefined : reading.given(place).at(-1);
        if (last === undefined) break;
        current = bare(facts, last);
        continue;
      }
      if (found?.kind !== "binary" || found.operator !== "-") break;
      if (readsClock(reading, found.left) && readsClock(reading, found.right)) return true;
      current = bare(facts, found.left);
    }
  }
  return false;
}
