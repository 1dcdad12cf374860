import { functionsOf } from "@agentgate/parsers";
import type { CallId, FunctionId, ModuleFacts, Use, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { parentsOf } from "../expressions.ts";
import { onceFor, takesMember } from "../indexes.ts";
import { endsOfReference, membersOf } from "./ends.ts";
import type { Module } from "./ends.ts";

/** A function of the tree. */
export interface Subject extends Module {
  readonly id: FunctionId;
}

/** A call that runs a function: it calls it, or is handed it. */
export interface UsePlace extends Module {
  readonly call: CallId;
  /** Of a function that is handed on, the value that does so. */
  readonly value: ValueId | null;
}

/** The calls of a module that run its own functions. */
const ownUses = onceFor((facts): ReadonlyMap<FunctionId, readonly Omit<UsePlace, "path" | "facts">[]> => {
  const uses = new Map<FunctionId, Omit<UsePlace, "path" | "facts">[]>();
  const note = (id: FunctionId, call: CallId, value: ValueId | null): void => {
    const list = uses.get(id);
    if (list === undefined) uses.set(id, [{ call, value }]);
    else list.push({ call, value });
  };
  facts.calls.forEach((entry, call) => {
    for (const id of functionsOf(facts, entry.callee)) note(id, call, null);
  });
  // A function may be handed on inside a list or a table: what is written around it is a call in the end.
  const parents = parentsOf(facts);
  facts.values.forEach((value, id) => {
    if (value.kind !== "function" && value.kind !== "name" && value.kind !== "member") return;
    const call = callAround(facts, parents, id);
    if (call === -1) return;
    for (const each of functionsOf(facts, id)) note(each, call, id);
  });
  return uses;
});

/** The call that takes a value as an argument, inside lists, tables and choices too; -1 where none does. */
function callAround(facts: ModuleFacts, parents: Int32Array, value: ValueId): CallId {
  for (let id = value, steps = 0; steps < 64; steps++) {
    const parent = parents[id] ?? -1;
    const around = facts.values[parent];
    if (around === undefined) return -1;
    if (around.kind === "call") return facts.calls[around.call]!.callee === id ? -1 : around.call;
    if (!HOLDING.has(around.kind)) return -1;
    id = parent;
  }
  return -1;
}

const HOLDING = new Set(["list", "table", "spread", "conditional", "logical", "await", "assigned"]);

/** The calls of the function's own module that run it. */
export function usesInside({ path, facts, id }: Subject): readonly UsePlace[] {
  return (ownUses(facts).get(id) ?? []).map((use) => ({ ...use, path, facts }));
}

/** Uses of names from outside by the members in their path. */
const usesByName = onceFor((facts): ReadonlyMap<string, readonly Use[]> => {
  const index = new Map<string, Use[]>();
  for (const use of facts.uses) {
    if (use.role === "type" || use.role === "exception" || use.role === "alias") continue;
    for (const name of new Set(use.references.flatMap((reference) => (reference.path.length === 0 ? ["default"] : reference.path)))) {
      const list = index.get(name);
      if (list === undefined) index.set(name, [use]);
      else list.push(use);
    }
  }
  return index;
});

/** The calls of another module that run a function. `names` are those under which it can be known there. */
export function usesElsewhere(subject: Subject, names: readonly string[], other: Module, context: RuleContext): readonly UsePlace[] {
  const places: UsePlace[] = [];
  const seen = new Set<Use>();
  const parents = parentsOf(other.facts);
  for (const name of names) {
    for (const use of usesByName(other.facts).get(name) ?? []) {
      if (seen.has(use)) continue;
      seen.add(use);
      if (!use.references.some((reference) => leadsTo(subject, endsOfReference(context.tree, other, reference).ends))) continue;
      const call = use.role === "call" ? use.call ?? -1 : callAround(other.facts, parents, use.value);
      if (call !== -1) places.push({ ...other, call, value: use.role === "call" ? null : use.value });
    }
  }
  places.push(...untoldCalls(subject, other, context).filter((place) => !places.some((known) => known.call === place.call)));
  return places;
}

function leadsTo({ path, facts, id }: Subject, ends: readonly { readonly path: string; readonly kind: string; readonly id: number; readonly made: boolean }[]): boolean {
  const subject = facts.functions[id]!;
  return ends.some((end) => end.path === path && (
    (end.kind === "function" && end.id === id && !end.made)
    || (isConstructor(subject.name, subject.kind) && end.kind !== "function" && end.id === subject.class)));
}

export function isConstructor(name: string, kind: string): boolean {
  return kind === "constructor" || kind === "initializer" || name === "__init__" || name === "__new__" || name === "__post_init__";
}

/** Calls of a method on handles whose class only its name tells. */
function untoldCalls(subject: Subject, other: Module, context: RuleContext): readonly UsePlace[] {
  const { name, class: owner } = subject.facts.functions[subject.id]!;
  if (owner === -1 || !takesMember(other.facts, [name])) return [];
  const effects = effectsOf(other.facts, { ...context, path: other.path });
  return (callsByMember(other.facts).get(name) ?? [])
    .filter((call) => effects.callees(call).some((callee) => callee.path === subject.path && callee.function === subject.id))
    .map((call) => ({ ...other, call, value: null }));
}

const callsByMember = onceFor((facts): ReadonlyMap<string, readonly CallId[]> => {
  const index = new Map<string, CallId[]>();
  facts.calls.forEach((entry, call) => {
    const callee = facts.values[entry.callee];
    if (callee?.kind !== "member" || callee.property === null) return;
    const list = index.get(callee.property);
    if (list === undefined) index.set(callee.property, [call]);
    else list.push(call);
  });
  return index;
});

/** Calls of `self.name` in the classes that a method's class derives from, and those methods themselves. */
export function usesOfBases(subject: Subject, bases: readonly (Module & { readonly id: number })[]): { readonly places: readonly UsePlace[]; readonly methods: readonly Subject[] } {
  const { name } = subject.facts.functions[subject.id]!;
  const places: UsePlace[] = [];
  const methods: Subject[] = [];
  for (const { path, facts, id } of bases) {
    for (const method of membersOf(facts)[id]?.get(name) ?? []) methods.push({ path, facts, id: method });
    for (const call of callsByMember(facts).get(name) ?? []) {
      const callee = facts.values[facts.calls[call]!.callee];
      if (callee?.kind === "member" && isSelf(facts, callee.object, id)) places.push({ path, facts, call, value: null });
    }
  }
  return { places, methods };
}

function isSelf(facts: ModuleFacts, object: ValueId, id: number): boolean {
  const value = facts.values[object];
  const given = value?.kind === "name" ? facts.bindings[value.binding]?.values.map((each) => facts.values[each]) ?? [] : [value];
  return given.some((each) => each?.kind === "self" && each.class === id);
}
