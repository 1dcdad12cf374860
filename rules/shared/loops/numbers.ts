import { constantsOf } from "@agentgate/parsers";
import type { CallId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import { calledName, methodOf, placeOf } from "./places.ts";
import { SIZES } from "./vocabulary.ts";

/** A place that counts, or the size of a collection at a place. */
export interface NumberPlace {
  readonly place: string;
  readonly isSize: boolean;
}

/** The places that a number is made of by adding, subtracting and scaling; a size stands for its collection. */
export function numberPlaces(facts: ModuleFacts, id: ValueId): NumberPlace[] {
  const found: NumberPlace[] = [];
  const pending = [id];
  for (let steps = 0; pending.length > 0 && steps < 16; steps++) {
    const current = bare(facts, pending.pop()!);
    const value = facts.values[current];
    if (value?.kind === "binary" && ["+", "-", "*", "/", "//"].includes(value.operator)) pending.push(value.left, value.right);
    else if (value?.kind === "logical") pending.push(value.left);
    else if (value?.kind === "call") found.push(...sizeOf(facts, value.call));
    else if (value !== undefined) found.push(...directPlace(facts, current, value));
  }
  return found;
}

const GROWING_WITH = new Set(["+", "*", "**", "<<"]);
const BOUNDED_BY = new Set(["min", "max", "pow", "float", "int", "round", "floor", "ceil", "Number"]);

/**
 * The places that a number grows with where a name for it is given that in the round: `pause = min(LONGEST, 2 ** attempts)`
 * comes to the longest one as the attempts are counted.
 */
export function countedIn(facts: ModuleFacts, id: ValueId, given: (place: string) => readonly ValueId[]): string[] {
  const place = placeOf(facts, id);
  if (place === null) return [];
  const value = facts.values[bare(facts, id)];
  const binding = value?.kind === "name" ? facts.bindings[value.binding] : undefined;
  const here = given(place);
  const made = here.length > 0 ? here : binding?.rebound === true ? [] : binding?.values ?? [];
  if (made.length !== 1) return [];
  const places: string[] = [];
  const pending = [made[0]!];
  for (let steps = 0; pending.length > 0 && steps < 16; steps++) {
    const current = bare(facts, pending.pop()!);
    const part = facts.values[current];
    const call = part?.kind === "call" ? facts.calls[part.call]! : undefined;
    const from = placeOf(facts, current);
    if (part?.kind === "binary" && GROWING_WITH.has(part.operator)) pending.push(part.left, part.right);
    else if (call !== undefined && BOUNDED_BY.has(calledName(facts, call))) pending.push(...call.arguments.map((argument) => argument.value));
    else if (from !== null && from !== place && current !== made[0]) places.push(from);
  }
  return places;
}

function directPlace(facts: ModuleFacts, id: ValueId, value: Value): NumberPlace[] {
  if (value.kind === "member" && value.property !== null && SIZES.has(value.property)) {
    const of = placeOf(facts, value.object);
    return of === null ? [] : [{ place: of, isSize: true }, { place: `${of}.${value.property}`, isSize: false }];
  }
  const place = placeOf(facts, id);
  if (place === null) return [];
  const binding = value.kind === "name" ? facts.bindings[value.binding] : undefined;
  const only = binding?.rebound !== true && binding?.values.length === 1 ? facts.values[bare(facts, binding.values[0]!)] : undefined;
  const sized = only?.kind === "call" ? sizeOf(facts, only.call) : [];
  return [{ place, isSize: false }, ...sized];
}

function sizeOf(facts: ModuleFacts, id: CallId): NumberPlace[] {
  const call = facts.calls[id]!;
  const name = calledName(facts, call);
  const method = methodOf(facts, call);
  const of = method === null ? call.arguments[0]?.value : SIZES.has(name) ? method.object : undefined;
  const inside = name === "len" || method !== null ? of : undefined;
  const place = inside === undefined ? null : placeOf(facts, inside);
  return place === null ? [] : [{ place, isSize: true }];
}

/** A constant that something is tested for, as text; null where it is none. */
export function constantText(facts: ModuleFacts, id: ValueId): string | null {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "constant") return String(value.value);
  if (value?.kind === "string") return `"${value.value}"`;
  if (value?.kind === "number") return String(value.value);
  if (value?.kind === "name" && value.name === "undefined" && value.binding < 0) return "null";
  const folded = value?.kind === "name" || value?.kind === "member" ? constantsOf(facts, id) : null;
  const only = folded?.length === 1 ? folded[0]! : null;
  if (only === null) return null;
  return typeof only.value === "string" ? `"${only.value}"` : String(only.value);
}
