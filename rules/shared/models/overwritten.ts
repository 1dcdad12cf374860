import type { ClassId, Field, FunctionFacts, ModuleFacts, ValueId } from "@agentgate/parsers";
import { onceFor } from "../indexes.ts";
import { textOf } from "./targets.ts";

/** Defaults of fields that never decide: the constructor gives the field another value before anything reads it. */
const overwritten = onceFor((facts): ReadonlySet<ValueId> => new Set(facts.classes.flatMap(({ fields }, id) => {
  const written = fields.filter(({ value }) => value !== null && textOf(facts, value) !== "");
  const twice = written.filter((field) => written.some((other) => other !== field && hasSameText(facts, field, other)));
  if (twice.length === 0) return [];
  const lost = new Set(twice.filter((field) => isLost(facts, id, field.name)));
  // One of the fields with that text has to be left to report.
  return [...lost].filter((field) => twice.some((other) => !lost.has(other) && hasSameText(facts, field, other))).map(({ value }) => value!);
})));

/** Whether a literal is the default of a field beside another of the same text, which decides in its place. */
export function isOverwritten(facts: ModuleFacts, literal: ValueId): boolean {
  return overwritten(facts).has(literal);
}

function hasSameText(facts: ModuleFacts, one: Field, other: Field): boolean {
  return textOf(facts, one.value!) === textOf(facts, other.value!);
}

function isLost(facts: ModuleFacts, owner: ClassId, name: string): boolean {
  const constructor = facts.functions.find((each) => each.kind === "constructor" && each.class === owner && each.body.length > 0);
  return constructor !== undefined && isGivenFirst(facts, constructor, name);
}

/** Whether every run of the constructor gives the attribute a value, which it is not asked for before that is known. */
function isGivenFirst(facts: ModuleFacts, { body, span, class: owner }: FunctionFacts, name: string): boolean {
  const mentions = facts.values.flatMap((value, id) =>
    (value.kind === "member" && value.property === name && span[0] <= value.span[0] && value.span[1] <= span[1] && isSelf(facts, value.object, owner) ? [id] : []));
  for (const statement of body) {
    if (statement.kind !== "assign" || statement.operator !== "=") continue;
    const target = statement.targets.find((each) => mentions.includes(each));
    if (target === undefined) continue;
    const end = facts.values[statement.value]!.span[1];
    return mentions.every((id) => id === target || facts.values[id]!.span[0] >= end);
  }
  return false;
}

/** `this`, or the first parameter of a method. */
function isSelf(facts: ModuleFacts, id: ValueId, owner: ClassId): boolean {
  const value = facts.values[id];
  const given = value?.kind === "name" ? facts.values[facts.bindings[value.binding]?.values[0] ?? -1] : value;
  return given?.kind === "self" && given.class === owner;
}
