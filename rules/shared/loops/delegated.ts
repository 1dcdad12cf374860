import { functionsOf } from "@agentgate/parsers";
import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import type { PlacedFunction } from "../effects/index.ts";
import { bare, childrenOf } from "../expressions.ts";
import { statementsIn } from "../statements.ts";
import type { Atom } from "./atoms.ts";
import type { Reading } from "./conditions.ts";
import { methodOf, placeOf } from "./places.ts";
import { testsOf } from "./witnesses.ts";

/** So many calls behind one test are asked what they are given. */
const MOST_CALLS = 4;
const MOST_PARTS = 24;

/**
 * The counters that a test leaves to a function: `if (!policy.allows(attempt)) throw error`, or a decision that one made
 * (`decision.retry`). Told for either outcome, so that only a test that leaves may count it.
 */
export function delegatedAtoms(reading: Reading, id: ValueId): Atom[] {
  const { facts } = reading;
  return callsBehind(reading, id).flatMap((call) => {
    const places = givenPlaces(facts, call);
    if (places.length === 0 || !reading.compares(call)) return [];
    return places.map(([place, value]) => ({ kind: "up" as const, place, constant: `left to ${String(call)}`, bound: { facts, path: null, value } }));
  });
}

/** The call of a test, or of the name or attribute that it asks; through calls that wait for another one. */
function callsBehind({ facts, given }: Reading, id: ValueId): CallId[] {
  let current = bare(facts, id);
  for (let step = 0; step < 4 && facts.values[current]?.kind === "member"; step++) {
    const value = facts.values[current]!;
    if (value.kind === "member") current = bare(facts, value.object);
  }
  const value = facts.values[current];
  const pending = value?.kind === "name" ? [...given(placeOf(facts, current) ?? "")] : [current];
  const calls: CallId[] = [];
  while (pending.length > 0 && calls.length < MOST_CALLS) {
    const each = facts.values[bare(facts, pending.pop()!)];
    if (each?.kind !== "call") continue;
    calls.push(each.call);
    pending.push(...facts.calls[each.call]!.arguments.map((argument) => argument.value));
  }
  return calls;
}

/** Variables that a call is given as they are, or in a table written there. */
function givenPlaces(facts: ModuleFacts, id: CallId): (readonly [string, ValueId])[] {
  const found: (readonly [string, ValueId])[] = [];
  const pending = facts.calls[id]!.arguments.map((argument) => argument.value);
  for (let parts = 0; pending.length > 0 && parts < MOST_PARTS; parts++) {
    const current = pending.pop()!;
    const value = facts.values[current];
    if (value?.kind === "name" || value?.kind === "member") {
      const place = placeOf(facts, current);
      if (place !== null) found.push([place, current]);
    } else if (value?.kind === "table") pending.push(...value.entries.map((entry) => entry.value));
  }
  return found;
}

const ORDERED = new Set(["<", "<=", ">", ">="]);
const MOST_CALLEES = 3;

/**
 * Whether what a call runs may compare something to a limit: a function of the tree that does, or one that lies outside
 * and takes what it is given for that.
 */
export function mayCompare(facts: ModuleFacts, context: RuleContext, id: CallId): boolean {
  const callees = effectsOf(facts, context).callees(id).slice(0, MOST_CALLEES);
  if (callees.length > 0) return callees.some((callee) => expressionsOf(callee).some((each) => holdsOrder(callee.facts, each)));
  const call = facts.calls[id]!;
  // A method of what the code only knows by name, or a function that was handed in; a class or an effect decides nothing.
  if (functionsOf(facts, call.callee).length > 0 || call.construct === true || effectsOf(facts, context).reachedBy(id).length > 0) return false;
  return methodOf(facts, call) !== null || isMadeByCall(facts, call.callee);
}

/** `const again = policy.handler()`: a function that another one made, with a counter of its own. */
function isMadeByCall(facts: ModuleFacts, callee: ValueId): boolean {
  const value = facts.values[bare(facts, callee)];
  const values = value?.kind === "name" ? facts.bindings[value.binding]?.values ?? [] : [];
  return values.length > 0 && values.every((each) => facts.values[bare(facts, each)]?.kind === "call");
}

/** What a function tests, answers and keeps. */
function expressionsOf({ facts, function: id }: PlacedFunction): ValueId[] {
  const inside = statementsIn(facts.functions[id]?.body ?? []);
  return [...testsOf(null, inside), ...inside.flatMap((statement) => (statement.kind === "assign" ? [statement.value] : statement.kind === "return" && statement.value !== null ? [statement.value] : []))];
}

function holdsOrder(facts: ModuleFacts, id: ValueId): boolean {
  const pending = [id];
  for (let parts = 0; pending.length > 0 && parts < MOST_PARTS; parts++) {
    const value = facts.values[pending.pop()!];
    if (value?.kind === "binary" && ORDERED.has(value.operator)) return true;
    if (value !== undefined) pending.push(...childrenOf(facts, value));
  }
  return false;
}
