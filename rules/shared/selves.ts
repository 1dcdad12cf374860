import type { ClassId, ModuleFacts, ValueId } from "@agentgate/parsers";

/** The class whose own object an expression is (`this`, `self` and other names for it); -1 where it is something else. */
export function ownClass(facts: ModuleFacts, id: ValueId): ClassId {
  const written = facts.values[id];
  const given = written?.kind === "name" ? facts.bindings[written.binding]?.values : undefined;
  const value = given?.length === 1 ? facts.values[given[0]!] : written;
  return value?.kind === "self" ? value.class : -1;
}

/** What an attribute of an own object is given anywhere in its class; empty of any other expression. */
export function ownAttribute(facts: ModuleFacts, id: ValueId): readonly ValueId[] {
  const member = facts.values[id];
  if (member?.kind !== "member" || member.property === null) return [];
  const attributes = facts.classes[ownClass(facts, member.object)]?.attributes;
  return attributes !== undefined && Object.hasOwn(attributes, member.property) ? attributes[member.property]! : [];
}
