import { constantHead, functionsOf } from "@agentgate/parsers";
import type { FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare, originsOf } from "../expressions.ts";
import { alsoKnownAs, baseOf, isSameTarget, likeness } from "./same.ts";
import { doSameWork, lastName, ownCallees } from "./talks.ts";
import type { Slot, Talk } from "./talks.ts";
import { namesFirst, namesSpare, targetKind, namesClient } from "./words.ts";
import type { TargetKind } from "./words.ts";

/** Another model, client or address that a repeated call goes to. */
export interface Replacement {
  readonly kind: TargetKind;
  /** The expression that replaces the first one. */
  readonly value: ValueId;
  readonly from: Talk;
  readonly to: Talk;
}

/** What a second call puts in place of the first one's target; null where it does something else, or asks the same again. */
export function replacementIn(facts: ModuleFacts, from: Talk, to: Talk): Replacement | null {
  if (from.call === to.call || !doSameWork(facts, from, to)) return null;
  for (const slot of to.slots) {
    if (slot.kind !== "client" && replaces(facts, from, slot)) return { kind: slot.kind, value: slot.value, from, to };
  }
  const [first, second] = [from, to].map((talk) => talk.slots.find((slot) => slot.kind === "client"));
  return first !== undefined && second !== undefined && isOtherClient(facts, first, second, to) ? { kind: "client", value: second.value, from, to } : null;
}

/** `/rows`, and `rows/all`: what comes before the first slash is no host. */
const PATH = /^(?:\/|[\w-]+\/)/;

function replaces(facts: ModuleFacts, from: Talk, slot: Slot): boolean {
  const before = from.slots.find((each) => each.kind === slot.kind && each.name === slot.name) ?? from.slots.find((each) => each.kind === slot.kind);
  // A call that named no model before names one now.
  if (before === undefined) return slot.kind === "model" && !isNothing(facts, slot.value);
  if (isSameTarget(facts, before.value, slot.value)) return false;
  // A path alone goes to wherever the client goes.
  if (slot.kind === "address" && PATH.test(constantHead(facts, slot.value))) return false;
  return slot.kind !== "address" || baseOf(facts, before.value) !== baseOf(facts, slot.value);
}

/** Two names for clients of models; of other clients only where their names say that one is kept for the other's failure. */
function isOtherClient(facts: ModuleFacts, first: Slot, second: Slot, to: Talk): boolean {
  if (likeness(facts, first.value) === likeness(facts, second.value)) return false;
  const [one, other] = [lastName(facts, first.value), lastName(facts, second.value)];
  if ((namesSpare(other) || namesFirst(one)) && (namesClient(other) || !isOfUnknown(facts, second.value))) return true;
  return to.capability === "model" && namesClient(one) && namesClient(other);
}

/** Whether something is the answer of calls of which nothing is known: a table of rows rather than a client. */
function isOfUnknown(facts: ModuleFacts, id: ValueId): boolean {
  const made = originsOf(facts, id).values.map((origin) => facts.values[origin]);
  return made.length > 0 && made.every((value) => value?.kind === "call" && facts.calls[value.call]!.references.length === 0 && functionsOf(facts, facts.calls[value.call]!.callee).length === 0);
}

export function isNothing(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return value === undefined || (value.kind === "constant" && value.value === null) || (value.kind === "string" && value.value === "");
}

/** A call of the function around it with another model or address than it was called with itself. */
export function recursionReplacement(facts: ModuleFacts, around: FunctionId, from: Talk, to: Talk): Replacement | null {
  if (!ownCallees(facts, to.call).includes(around)) return null;
  const names = new Map(facts.functions[around]!.parameters.map((parameter) => [parameter.name, parameter.binding] as const));
  for (const { name, kind, value } of to.slots) {
    const binding = names.get(name);
    if (binding === undefined || kind === "client" || targetKind(name) === null || isNothing(facts, value)) continue;
    if (alsoKnownAs(facts, value).some((id) => isParameter(facts, id, binding))) continue;
    return { kind, value, from, to };
  }
  return null;
}

/** The parameter, by its name or as what the name was given. */
function isParameter(facts: ModuleFacts, id: ValueId, binding: number): boolean {
  const value = facts.values[id];
  return value?.kind === "name" && value.binding === binding;
}
