import { functionsOf, valuesReturned } from "@agentgate/parsers";
import type { BindingId, Call, ModuleFacts, Statement, Value, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import { idOfCall, onceFor } from "../indexes.ts";
import { bodiesOf, callPlaces } from "../statements.ts";

type Member = Extract<Value, { kind: "member" }>;

/** What a function of the file gives where it is called; empty where it is none, or gives back nothing. */
export function givenBack(facts: ModuleFacts, call: Call): readonly ValueId[] {
  const helpers = functionsOf(facts, call.callee).filter((id) => facts.functions[id]!.kind !== "constructor" && facts.functions[id]!.generator !== true);
  return helpers.flatMap((id) => valuesReturned(facts, id));
}

/** One part of a whole by its place or its name: of a tuple or a table, also of one that a function of the file gives back. */
export function partsAt(facts: ModuleFacts, whole: ValueId, at: number | string): readonly ValueId[] | null {
  const value = facts.values[bare(facts, whole)];
  if (value?.kind === "name") {
    const binding = facts.bindings[value.binding];
    return binding === undefined || binding.rebound === true || binding.values.length !== 1 || facts.values[binding.values[0]!]?.kind === "name" ? null : partsAt(facts, binding.values[0]!, at);
  }
  const wholes = value?.kind === "call" ? givenBack(facts, facts.calls[value.call]!) : [whole];
  const parts = wholes.map((each) => partOf(facts, each, at));
  return parts.length > 0 && parts.every((part) => part !== null) ? parts : null;
}

/** What a list of the file holds: what is written in it, and what is added to it by its name; null where that is not told. */
export function itemsHeld(facts: ModuleFacts, list: ValueId): readonly ValueId[] | null {
  const value = facts.values[bare(facts, list)];
  if (value?.kind === "list") return value.items;
  const binding = value?.kind === "name" ? facts.bindings[value.binding] : undefined;
  if (value?.kind !== "name" || binding?.rebound === true || binding?.values.length !== 1) return null;
  const written = facts.values[binding.values[0]!];
  return written?.kind === "list" ? [...written.items, ...(additions(facts).get(value.binding) ?? [])] : null;
}

const ADDING = new Set(["push", "append", "unshift", "insert", "extend", "add", "concat"]);

const additions = onceFor((facts): ReadonlyMap<BindingId, readonly ValueId[]> => {
  const byList = new Map<BindingId, ValueId[]>();
  for (const call of facts.calls) {
    const callee = facts.values[call.callee];
    const list = callee?.kind === "member" && ADDING.has(callee.property ?? "") ? facts.values[callee.object] : undefined;
    if (list?.kind !== "name") continue;
    const added = call.arguments.map(({ value }) => value);
    byList.set(list.binding, [...(byList.get(list.binding) ?? []), ...added]);
  }
  return byList;
});

function partOf(facts: ModuleFacts, whole: ValueId, at: number | string): ValueId | null {
  const value = facts.values[bare(facts, whole)];
  if (value?.kind === "list" && typeof at === "number") {
    const items = value.items.slice(0, at + 1);
    return items.some((item) => facts.values[item]?.kind === "spread") ? null : items[at] ?? null;
  }
  if (value?.kind !== "table" || typeof at !== "string") return null;
  const entries = value.entries.filter(({ key }) => {
    const written = key === null ? undefined : facts.values[key];
    return written?.kind === "string" && written.value === at;
  });
  return entries.length === 1 ? entries[0]!.value : null;
}

/**
 * What an attribute was given last before a call, in the statements that surely ran before it in the same function; null
 * where nothing there gives it anything, or only some way to the call does.
 */
export function assignedBefore(facts: ModuleFacts, call: Call, member: Member): ValueId | null {
  const id = idOfCall(facts, call);
  for (let place = callPlaces(facts, call.function).get(id) ?? null; place !== null; place = place.above) {
    for (let index = place.index - 1; index >= 0; index--) {
      const given = givenIn(facts, place.body[index]!, member);
      if (given !== null) return given === "unsure" ? null : given;
    }
    if (place.above?.body[place.above.index]?.kind === "loop") return null;
  }
  return null;
}

function givenIn(facts: ModuleFacts, statement: Statement, member: Member): ValueId | "unsure" | null {
  if (statement.kind === "assign") {
    if (!statement.targets.some((target) => isSame(facts, target, member))) return null;
    return statement.operator === "=" && statement.targets.length === 1 ? statement.value : "unsure";
  }
  return bodiesOf(statement).some((body) => body.some((inner) => givenIn(facts, inner, member) !== null)) ? "unsure" : null;
}

/** `self.path` twice: the same name of the same object. */
function isSame(facts: ModuleFacts, target: ValueId, { object, property }: Member): boolean {
  const value = facts.values[target];
  if (value?.kind !== "member" || property === null || value.property !== property) return false;
  const [one, other] = [facts.values[value.object], facts.values[object]];
  if (one?.kind === "name" && other?.kind === "name") return one.binding === other.binding && one.binding !== -1;
  return one?.kind === "self" && other?.kind === "self";
}
