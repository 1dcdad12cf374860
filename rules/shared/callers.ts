import { constantsOf, functionsOf, occurrencesOf } from "@agentgate/parsers";
import type { Call, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentOf } from "./arguments.ts";
import { bare } from "./expressions.ts";
import { onceFor } from "./indexes.ts";
import { isOnlyToldItsName } from "./only-named.ts";

const callersByFunction = onceFor((facts): ReadonlyMap<FunctionId, readonly Call[]> => {
  const index = new Map<FunctionId, Call[]>();
  for (const call of facts.calls) {
    for (const callee of functionsOf(facts, call.callee)) {
      const list = index.get(callee);
      if (list === undefined) index.set(callee, [call]);
      else list.push(call);
    }
  }
  return index;
});

/** A function itself, or the nearest one around it that has a name; 0 for the module. */
export function namedAround(facts: ModuleFacts, id: FunctionId): FunctionId {
  let current = id;
  while (current > 0 && facts.functions[current]!.name === "") current = facts.functions[current]!.parent;
  return current;
}

/** The calls of the file that can run a function of it. */
export function callersOf(facts: ModuleFacts, id: FunctionId): readonly Call[] {
  return callersByFunction(facts).get(id) ?? [];
}

/**
 * What the callers give for a parameter of a function that only this file can call, where all of them give a
 * constant or such a parameter of their own; null otherwise.
 */
export function givenByCallers(facts: ModuleFacts, argument: ValueId): readonly string[] | null {
  return givenWithin(facts, argument, 0, { left: MOST_CALLS });
}

/** Functions through which a parameter is followed. */
const MOST_FUNCTIONS = 4;
/** Calls that are looked at beyond those of the function itself: each of them may have as many callers again. */
const MOST_CALLS = 1000;

function givenWithin(facts: ModuleFacts, argument: ValueId, depth: number, budget: { left: number }): readonly string[] | null {
  const value = facts.values[bare(facts, argument)];
  const binding = value?.kind === "name" ? facts.bindings[value.binding] : undefined;
  const parameter = binding?.values.length === 1 ? facts.values[binding.values[0]!] : undefined;
  if (binding === undefined || parameter?.kind !== "parameter") return null;
  const callers = callersByFunction(facts).get(parameter.function) ?? [];
  if (callers.length === 0 || !isPrivate(facts, parameter.function, callers)) return null;
  const texts: string[] = [];
  const bound = takesItself(facts, parameter.function) ? 1 : 0;
  for (const call of callers) {
    if (depth > 0 && budget.left-- <= 0) return null;
    const given = argumentOf(facts, call, parameter.index - bound, binding.name);
    const known = typeof given === "number" ? textsGiven(facts, given, depth, budget) : null;
    if (known === null) return null;
    texts.push(...known);
  }
  return texts;
}

function textsGiven(facts: ModuleFacts, given: ValueId, depth: number, budget: { left: number }): readonly string[] | null {
  const constants = constantsOf(facts, given);
  if (constants !== null) return constants.map(({ value }) => String(value));
  return depth < MOST_FUNCTIONS ? givenWithin(facts, given, depth + 1, budget) : null;
}

/** Python's methods have their object as a parameter of its own. */
function takesItself(facts: ModuleFacts, id: FunctionId): boolean {
  const subject = facts.functions[id];
  return facts.language === "python" && subject?.class !== -1 && subject?.static !== true;
}

/** Whether only this file can call a function: not exported (in Python, by its underscore) and never handed on. */
export function isPrivate(facts: ModuleFacts, id: FunctionId, callers: readonly Call[]): boolean {
  const subject = facts.functions[id];
  if (subject === undefined || subject.name === "") return false;
  const callees = new Set(callers.map((call) => call.callee));
  if (subject.class !== -1) return isHidden(subject.name) && mentions(facts, subject.name).every((mention) => callees.has(mention));
  const binding = facts.scopes[facts.functions[subject.parent]?.scope ?? 0]?.names[subject.name];
  if (binding === undefined || (subject.parent === 0 && isOffered(facts, subject.name))) return false;
  return occurrencesOf(facts, binding).every((occurrence) => callees.has(occurrence) || isOnlyToldItsName(facts, occurrence));
}

const mentionsByName = onceFor((facts): ReadonlyMap<string, readonly ValueId[]> => {
  const index = new Map<string, ValueId[]>();
  facts.values.forEach((value, id) => {
    if (value.kind !== "member" || value.property === null) return;
    const list = index.get(value.property);
    if (list === undefined) index.set(value.property, [id]);
    else list.push(id);
  });
  return index;
});

/** Every `object.name` of the file. */
function mentions(facts: ModuleFacts, name: string): readonly ValueId[] {
  return mentionsByName(facts).get(name) ?? [];
}

function isOffered(facts: ModuleFacts, name: string): boolean {
  if (facts.language === "python") return !isHidden(name);
  return facts.exports.some((entry) => entry.name === name);
}

function isHidden(name: string): boolean {
  return name.startsWith("#") || (name.startsWith("_") && !name.startsWith("__"));
}
