import { functionsOf } from "@agentgate/parsers";
import type { CallId, ClassId, FunctionId, ModuleFacts, Reference, ValueId } from "@agentgate/parsers";
import type { RuleContext, Tree } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { parentsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { endsOfReference, keyOfReference, membersOf } from "./ends.ts";
import type { End, Module } from "./ends.ts";

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
  facts.calls.forEach((entry, call) => {
    for (const id of functionsOf(facts, entry.callee)) note(uses, id, { call, value: null });
  });
  // A function may be handed on inside a list or a table: what is written around it is a call in the end.
  const parents = parentsOf(facts);
  facts.values.forEach((value, id) => {
    if (value.kind !== "function" && value.kind !== "name" && value.kind !== "member") return;
    const call = callAround(facts, parents, id);
    if (call === -1) return;
    for (const each of functionsOf(facts, id)) note(uses, each, { call, value: id });
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
const usesByName = onceFor((facts): ReadonlyMap<string, readonly number[]> => {
  const index = new Map<string, number[]>();
  facts.uses.forEach((use, id) => {
    if (use.role === "type" || use.role === "exception" || use.role === "alias") return;
    for (const name of new Set(use.references.flatMap((reference) => (reference.path.length === 0 ? ["default"] : reference.path)))) note(index, name, id);
  });
  return index;
});

/**
 * The uses of a name in a module, in order, by what of the tree they lead to. A name like `run` stands for many functions
 * and is used a thousand times: where each use leads is looked up once, not for each of the functions.
 */
export function usesByTarget(tree: Tree, module: Module, name: string): UsesByTarget {
  const index = new Map<string, number[]>();
  const known = new Map<string, readonly string[]>();
  const targetsOfReference = (reference: Reference): readonly string[] => {
    const key = keyOfReference(reference);
    let targets = known.get(key);
    if (targets === undefined) known.set(key, (targets = endsOfReference(tree, module, reference).ends.flatMap(targetsOfEnd)));
    return targets;
  };
  for (const use of usesByName(module.facts).get(name) ?? []) {
    for (const target of new Set(module.facts.uses[use]!.references.flatMap(targetsOfReference))) note(index, target, use);
  }
  return index;
}

/** Indexes of uses by target. */
export type UsesByTarget = ReadonlyMap<string, readonly number[]>;

/** A call of a function is meant by the function itself, that of a constructor by its class or something made of it. */
function targetsOfEnd({ kind, id, path, made }: End): readonly string[] {
  if (kind !== "function") return [`class ${id} ${path}`];
  return made ? [] : [`function ${id} ${path}`];
}

function targetsOf({ path, facts, id }: Subject): readonly string[] {
  const subject = facts.functions[id]!;
  const own = `function ${id} ${path}`;
  return isConstructor(subject.name, subject.kind) ? [own, `class ${subject.class} ${path}`] : [own];
}

/** The calls of another module that run a function. `names` are those under which it can be known there. */
export function usesElsewhere(subject: Subject, names: readonly string[], other: Module, callers: CallersByName): readonly UsePlace[] {
  const places: UsePlace[] = [];
  const seen = new Set<number>();
  const parents = parentsOf(other.facts);
  const targets = targetsOf(subject);
  for (const name of names) {
    if (!usesByName(other.facts).has(name)) continue;
    const byTarget = callers.usesOf(other, name);
    for (const index of inOrder(targets.map((target) => byTarget.get(target) ?? []))) {
      if (seen.has(index)) continue;
      seen.add(index);
      const use = other.facts.uses[index]!;
      const call = use.role === "call" ? use.call ?? -1 : callAround(other.facts, parents, use.value);
      if (call !== -1) places.push({ ...other, call, value: use.role === "call" ? null : use.value });
    }
  }
  places.push(...untoldCalls(subject, other, callers).filter((place) => !places.some((known) => known.call === place.call)));
  return places;
}

/** The names by which `usesElsewhere` can find anything in a module. */
export function namesUsedIn(facts: ModuleFacts): ReadonlySet<string> {
  return new Set([...usesByName(facts).keys(), ...callsByMember(facts).keys()]);
}

/** What is known of the uses and calls of names in a module. */
export interface CallersByName {
  usesOf(module: Module, name: string): UsesByTarget;
  /** Of the calls of a method. */
  methodCallsOf(module: Module, name: string): CallsByTarget;
}

function inOrder([first = [], ...others]: readonly (readonly number[])[]): readonly number[] {
  return others.every((each) => each.length === 0) ? first : [...first, ...others.flat()].sort((one, other) => one - other);
}

export function isConstructor(name: string, kind: string): boolean {
  return kind === "constructor" || kind === "initializer" || name === "__init__" || name === "__new__" || name === "__post_init__";
}

/** Calls by the function that they run. */
export type CallsByTarget = ReadonlyMap<string, readonly CallId[]>;

/** The calls of a method in a module by the functions that they run, be it that only its name tells its class. */
export function methodCallsByTarget(context: RuleContext, module: Module, name: string): CallsByTarget {
  const index = new Map<string, CallId[]>();
  const effects = effectsOf(module.facts, { ...context, path: module.path });
  for (const call of callsByMember(module.facts).get(name) ?? []) {
    for (const target of new Set(effects.callees(call).map((callee) => `function ${callee.function} ${callee.path}`))) note(index, target, call);
  }
  return index;
}

function note<K, T>(index: Map<K, T[]>, key: K, entry: T): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [entry]);
  else list.push(entry);
}

/** Calls of a method on handles whose class only its name tells. */
function untoldCalls(subject: Subject, other: Module, callers: CallersByName): readonly UsePlace[] {
  const { name, class: owner } = subject.facts.functions[subject.id]!;
  if (owner === -1 || !callsByMember(other.facts).has(name)) return [];
  const [own] = targetsOf(subject);
  return (callers.methodCallsOf(other, name).get(own!) ?? []).map((call) => ({ ...other, call, value: null }));
}

const callsByMember = onceFor((facts): ReadonlyMap<string, readonly CallId[]> => {
  const index = new Map<string, CallId[]>();
  facts.calls.forEach((entry, call) => {
    const callee = facts.values[entry.callee];
    if (callee?.kind !== "member" || callee.property === null) return;
    note(index, callee.property, call);
  });
  return index;
});

/** Calls of `self.name` in a class that a method's class derives from, and the methods that it has of the name. */
export function usesOfBase(subject: Subject, { path, facts, id }: Module & { readonly id: ClassId }): { readonly places: readonly UsePlace[]; readonly methods: readonly Subject[] } {
  const { name } = subject.facts.functions[subject.id]!;
  const methods = (membersOf(facts)[id]?.get(name) ?? []).map((method) => ({ path, facts, id: method }));
  const places = (callsByMember(facts).get(name) ?? []).flatMap((call): UsePlace[] => {
    const callee = facts.values[facts.calls[call]!.callee];
    return callee?.kind === "member" && isSelf(facts, callee.object, id) ? [{ path, facts, call, value: null }] : [];
  });
  return { places, methods };
}

function isSelf(facts: ModuleFacts, object: ValueId, id: number): boolean {
  const value = facts.values[object];
  const given = value?.kind === "name" ? facts.bindings[value.binding]?.values.map((each) => facts.values[each]) ?? [] : [value];
  return given.some((each) => each?.kind === "self" && each.class === id);
}
