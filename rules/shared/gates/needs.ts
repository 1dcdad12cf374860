import { constantsOf } from "@agentgate/parsers";
import type { Call, CallId, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentOf, parametersBefore } from "../arguments.ts";
import { chainEnd } from "../effects/chain.ts";
import { isSafeVerb, verbArgument } from "../effects/verbs.ts";
import { bare } from "../expressions.ts";
import { alwaysLeaves, callPlaces } from "../statements.ts";
import type { Module } from "./ends.ts";

/** A parameter of a function, or a property of it: `options.create`, `{ create = false }`. */
interface Handed {
  readonly function: FunctionId;
  readonly index: number;
  readonly property: string | null;
  /** What a pattern puts in the place of nothing. */
  readonly otherwise: ValueId | null;
}

/** What must be handed to the function around a call, that the call be made. */
export interface Need {
  readonly of: Handed;
  readonly allows: (constant: unknown) => boolean;
}

/** What the tests before a call, and the verb of a request, need of the parameters of the functions around it. */
export function needsOf(facts: ModuleFacts, id: CallId): readonly Need[] {
  const call = facts.calls[id]!;
  const needs: Need[] = [];
  for (let place = callPlaces(facts, call.function).get(id) ?? null; place !== null; place = place.above) {
    const above = place.above?.body[place.above.index];
    if (above?.kind === "test") needs.push(...needsOfTest(facts, above.test, above.then === place.body));
    for (const earlier of place.body.slice(0, place.index)) {
      if (earlier.kind !== "test") continue;
      if (alwaysLeaves(earlier.then)) needs.push(...needsOfTest(facts, earlier.test, false));
      else if (alwaysLeaves(earlier.else)) needs.push(...needsOfTest(facts, earlier.test, true));
    }
  }
  return [...needs, ...needsOfVerb(facts, call)];
}

function needsOfVerb(facts: ModuleFacts, call: Call): readonly Need[] {
  const verb = verbArgument(facts, call, chainEnd(facts, call.callee));
  const of = verb === null ? null : handedFor(facts, verb);
  return of === null ? [] : [{ of, allows: (constant) => !isSafeVerb(constant) }];
}

const MOST_ATOMS = 32;

/** What a test needs of parameters to come out so: all parts of a conjunction that holds, and of a disjunction that does not. */
function needsOfTest(facts: ModuleFacts, test: ValueId, outcome: boolean): readonly Need[] {
  const needs: Need[] = [];
  const pending = [{ id: test, outcome }];
  for (let next = pending.pop(); next !== undefined && needs.length < MOST_ATOMS; next = pending.pop()) {
    const value = facts.values[next.id];
    if (value?.kind === "unary" && value.operator === "not") pending.push({ id: value.value, outcome: !next.outcome });
    else if (value?.kind === "logical" && value.operator === (next.outcome ? "and" : "or")) {
      pending.push({ id: value.left, outcome: next.outcome }, { id: value.right, outcome: next.outcome });
    } else {
      const need = value?.kind === "binary" ? needOfComparison(facts, value, next.outcome) : needOfTruth(facts, next.id, next.outcome);
      if (need !== null) needs.push(need);
    }
  }
  return needs;
}

function needOfTruth(facts: ModuleFacts, id: ValueId, outcome: boolean): Need | null {
  const of = handedFor(facts, id);
  return of === null ? null : { of, allows: (constant) => Boolean(constant) === outcome };
}

const SAME = new Set(["==", "===", "is"]);
const OTHER = new Set(["!=", "!==", "is not"]);

function needOfComparison(facts: ModuleFacts, { operator, left, right }: { readonly operator: string; readonly left: ValueId; readonly right: ValueId }, outcome: boolean): Need | null {
  const of = handedFor(facts, left);
  const constants = constantsOf(facts, right);
  if (of === null || constants?.length !== 1 || (!SAME.has(operator) && !OTHER.has(operator))) return null;
  const isSame = SAME.has(operator) === outcome;
  const [{ value }] = constants as [{ readonly value: unknown }];
  return { of, allows: (constant) => (constant === value) === isSame };
}

const MOST_STEPS = 6;

/** The parameter that an expression is, by names that are given nothing else; null where it is none. */
function handedFor(facts: ModuleFacts, id: ValueId): Handed | null {
  let current = id;
  let property: string | null = null;
  let otherwise: ValueId | null = null;
  for (let step = 0; step < MOST_STEPS; step++) {
    const value = facts.values[bare(facts, current)];
    if (value?.kind === "parameter") return { function: value.function, index: value.index, property, otherwise };
    if (value?.kind === "name") {
      const binding = facts.bindings[value.binding];
      if (binding === undefined || binding.rebound === true || binding.values.length !== 1) return null;
      [current] = binding.values as [ValueId];
    } else if (value?.kind === "member" && value.property !== null && property === null) {
      ({ property, object: current } = value);
    } else if (value?.kind === "logical" && value.operator === "??" && otherwise === null && property === null) {
      ({ left: current, right: otherwise } = value);
    } else return null;
  }
  return null;
}

/** Whether what a call hands to a function keeps something in it from happening: one of the needs is surely not met. */
export function keepsFrom(needs: readonly Need[], subject: Module & { readonly id: FunctionId }, place: { readonly facts: ModuleFacts; readonly call: CallId }): boolean {
  return needs.some(({ of, allows }) => {
    if (of.function !== subject.id) return false;
    const constants = handedBy(of, subject, place.facts, place.facts.calls[place.call]!);
    return constants !== null && constants.length > 0 && !constants.some(allows);
  });
}

const NOTHING: readonly unknown[] = [null];

/** The constants that a call hands over, or those by default; null where they are not known. */
function handedBy(of: Handed, subject: Module & { readonly id: FunctionId }, facts: ModuleFacts, call: Call): readonly unknown[] | null {
  const owner = subject.facts.functions[subject.id]!;
  const parameter = owner.parameters[of.index];
  if (parameter === undefined || parameter.kind === "rest" || parameter.kind === "keyword-rest") return null;
  const isPython = subject.facts.language === "python";
  const index = parameter.kind === "keyword" ? null : of.index - parametersBefore(subject.facts, owner);
  const given = argumentOf(facts, call, index, isPython ? parameter.name : null);
  if (given === "unknown") return null;
  if (typeof given === "number") return constantsIn(facts, given, of.property) ?? (of.property === null ? null : byPattern(of, subject.facts, facts, given));
  if (parameter.default !== null) return of.property === null ? constantsIn(subject.facts, parameter.default, null) : byPattern(of, subject.facts, subject.facts, parameter.default);
  return isPython || of.property !== null ? null : NOTHING;
}

/** The constants of an expression, or of an entry of the table that it is. */
function constantsIn(facts: ModuleFacts, id: ValueId, property: string | null): readonly unknown[] | null {
  if (property === null) return constantsOf(facts, id)?.map(({ value }) => value) ?? (isUndefined(facts, id) ? NOTHING : null);
  const entry = entryOf(facts, id, property);
  return typeof entry === "number" ? constantsIn(facts, entry, null) : null;
}

/** A table without the entry: nothing, or what the pattern says. */
function byPattern(of: Handed, own: ModuleFacts, facts: ModuleFacts, table: ValueId): readonly unknown[] | null {
  const entry = entryOf(facts, table, of.property!);
  if (typeof entry === "number") return constantsIn(facts, entry, null);
  if (entry === "unknown") return null;
  return of.otherwise === null ? NOTHING : constantsIn(own, of.otherwise, null);
}

function entryOf(facts: ModuleFacts, id: ValueId, property: string): ValueId | "absent" | "unknown" {
  const table = facts.values[bare(facts, id)];
  if (table?.kind !== "table") return "unknown";
  let found: ValueId | "absent" = "absent";
  for (const { key, value } of table.entries) {
    const written = key === null ? undefined : facts.values[key];
    if (written?.kind !== "string") return "unknown";
    if (written.value === property) found = value;
  }
  return found;
}

/** `undefined`, `void 0`. */
function isUndefined(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  return (value?.kind === "name" && value.name === "undefined" && value.binding === -1) || (value?.kind === "unary" && value.operator === "void");
}
