import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { sqlOf } from "../effects/statements.ts";
import { bare, originsOf, parentsOf } from "../expressions.ts";
import { resultOf } from "../indexes.ts";
import { alwaysLeaves, callPlaces } from "../statements.ts";
import type { UsePlace } from "./uses.ts";

/** Whether a test in its function decides of a call: it stands in a branch, or after one that leaves. */
export function isDecided(facts: ModuleFacts, id: CallId): boolean {
  const call = facts.calls[id]!;
  for (let place = callPlaces(facts, call.function).get(id) ?? null; place !== null; place = place.above) {
    if (place.above?.body[place.above.index]?.kind === "test") return true;
    const leaves = place.body.slice(0, place.index).some((earlier) => earlier.kind === "test" && (alwaysLeaves(earlier.then) || alwaysLeaves(earlier.else)));
    if (leaves) return true;
  }
  return false;
}

/**
 * Whether a call of the function around a call surely comes to it: nothing there tests, repeats, catches or only may take up
 * what the call stands in.
 */
export function isOnEveryWay(facts: ModuleFacts, id: CallId): boolean {
  const call = facts.calls[id]!;
  const { kind, generator } = facts.functions[call.function]!;
  if (kind === "initializer" || generator === true || isDecided(facts, id) || isOnSomeWays(facts, resultOf(facts, id))) return false;
  for (let place = callPlaces(facts, call.function).get(id) ?? null; place !== null; place = place.above) {
    const above = place.above?.body[place.above.index];
    if (above?.kind === "loop" || (above?.kind === "try" && above.body !== place.body && above.finally !== place.body)) return false;
    if (place.body.slice(0, place.index).some(({ kind: earlier }) => earlier === "return" || earlier === "jump")) return false;
  }
  return true;
}

/** In a part of an expression that is not worked out each time: `ready && send()`. */
function isOnSomeWays(facts: ModuleFacts, id: ValueId): boolean {
  const parents = parentsOf(facts);
  for (let current = id, step = 0; current !== -1 && step < MOST_STEPS; step++) {
    const parent = parents[current] ?? -1;
    const around = facts.values[parent];
    if (around?.kind === "conditional" || around?.kind === "comprehension" || (around?.kind === "logical" && around.left !== current)) return true;
    current = parent;
  }
  return false;
}

const MOST_STEPS = 32;

/** Whether a call hands over text that is written out, and so may decide in the function that it is for: `run("list")`, `ask(mode="dry")`. */
export function handsText({ facts, call }: UsePlace): boolean {
  return facts.calls[call]!.arguments.some(({ value }) => {
    const given = facts.values[bare(facts, value)];
    if (given?.kind === "table") return given.entries.some((entry) => isText(facts, entry.value));
    return isText(facts, value);
  });
}

function isText(facts: ModuleFacts, id: ValueId): boolean {
  const { values, complete } = originsOf(facts, id);
  return complete && values.length > 0 && values.every((origin) => facts.values[origin]!.kind === "string");
}

/** Whether a call hands over text of SQL that reads: what commits whatever it is handed writes nothing by it. */
export function handsQuery({ facts, call }: UsePlace): boolean {
  return facts.calls[call]!.arguments.some(({ value }) => sqlOf(facts, value) === "read");
}
