import type { BindingId, CallId, FunctionId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { callersOf } from "../callers.ts";
import { consumerOf, readsOf } from "../consumers.ts";
import { parentsOf } from "../expressions.ts";
import { idOfCall, onceFor, resultOf } from "../indexes.ts";
import { ownClass } from "../selves.ts";
import { partsOf } from "../parts.ts";
import { statementsIn } from "../statements.ts";

/** A call that a value reaches, as an argument or with the object it is made on. */
export interface Carried {
  readonly call: CallId;
  /** The names of the file that it goes through. */
  readonly bindings: readonly BindingId[];
  /** The functions of the file that give it back on the way. */
  readonly through: readonly FunctionId[];
  /** The argument, or the receiver, that holds it; -1 where the call is given it by name. */
  readonly argument: ValueId;
  /** The fields that hold the record with the value, from the inside out. */
  readonly fields: readonly string[];
}

interface Way {
  readonly fields: readonly string[];
  readonly id: ValueId;
  readonly bindings: readonly BindingId[];
  readonly through: readonly FunctionId[];
}

const MOST_STEPS = 300;
const MOST_FIELDS = 8;

/**
 * The calls of the file that a value reaches: through what is built around it, names, attributes of the own object, and
 * functions that return it. `returnedFrom` are the functions that hand it out.
 */
export function carriedTo(facts: ModuleFacts, start: ValueId, whole: boolean): { readonly calls: readonly Carried[]; readonly returnedFrom: readonly FunctionId[] } {
  const calls: Carried[] = [];
  const returnedFrom = new Set<FunctionId>();
  const seen = new Set<ValueId>();
  const first: Way = { id: start, bindings: [], through: [], fields: [] };
  const pending: Way[] = whole ? usesOf(facts, first) : [first];
  while (pending.length > 0 && seen.size < MOST_STEPS) {
    const way = pending.pop()!;
    if (way.id < 0 || seen.has(way.id)) continue;
    seen.add(way.id);
    const value = facts.values[way.id];
    // Of a value that a pattern takes apart, each part has it for its object.
    const parent = consumerOf(facts, way.id)?.kind === "assign" ? -1 : parentsOf(facts)[way.id] ?? -1;
    const above = facts.values[parent];
    if (above?.kind === "call") calls.push({ call: above.call, bindings: way.bindings, through: way.through, argument: way.id, fields: way.fields });
    if (above !== undefined && above.kind !== "function") pending.push({ ...way, id: parent, fields: fieldsAround(facts, way, above) });
    else if (value !== undefined) pending.push(...consumed(facts, way, returnedFrom));
  }
  return { calls, returnedFrom: [...returnedFrom] };
}

/** The fields around a value, with the one of the record above it. What a record spreads lies in none. */
function fieldsAround(facts: ModuleFacts, { id, fields }: Way, above: Value): readonly string[] {
  if (above.kind !== "table" || fields.length >= MOST_FIELDS) return fields;
  const entry = above.entries.find(({ value }) => value === id);
  if (entry === undefined || entry.key === null) return fields;
  const key = facts.values[entry.key];
  return [...fields, key?.kind === "string" ? key.value : ""];
}

/** Where the statement that takes a value puts it. */
function consumed(facts: ModuleFacts, way: Way, returnedFrom: Set<FunctionId>): Way[] {
  const statement = consumerOf(facts, way.id);
  if (statement?.kind === "assign") return statement.targets.flatMap((target) => partsOf(facts, target)).flatMap((target) => usesOf(facts, { ...way, id: target }));
  if (statement?.kind === "with") return entered(facts, way);
  if (statement?.kind !== "return") return [];
  const id = functionOfReturn(facts).get(way.id) ?? -1;
  if (id <= 0) return [];
  returnedFrom.add(id);
  return callersOf(facts, id).map((call) => ({ ...way, id: resultOf(facts, idOfCall(facts, call)), through: [...way.through, id] }));
}

/** `with client(headers) as session:` gives the value to a name. */
function entered(facts: ModuleFacts, way: Way): Way[] {
  return (bindingsGiven(facts).get(way.id) ?? []).flatMap((binding) => readsOf(facts, binding).map((id) => ({ ...way, id, bindings: [...way.bindings, binding] })));
}

/** Everywhere that what an expression names is read: a name, an attribute of the own object, the head of a longer chain. */
function usesOf(facts: ModuleFacts, way: Way): Way[] {
  const value = facts.values[way.id];
  if (value?.kind === "name" && value.binding >= 0) {
    return readsOf(facts, value.binding).filter((id) => id !== way.id).map((id) => ({ ...way, id, bindings: [...way.bindings, value.binding] }));
  }
  if (value?.kind === "call") return [way];
  if (value?.kind !== "member") return [];
  const object = facts.values[value.object];
  const own = ownClass(facts, value.object);
  if (own >= 0 && value.property !== null) {
    return (ownMembers(facts).get(`${String(own)}.${value.property}`) ?? []).filter((id) => id !== way.id).map((id) => ({ ...way, id }));
  }
  return object?.kind === "name" || object?.kind === "member" ? usesOf(facts, { ...way, id: value.object }) : [];
}

/** `self.name` by class and name. */
const ownMembers = onceFor((facts): ReadonlyMap<string, readonly ValueId[]> => {
  const found = new Map<string, ValueId[]>();
  facts.values.forEach((value, id) => {
    if (value.kind !== "member" || value.property === null) return;
    const own = ownClass(facts, value.object);
    if (own < 0) return;
    const key = `${String(own)}.${value.property}`;
    const list = found.get(key);
    if (list === undefined) found.set(key, [id]);
    else list.push(id);
  });
  return found;
});

/** The names that are given a value, by the value. */
const bindingsGiven = onceFor((facts): ReadonlyMap<ValueId, readonly BindingId[]> => {
  const found = new Map<ValueId, BindingId[]>();
  facts.bindings.forEach(({ values }, binding) => {
    for (const id of values) found.set(id, [...(found.get(id) ?? []), binding]);
  });
  return found;
});

const functionOfReturn = onceFor((facts): ReadonlyMap<ValueId, FunctionId> => {
  const found = new Map<ValueId, FunctionId>();
  facts.functions.forEach(({ body }, id) => {
    for (const statement of statementsIn(body)) if (statement.kind === "return" && statement.value !== null) found.set(statement.value, id);
  });
  return found;
});
