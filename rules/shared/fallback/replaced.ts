import { constantHead, constantsOf } from "@agentgate/parsers";
import type { FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { bare } from "../expressions.ts";
import { areMadeDifferently, areTwoNames, isOtherHost, makingOf, writtenHostOf } from "./others.ts";
import { alsoKnownAs, baseOf, headAt, isSameTarget, likeness } from "./same.ts";
import { doSameWork, lastName, ownCallees, sharesWork } from "./talks.ts";
import type { Slot, Talk } from "./talks.ts";
import { namesClient, namesItsSpare, namesOtherProvider, namesSpare, targetKind } from "./words.ts";
import type { TargetKind } from "./words.ts";

/** Another model, client or address that a repeated call goes to. */
export interface Replacement {
  readonly kind: TargetKind | "function";
  /** The expression that replaces the first one. */
  readonly value: ValueId;
  readonly from: Talk;
  readonly to: Talk;
  /** The first call did not fail: it gave nothing. */
  readonly empty?: true;
}

/** What a second call puts in place of the first one's target; null where it does something else, or asks the same again. */
export function replacementIn(facts: ModuleFacts, context: RuleContext, from: Talk, to: Talk): Replacement | null {
  if (from.call === to.call) return null;
  if (asksElsewhere(facts, from, to)) return { kind: "function", value: facts.calls[to.call]!.callee, from, to };
  if (!doSameWork(facts, from, to)) return null;
  for (const slot of to.slots) {
    if (slot.kind !== "client" && replaces(facts, from, to, slot)) return { kind: slot.kind, value: slot.value, from, to };
  }
  const [first, second] = [from, to].map((talk) => talk.slots.find((slot) => slot.kind === "client"));
  return first !== undefined && second !== undefined && isOtherClient(facts, context, first, second, to) ? { kind: "client", value: second.value, from, to } : null;
}

/** `ask_openai(prompt)`, and then `ask_claude(prompt)`: the names say that the same is asked of somebody else. */
function asksElsewhere(facts: ModuleFacts, from: Talk, to: Talk): boolean {
  const { operation } = to;
  if (!namesOtherProvider(from.operation, operation) && !(to.capability === "model" && from.capability === "model" && namesItsSpare(from.operation, operation))) return false;
  return sharesWork(facts, from, to);
}

/** `/rows`, and `rows/all`: what comes before the first slash is no host. */
const PATH = /^(?:\/|[\w-]+\/)/;

function replaces(facts: ModuleFacts, from: Talk, to: Talk, slot: Slot): boolean {
  if (isNothing(facts, slot.value)) return false;
  const before = from.slots.find((each) => each.kind === slot.kind && each.name === slot.name) ?? from.slots.find((each) => each.kind === slot.kind);
  // A call that named no model before names one now.
  if (before === undefined) return slot.kind === "model";
  // Of two models that a call is given, the one that it was given before.
  if (to.slots.some((each) => each.kind === slot.kind && isSameTarget(facts, before.value, each.value))) return false;
  if (slot.kind !== "address") return true;
  // A path alone goes to wherever the client goes.
  if (PATH.test(constantHead(facts, slot.value)) || baseOf(facts, before.value) === baseOf(facts, slot.value)) return false;
  return isOtherHost(facts, before.value, slot.value);
}

/**
 * Whether a call that is made because another gave nothing asks another model: it asks a model, or one is written. What only
 * looks something up by a model's name may look it up by another.
 */
export function isAskedForNothing(facts: ModuleFacts, { kind, to, value }: Replacement): boolean {
  if ((kind !== "model" && kind !== "function") || to.capability === "model") return true;
  if (kind === "function") return false;
  return namesSpare(lastName(facts, value)) || constantsOf(facts, value)?.every((constant) => typeof constant.value === "string") === true;
}

/**
 * Two clients, where their names say that one is kept for the other's failure, or, of clients of models, where they are made
 * for other models or hosts. The same client under two names is none: a model with tools, and without them.
 */
function isOtherClient(facts: ModuleFacts, context: RuleContext, first: Slot, second: Slot, to: Talk): boolean {
  if (likeness(facts, first.value) === likeness(facts, second.value)) return false;
  const [one, other] = [lastName(facts, first.value), lastName(facts, second.value)];
  if (to.capability === "model" && namesOtherProvider(one, other)) return true;
  if (areTwoNames(one, other)) return namesClient(other) || makingOf(facts, context, second.value) !== null;
  return to.capability === "model" && areMadeDifferently(facts, context, first.value, second.value);
}

/** How people write a switch or a number as a text. */
const SWITCH = /^(?:true|false|yes|no|on|off|none|null|\d*)$/i;

/** No model or address: nothing at all, an empty text, a switch or a number, also as a text. */
export function isNothing(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return value === undefined || value.kind === "constant" || value.kind === "number" || (value.kind === "string" && SWITCH.test(value.value));
}

/** A call of the function around it with another model or address than it was called with itself. */
export function recursionReplacement(facts: ModuleFacts, around: FunctionId, from: Talk, to: Talk): Replacement | null {
  if (!ownCallees(facts, to.call).includes(around)) return null;
  const names = new Map(facts.functions[around]!.parameters.map((parameter) => [parameter.name, parameter.binding] as const));
  for (const { name, kind, value } of to.slots) {
    const binding = names.get(name);
    if (binding === undefined || kind === "client" || targetKind(name) === null || isNothing(facts, value)) continue;
    if (alsoKnownAs(facts, value).some((id) => isParameter(facts, id, binding))) continue;
    if (kind === "address" && !isOtherAddress(facts, name, value)) continue;
    return { kind, value, from, to };
  }
  return null;
}

/** An address that is written, or whose name says that it is kept for the parameter's failure. */
function isOtherAddress(facts: ModuleFacts, parameter: string, value: ValueId): boolean {
  return writtenHostOf(facts, value) !== null || areTwoNames(parameter, lastName(facts, headAt(facts, value)));
}

/** The parameter, by its name or as what the name was given. */
function isParameter(facts: ModuleFacts, id: ValueId, binding: number): boolean {
  const value = facts.values[id];
  return value?.kind === "name" && value.binding === binding;
}
