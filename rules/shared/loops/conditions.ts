import type { CallId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { bare, callsApi } from "../expressions.ts";
import { atomsFrom, both, either, NO_ATOMS } from "./atoms.ts";
import type { Atom, AtomKind, Atoms } from "./atoms.ts";
import { boundPlaces, isSetTest } from "./bounds.ts";
import { isBeforeLimit, isClockTest, isSpanOfOneRound } from "./clocks.ts";
import { isLimitedAbort } from "./aborts.ts";
import { delegatedAtoms } from "./delegated.ts";
import { isTestMode, isTestModeName, modeAtoms } from "./modes.ts";
import { constantText, countedIn, numberPlaces } from "./numbers.ts";
import { calledName, methodOf, placeOf } from "./places.ts";
import { SHRINKING, SIZES } from "./vocabulary.ts";

type Binary = Extract<Value, { kind: "binary" }>;

/** What a condition is read with. */
export interface Reading {
  readonly facts: ModuleFacts;
  /** What the functions that a call runs make sure of when the call comes out truthy or falsy. */
  readonly resultOf: (call: CallId, outcome: boolean) => Atoms;
  /** What a place is given inside the loop. */
  readonly given: (place: string) => readonly ValueId[];
  /** Whether what a call is given may be compared to a limit by what it runs. */
  readonly compares: (call: CallId) => boolean;
}

const MAX_DEPTH = 24;

/** Each a way in which a condition can come out. */
export type Cases = readonly Atoms[];

const UNTOLD: Cases = [NO_ATOMS];

/** What is made sure of where a condition came out as `outcome`, whichever way it did; null where it cannot. */
export function atomsOf(reading: Reading, id: ValueId, outcome: boolean): Atoms | null {
  return casesOf(reading, id, outcome).reduce<Atoms | null>((one, other) => either(one, other, boundPlaces), null);
}

/** The ways in which a condition can come out as `outcome`, with what each makes sure of; empty where it cannot. */
export function casesOf(reading: Reading, id: ValueId, outcome: boolean, depth = 0): Cases {
  const { facts } = reading;
  const value = facts.values[id];
  if (value === undefined || depth > MAX_DEPTH) return UNTOLD;
  switch (value.kind) {
    case "constant":
      return (value.value === true) === outcome ? UNTOLD : [];
    case "number":
      return (value.value !== 0) === outcome ? UNTOLD : [];
    case "unary":
      return value.operator === "not" ? casesOf(reading, value.value, !outcome, depth + 1) : UNTOLD;
    case "await":
    case "assigned":
      return casesOf(reading, value.value, outcome, depth + 1);
    case "logical":
      return ofLogical(reading, value, outcome, depth);
    case "binary":
      return ofComparison(reading, value, outcome, depth);
    default:
      return ofTruth(reading, id, value, outcome, depth);
  }
}

function ofLogical(reading: Reading, value: Extract<Value, { kind: "logical" }>, outcome: boolean, depth: number): Cases {
  const joined = value.operator === "??" ? "or" : value.operator;
  const left = casesOf(reading, value.left, outcome, depth + 1);
  const right = casesOf(reading, value.right, outcome, depth + 1);
  if ((joined === "and") === outcome) return crossed(left, right);
  // The right side is only asked where the left one came out the other way.
  return fewer([...left, ...crossed(casesOf(reading, value.left, !outcome, depth + 1), right)]);
}

/**
 * `isinstance(x, dict)`, `Array.isArray(x)`: asked twice of the same value it comes out the same. As a part of the place, so
 * that another value makes it unknown again.
 */
function kindPlace(facts: ModuleFacts, id: CallId): string | null {
  const call = facts.calls[id]!;
  const [first, second] = call.arguments;
  if (first === undefined || !callsApi(call, KIND_TESTS)) return null;
  const place = placeOf(facts, first.value);
  const kind = second === undefined ? "list" : placeOf(facts, second.value);
  return place === null || kind === null ? null : `${place}.?${kind}`;
}

const KIND_TESTS = ["builtins.isinstance", "globalThis.Array.isArray"];

interface Joined {
  readonly parts: readonly ValueId[];
  readonly isAll: boolean;
}

/** `all([a, b])`, `any((a, b))`, `[a, b].every(Boolean)`: a written list of tests that are joined. */
function joinedTests(facts: ModuleFacts, id: CallId): Joined | null {
  const call = facts.calls[id]!;
  const method = methodOf(facts, call);
  const [first] = call.arguments;
  if (first === undefined || call.arguments.length > 1) return null;
  const isAll = method === null ? callsApi(call, ["builtins.all"]) : method.name === "every";
  if (!isAll && !(method === null ? callsApi(call, ["builtins.any"]) : method.name === "some")) return null;
  if (method !== null && !callsBoolean(facts, first.value)) return null;
  const list = facts.values[bare(facts, method?.object ?? first.value)];
  return list?.kind === "list" && list.items.every((item) => facts.values[item]?.kind !== "spread") ? { parts: list.items, isAll } : null;
}

function callsBoolean(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  return value?.kind === "name" && value.name === "Boolean" && value.binding < 0;
}

function ofJoined(reading: Reading, { parts, isAll }: Joined, outcome: boolean, depth: number): Cases {
  const cases = parts.map((part) => casesOf(reading, part, outcome, depth + 1));
  // All of them came out like that, or one did and nothing tells which.
  return isAll === outcome ? cases.reduce(crossed, UNTOLD) : fewer(cases.flat());
}

const MOST_CASES = 6;

function crossed(left: Cases, right: Cases): Cases {
  return fewer(left.flatMap((one) => right.map((other) => both(one, other))));
}

/** Past six ways only what all of them make sure of is kept. */
function fewer(cases: Cases): Cases {
  if (cases.length <= MOST_CASES) return cases;
  return [cases.reduce((one, other) => either(one, other, boundPlaces)!)];
}

const NEGATED: Readonly<Record<string, string>> = {
  "<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "is": "is not", "is not": "is", "in": "not in", "not in": "in", "===": "!=", "!==": "==",
};

function ofComparison(reading: Reading, value: Binary, outcome: boolean, depth: number): Cases {
  const { facts } = reading;
  const operator = outcome ? value.operator : NEGATED[value.operator];
  if (operator === undefined) return UNTOLD;
  if (isTestMode(facts, value)) return [modeAtoms(facts, value, operator)];
  const found: Atom[] = [...clockAtoms(reading, value, operator)];
  const unset = isSetTest(facts, value, operator);
  if (unset !== null) found.push({ kind: "unset", place: unset.place, constant: unset.guard });
  if (operator === "in" || operator === "not in") {
    for (const place of collectionPlaces(facts, value.right)) found.push({ kind: operator === "in" ? "shrinks" : "grows", place, constant: "member" });
    return [atomsFrom(found)];
  }
  const constant = constantText(facts, value.right) ?? constantText(facts, value.left);
  const tested = constantText(facts, value.right) === null && constant !== null ? value.right : value.left;
  // `rounds < self.most` with an attribute that is nothing unless somebody sets it: ordered is a number, whatever it is now.
  if (!ORDERING.has(operator) && (constant === "null" || constant === "true" || constant === "false")) {
    return crossed([atomsFrom(found)], ofConstantTest(reading, tested, operator, constant, depth));
  }
  found.push(...delegatedAtoms(reading, value.left), ...delegatedAtoms(reading, value.right));
  found.push(...ofNumbers(facts, value, operator), ...ofCounted(reading, value, operator), ...ofEquality(facts, value, operator, constant, tested), ...ofZero(facts, value, operator));
  return [atomsFrom(found)];
}

/** `x is None`, `x === undefined`, `x == true`: what the tested side itself makes sure of. */
function ofConstantTest(reading: Reading, tested: ValueId, operator: string, constant: string, depth: number): Cases {
  const isEqual = operator === "==" || operator === "is";
  const truth = constant === "true" ? isEqual : !isEqual;
  const place = placeOf(reading.facts, tested);
  const inner = casesOf(reading, bare(reading.facts, tested), truth, depth + 1);
  if (place === null || constant !== "null") return inner;
  const nulls = atomsFrom([{ kind: "becomes", place, constant: isEqual ? "given" : "null" }, ...(isEqual ? [] : [{ kind: "shrinks" as const, place }])]);
  // A number that has come to zero is still not nothing.
  return crossed([nulls], inner.map((atoms) => atomsFrom([...atoms.values()].filter(({ kind }) => kind !== "down"))));
}

function clockAtoms(reading: Reading, value: Binary, operator: string): Atom[] {
  if (!["<", "<=", ">", ">="].includes(operator) || isSpanOfOneRound(reading, value)) return [];
  const sides = isClockTest(reading, value);
  return sides === null || !isBeforeLimit(reading, value, operator) ? [] : [{ kind: "clock", place: "clock", bound: { facts: reading.facts, path: null, value: sides } }];
}

/** `items.length > 0` asks what `items.length` asks. */
function ofZero(facts: ModuleFacts, { left, right }: Binary, operator: string): Atom[] {
  const limit = facts.values[right];
  const number = limit?.kind === "number" ? limit.value : null;
  const isEmpty = (number === 0 && ["==", "is", "<="].includes(operator)) || (number === 1 && operator === "<");
  const isFilled = (number === 0 && ["!=", "is not", ">"].includes(operator)) || (number === 1 && operator === ">=");
  if (!isEmpty && !isFilled) return [];
  return numberPlaces(facts, left).map(({ place, isSize }) => ({ kind: "becomes", place: isSize ? `${place}.length` : place, constant: isFilled ? "falsy" : "truthy" }));
}

const ORDERING: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);
const UP: readonly string[] = ["<", "<="];
const DOWN: readonly string[] = [">", ">="];

/** Places in `left` that have to rise and places in `right` that have to fall before `left < right` fails, and so on. */
function ofNumbers(facts: ModuleFacts, { left, right }: Binary, operator: string): Atom[] {
  const found: Atom[] = [];
  const note = (side: ValueId, other: ValueId, kind: "up" | "down"): void => {
    for (const { place, isSize } of numberPlaces(facts, side)) {
      const kinds: AtomKind = isSize ? (kind === "up" ? "grows" : "shrinks") : kind;
      found.push({ kind: kinds, place, bound: { facts, path: null, value: other } });
    }
  };
  if (UP.includes(operator) || operator === "!=") {
    note(left, right, "up");
    note(right, left, "down");
  }
  if (DOWN.includes(operator) || operator === "!=") {
    note(left, right, "down");
    note(right, left, "up");
  }
  return found;
}

/** Marks a counter that is compared as a part of another number. */
export const WITHIN = "within another";

/** What a compared number grows with. The bound is one of the number, and not of what it is made from. */
function ofCounted({ facts, given }: Reading, { left, right }: Binary, operator: string): Atom[] {
  const rising = UP.includes(operator) ? [left] : DOWN.includes(operator) ? [right] : operator === "!=" ? [left, right] : [];
  return rising.flatMap((side) => countedIn(facts, side, given).map((place): Atom => ({ kind: "up", place, constant: WITHIN })));
}

function ofEquality(facts: ModuleFacts, { left, right }: Binary, operator: string, constant: string | null, tested: ValueId): Atom[] {
  const isEqual = operator === "==" || operator === "is";
  if (!isEqual && operator !== "!=" && operator !== "is not") return [];
  if (constant !== null) {
    const place = placeOf(facts, tested);
    return place === null ? [] : [{ kind: "becomes", place, constant: `${isEqual ? "!" : "="}${constant}` }];
  }
  const [one, other] = [placeOf(facts, left), placeOf(facts, right)];
  if (isEqual || one === null || other === null) return [];
  return [{ kind: "becomes", place: one, constant: `as ${other}` }, { kind: "becomes", place: other, constant: `as ${one}` }];
}

function ofTruth(reading: Reading, id: ValueId, value: Value, outcome: boolean, depth: number): Cases {
  const delegated = delegatedAtoms(reading, id);
  const cases = ofAsked(reading, id, value, outcome, depth);
  return delegated.length === 0 ? cases : crossed([atomsFrom(delegated)], cases);
}

function ofAsked(reading: Reading, id: ValueId, value: Value, outcome: boolean, depth: number): Cases {
  const { facts } = reading;
  if (isTestModeName(facts, value)) return outcome ? UNTOLD : [atomsFrom([{ kind: "mode", place: "mode" }])];
  if (!outcome && isLimitedAbort(facts, id)) return [atomsFrom([{ kind: "clock", place: "clock" }])];
  if (value.kind === "call") {
    const kind = kindPlace(facts, value.call);
    if (kind !== null) return [atomsFrom([{ kind: "becomes", place: kind, constant: outcome ? "falsy" : "truthy" }])];
    const parts = joinedTests(facts, value.call);
    if (parts !== null) return ofJoined(reading, parts, outcome, depth);
    return [both(ofCall(reading, value.call, outcome), reading.resultOf(value.call, outcome))];
  }
  const found: Atom[] = [];
  const place = placeOf(facts, id);
  if (value.kind === "member" && value.property !== null && SIZES.has(value.property) && outcome) {
    const of = placeOf(facts, value.object);
    if (of !== null) found.push({ kind: "shrinks", place: of });
  }
  if (place !== null) {
    found.push({ kind: "becomes", place, constant: outcome ? "falsy" : "truthy" });
    if (outcome) found.push({ kind: "down", place }, { kind: "shrinks", place });
    else found.push({ kind: "unset", place, constant: "falsy" }, { kind: "up", place });
  }
  return crossed([atomsFrom(found)], ofNamed(reading, id, value, outcome, depth));
}

/** A name for a test: `const exhausted = attempts >= limit`. */
function ofNamed(reading: Reading, id: ValueId, value: Value, outcome: boolean, depth: number): Cases {
  const { facts } = reading;
  const binding = value.kind === "name" ? facts.bindings[value.binding] : undefined;
  if (binding === undefined) return UNTOLD;
  const here = reading.given(placeOf(facts, id) ?? "");
  const tests = (here.length > 0 ? here : binding.rebound === true ? [] : binding.values).map((each) => bare(facts, each))
    // What else it is given are the constants that it starts with.
    .filter((each) => facts.values[each]?.kind !== "constant");
  if (tests.length === 0 || tests.length > 4 || !tests.every((each) => NAMED_TESTS.has(facts.values[each]!.kind))) return UNTOLD;
  return fewer(tests.flatMap((each) => casesOf(reading, each, outcome, depth + 1)));
}

const NAMED_TESTS = new Set(["binary", "unary", "logical", "call"]);

const HOLDS = new Set(["has", "includes", "contains", "__contains__"]);
const EMPTY = new Set(["empty", "isEmpty", "is_empty"]);

/** Tests by a call of the language: `len(x)`, `queue.empty()`, `seen.has(x)`. */
function ofCall({ facts }: Reading, id: CallId, outcome: boolean): Atoms {
  const call = facts.calls[id]!;
  const method = methodOf(facts, call);
  if (method === null) {
    const [first] = call.arguments;
    if (first === undefined || !outcome || calledName(facts, call) !== "len") return NO_ATOMS;
    return atomsFrom(collectionPlaces(facts, first.value).map((place) => ({ kind: "shrinks", place })));
  }
  const places = collectionPlaces(facts, method.object);
  if (HOLDS.has(method.name)) return atomsFrom(places.map((place) => ({ kind: outcome ? "shrinks" : "grows", place, constant: "member" })));
  if (EMPTY.has(method.name) && !outcome) return atomsFrom(places.map((place) => ({ kind: "shrinks", place })));
  // `while (next = queue.shift())`: what is taken off is something as long as there is.
  if (SHRINKING.has(method.name) && outcome) return atomsFrom(places.map((place) => ({ kind: "shrinks", place })));
  if (SIZES.has(method.name) && outcome) return atomsFrom(places.map((place) => ({ kind: "shrinks", place })));
  return NO_ATOMS;
}

function collectionPlaces(facts: ModuleFacts, id: ValueId): string[] {
  const place = placeOf(facts, id);
  return place === null ? [] : [place];
}
