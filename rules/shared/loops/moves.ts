import { constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { bare, childrenOf } from "../expressions.ts";
import type { Atom } from "./atoms.ts";
import { constantText } from "./numbers.ts";
import { calledName, methodOf, placeOf } from "./places.ts";
import { GROWING, SHRINKING } from "./vocabulary.ts";

/** What a statement does to a place: `any` is a step of unknown direction, `given` another value. */
export interface Move {
  readonly place: string;
  readonly how: "up" | "down" | "any" | "grows" | "shrinks" | "constant" | "given";
  /** Of `constant` its text; of `given` the place that it is given, where it is one. */
  readonly text?: string;
  /** What is put in or given. */
  readonly value?: ValueId;
}

type Assign = Extract<Statement, { kind: "assign" }>;

/** What a statement does to variables and attributes by itself; calls of functions are looked at elsewhere. */
export function movesOf(facts: ModuleFacts, statement: Statement): readonly Move[] {
  switch (statement.kind) {
    case "assign":
      return statement.targets.flatMap((target) => targetMoves(facts, statement, target, statement.value));
    case "call":
      return callMoves(facts, facts.calls[statement.call]!);
    case "expression":
      return removal(facts, statement.value);
    default:
      return [];
  }
}

function targetMoves(facts: ModuleFacts, statement: Assign, target: ValueId, value: ValueId): readonly Move[] {
  const written = facts.values[target];
  if (written?.kind === "list") return unpacked(facts, statement, written.items, value);
  if (written?.kind === "table") return written.entries.flatMap((entry) => given(facts, entry.value, value));
  if (written?.kind === "member" && written.property === null) return grown(facts, written.object, value);
  const place = placeOf(facts, target);
  if (place === null) return [];
  if (statement.operator !== "=") return [augmented(facts, place, statement.operator, value)];
  return [assignedMove(facts, place, value)];
}

function unpacked(facts: ModuleFacts, statement: Assign, items: readonly ValueId[], value: ValueId): readonly Move[] {
  const right = facts.values[bare(facts, value)];
  const values = right?.kind === "list" && right.items.length === items.length ? right.items : null;
  return items.flatMap((item, index) => (values === null ? given(facts, item, value) : targetMoves(facts, statement, item, values[index]!)));
}

function given(facts: ModuleFacts, target: ValueId, value: ValueId): readonly Move[] {
  const place = placeOf(facts, target);
  return place === null ? [] : [{ place, how: "given", value }];
}

function grown(facts: ModuleFacts, object: ValueId, value: ValueId): readonly Move[] {
  const place = placeOf(facts, object);
  return place === null ? [] : [{ place, how: "grows", value }];
}

function augmented(facts: ModuleFacts, place: string, operator: string, value: ValueId): Move {
  const sign = operator === "+=" ? 1 : operator === "-=" ? -1 : 0;
  const kind = facts.values[bare(facts, value)]?.kind;
  if (sign === 1 && (kind === "list" || kind === "comprehension" || kind === "string" || kind === "template")) return { place, how: "grows", value };
  if (operator === "??=" || operator === "||=" || operator === "&&=") return { place, how: "given", value };
  return { place, how: direction(facts, value, sign), value };
}

function direction(facts: ModuleFacts, value: ValueId, sign: number): "up" | "down" | "any" {
  const constants = sign === 0 ? null : constantsOf(facts, value);
  const numbers = constants?.map((constant) => constant.value);
  if (numbers?.every((each) => typeof each === "number" && each * sign > 0) === true) return "up";
  return numbers?.every((each) => typeof each === "number" && each * sign < 0) === true ? "down" : "any";
}

/** What giving a place a value does to it. */
export function assignedMove(facts: ModuleFacts, place: string, id: ValueId): Move {
  const value = bare(facts, id);
  const constant = constantText(facts, value);
  if (constant !== null) return { place, how: "constant", text: constant, value };
  const held = heldStep(facts, value, place);
  if (held !== null) return { place, how: howStepped(facts, place, held), value };
  const written = facts.values[value];
  if (written?.kind === "list" && written.items.length === 0) return { place, how: "constant", text: EMPTY, value };
  const stepped = isMadeFrom(facts, value, place);
  const other = placeOf(facts, convertedFrom(facts, value));
  if (!stepped || other === place) return { place, how: "given", value, ...(other !== null && { text: other }) };
  return { place, how: howStepped(facts, place, value), value };
}

/** `next = offset + len(rows)` of a name that is given nothing else: the step by which the place is moved through it. */
export function heldStep(facts: ModuleFacts, id: ValueId, place: string): ValueId | null {
  const value = facts.values[bare(facts, id)];
  const binding = value?.kind === "name" ? facts.bindings[value.binding] : undefined;
  const [step, ...others] = binding?.values ?? [];
  if (step === undefined || others.length > 0 || binding?.rebound === true || binding?.kind === "parameter") return null;
  return facts.values[step]?.kind === "binary" && isMadeFrom(facts, step, place) ? step : null;
}

const CONVERSIONS = new Set(["int", "float", "str", "Number", "String", "parseInt"]);

/** `int(given)`: what is given, as another type. */
function convertedFrom(facts: ModuleFacts, id: ValueId): ValueId {
  const value = facts.values[id];
  const call = value?.kind === "call" ? facts.calls[value.call]! : undefined;
  return call !== undefined && call.arguments.length > 0 && methodOf(facts, call) === null && CONVERSIONS.has(calledName(facts, call)) ? call.arguments[0]!.value : id;
}

/** The text of an empty list. */
export const EMPTY = "[]";

const ARITHMETIC = new Set(["min", "max", "int", "float", "round", "floor", "ceil", "abs", "pow", "trunc", "Number", "parseInt", "list", "tuple", "concat"]);

/** Whether a value is the place itself with something done to it: no answer to a question in which it is named. */
function isMadeFrom(facts: ModuleFacts, id: ValueId, place: string): boolean {
  const pending = [id];
  for (let steps = 0; pending.length > 0 && steps < 40; steps++) {
    const current = pending.pop()!;
    const value = facts.values[current];
    if (value === undefined || value.kind === "await") continue;
    if ((value.kind === "name" || value.kind === "member") && placeOf(facts, current) === place) return true;
    if (value.kind !== "call") pending.push(...childrenOf(facts, value));
    else {
      const call = facts.calls[value.call]!;
      if (ARITHMETIC.has(calledName(facts, call))) pending.push(...call.arguments.map((argument) => argument.value));
      const method = methodOf(facts, call);
      if (method !== null && (SLICES.has(method.name) || GROWING.has(method.name))) pending.push(method.object);
    }
  }
  return false;
}

const SLICES = new Set(["slice", "subarray", "substring", "substr", "filter", "trim", "strip", "lstrip", "splice", "replace"]);

/** `i = i + 1`, `rest = rest[1:]`, `messages = [...messages, answer]`, `delay = min(delay * 2, 60)`. */
function howStepped(facts: ModuleFacts, place: string, id: ValueId): Move["how"] {
  const value = facts.values[id];
  if (value?.kind === "list") return "grows";
  if (value?.kind === "member" && value.subscript === true) return isCopyOf(facts, value.object, place) ? "shrinks" : "given";
  if (value?.kind === "call") {
    const method = methodOf(facts, facts.calls[value.call]!);
    if (method !== null && SLICES.has(method.name)) return "shrinks";
    return method !== null && GROWING.has(method.name) ? "grows" : method !== null && placeOf(facts, method.object) === place ? "given" : "any";
  }
  if (value?.kind !== "binary") return "any";
  const sign = value.operator === "+" ? 1 : value.operator === "-" ? -1 : 0;
  const step = placeOf(facts, value.left) === place ? value.right : placeOf(facts, value.right) === place ? value.left : null;
  if (step !== null && facts.values[step]?.kind === "list") return "grows";
  return step === null ? "any" : direction(facts, step, sign);
}

const COPIES = new Set(["list", "tuple", "from"]);

/** The place itself, a copy of it, or it with something in the place of nothing: `list(rest or [])`. */
function isCopyOf(facts: ModuleFacts, id: ValueId, place: string): boolean {
  let current = bare(facts, id);
  for (let step = 0; step < 6; step++) {
    if (placeOf(facts, current) === place) return true;
    const value = facts.values[current];
    const call = value?.kind === "call" ? facts.calls[value.call]! : undefined;
    const next = value?.kind === "logical" ? value.left : call !== undefined && COPIES.has(calledName(facts, call)) ? call.arguments[0]?.value : undefined;
    if (next === undefined) return false;
    current = bare(facts, next);
  }
  return false;
}

function callMoves(facts: ModuleFacts, call: Call): readonly Move[] {
  const method = methodOf(facts, call);
  if (method === null) return [];
  const how = GROWING.has(method.name) ? "grows" : SHRINKING.has(method.name) ? "shrinks" : null;
  const place = how === null ? null : placeOf(facts, method.object);
  const value = call.arguments[0]?.value;
  return how === null || place === null ? [] : [{ place, how, ...(value !== undefined && { value }) }];
}

/** `del entries[key]`, `delete entries[key]`. */
function removal(facts: ModuleFacts, id: ValueId): readonly Move[] {
  const value = facts.values[id];
  const target = value?.kind === "unary" && value.operator === "delete" ? facts.values[value.value] : value;
  const place = target?.kind === "member" ? placeOf(facts, target.object) : null;
  return place === null || (target === value && (target?.kind !== "member" || target.subscript !== true)) ? [] : [{ place, how: "shrinks" }];
}

/** What a move means for a test that waits for its place to change. */
export function meaningOf(atom: Atom, move: Move): "advance" | "retreat" | null {
  switch (atom.kind) {
    case "up":
      return numberMeaning(move, "up", "down");
    case "down":
      return numberMeaning(move, "down", "up");
    case "grows":
      return move.how === "grows" ? "advance" : move.how === "any" || move.how === "up" ? null : "retreat";
    case "shrinks":
      if (move.how === "shrinks") return "advance";
      return move.how === "grows" || move.how === "given" ? "retreat" : null;
    case "becomes":
      return flagMeaning(atom.constant ?? "", move);
    default:
      return null;
  }
}

function numberMeaning(move: Move, towards: "up" | "down", away: "up" | "down"): "advance" | "retreat" | null {
  if (move.how === towards || move.how === "any") return "advance";
  return move.how === away || move.how === "constant" || move.how === "given" ? "retreat" : null;
}

function flagMeaning(wanted: string, move: Move): "advance" | "retreat" | null {
  if (wanted === "given") return move.how === "given" || (move.how === "constant" && move.text !== "null") ? "advance" : null;
  if (wanted.startsWith("as ")) return move.how === "given" && move.text === wanted.slice(3) ? "advance" : move.how === "constant" ? "retreat" : null;
  if (move.how !== "constant" || move.text === undefined) return null;
  const { text } = move;
  if (wanted.startsWith("=")) return text === wanted.slice(1) ? "advance" : "retreat";
  if (wanted.startsWith("!")) return text === wanted.slice(1) ? "retreat" : "advance";
  const isFalsy = text === "null" || text === "false" || text === "0" || text === '""';
  if (wanted === "null") return text === "null" ? "advance" : "retreat";
  return isFalsy === (wanted === "falsy") ? "advance" : "retreat";
}
