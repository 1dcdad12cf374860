import { constantsOf, definitionsOf } from "@agentgate/parsers";
import type { ClassId, FunctionId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { bare, originsOf } from "../expressions.ts";
import { givenForParameter } from "../given.ts";
import { onceFor } from "../indexes.ts";
import { memberOf } from "./exported.ts";

const MOST_TEXTS = 4;
/** Classes above one, and below it. */
const MOST_CLASSES = 16;

/** The texts that an expression is put together to, where all of its pieces are written. */
export function textsJoined(facts: ModuleFacts, id: ValueId): readonly string[] {
  const constants = (constantsOf(facts, id) ?? []).slice(0, MOST_TEXTS);
  return constants.flatMap(({ value }) => (typeof value === "string" ? [value] : []));
}

/** What stands at a place of a list that is unpacked: `model, heat = CHAT`. */
export function itemsTaken(facts: ModuleFacts, { of, index }: Extract<Value, { kind: "item" }>): readonly ValueId[] {
  if (index === null) return [];
  return originsOf(facts, of).values.flatMap((origin) => {
    const list = facts.values[origin];
    if (list?.kind !== "list" || index < 0) return [];
    const isPlaced = list.items.slice(0, index + 1).every((item) => facts.values[item]?.kind !== "spread");
    return isPlaced && list.items[index] !== undefined ? [list.items[index]] : [];
  });
}

/** A member of what callers give for a parameter: `{ client, model }`, `options.model`. */
export function membersGiven(facts: ModuleFacts, id: FunctionId, index: number, path: readonly string[]): readonly ValueId[] {
  return givenForParameter(facts, id, index).flatMap((given) => memberOf(facts, bare(facts, given), path) ?? []);
}

/** What an attribute of an object is given by the classes above its own, else by those below. */
export function inheritedAttribute(facts: ModuleFacts, id: ClassId, name: string): readonly ValueId[] {
  for (const related of [classesAbove(facts, id), classesBelow(facts, id)]) {
    const given = related.flatMap((each) => {
      const { attributes } = facts.classes[each]!;
      return Object.hasOwn(attributes, name) ? attributes[name]! : [];
    });
    if (given.length > 0) return given;
  }
  return [];
}

function classesAbove(facts: ModuleFacts, id: ClassId): readonly ClassId[] {
  const above = new Set<ClassId>([id]);
  for (const each of above) {
    if (above.size > MOST_CLASSES) break;
    for (const base of basesOf(facts, each)) above.add(base);
  }
  above.delete(id);
  return [...above];
}

function classesBelow(facts: ModuleFacts, id: ClassId): readonly ClassId[] {
  const below = new Set<ClassId>([id]);
  for (const each of below) {
    if (below.size > MOST_CLASSES) break;
    for (const derived of derivedByBase(facts).get(each) ?? []) below.add(derived);
  }
  below.delete(id);
  return [...below];
}

function basesOf(facts: ModuleFacts, id: ClassId): readonly ClassId[] {
  return facts.classes[id]!.bases.flatMap((base) => definitionsOf(facts, base).flatMap((each) => (each.kind === "class" ? [each.id] : [])));
}

const derivedByBase = onceFor((facts): ReadonlyMap<ClassId, readonly ClassId[]> => {
  const derived = new Map<ClassId, ClassId[]>();
  facts.classes.forEach((_, id) => {
    for (const base of basesOf(facts, id)) derived.set(base, [...derived.get(base) ?? [], id]);
  });
  return derived;
});
