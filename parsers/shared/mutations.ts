import type { BindingId, ValueId } from "../facts.ts";
import type { Resolver } from "./resolver.ts";
import { eachStatement } from "./results.ts";

/** Methods that change their object. */
const MUTATING: ReadonlySet<string> = new Set([
  "add", "append", "appendleft", "clear", "copyWithin", "delete", "discard", "extend", "fill", "insert", "pop", "popitem",
  "push", "remove", "reverse", "set", "setdefault", "shift", "sort", "splice", "unshift", "update", "__setitem__", "__setattr__",
]);
/** Functions that change their first argument. */
const CHANGING: ReadonlySet<string> = new Set(["assign", "defineProperty", "defineProperties", "setPrototypeOf", "setattr", "set", "setitem"]);

/** What the file changes after it was written. */
export interface Mutations {
  /** Names whose object is changed: an item, a member, by a method. */
  readonly bindings: ReadonlySet<BindingId>;
  /** List and table literals given to such names, with all literals inside. */
  readonly literals: ReadonlySet<ValueId>;
  /** Members whose object is changed: `b` of `a.b.c = 1` and `a.b.push(1)`. */
  readonly members: ReadonlySet<string>;
}

/** Read off by looks alone, since what folds depends on it. */
export function mutationsOf(resolver: Resolver): Mutations {
  return resolver.once("mutations", () => findMutations(resolver));
}

function findMutations(resolver: Resolver): Mutations {
  const bindings = new Set<BindingId>();
  const members = new Set<string>();
  const change = (id: ValueId): void => { noteRoot(resolver, id, bindings, members); };
  for (const { body } of resolver.facts.functions) {
    eachStatement(body, (statement) => {
      if (statement.kind === "assign") for (const target of statement.targets) noteTarget(resolver, target, change);
    });
  }
  for (const call of resolver.facts.calls) {
    const callee = resolver.value(call.callee);
    const name = callee.kind === "member" ? callee.property : callee.kind === "name" ? callee.name : null;
    if (name === null) continue;
    if (callee.kind === "member" && MUTATING.has(name)) change(callee.object);
    if (CHANGING.has(name) && call.arguments[0] !== undefined) change(call.arguments[0].value);
  }
  spread(resolver, bindings);
  return { bindings, members, literals: literalsOf(resolver, bindings) };
}

function noteTarget(resolver: Resolver, target: ValueId, change: (id: ValueId) => void): void {
  const pending = [target];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const value = resolver.value(id);
    if (value.kind === "member") change(value.object);
    else if (value.kind === "list") pending.push(...value.items);
    else if (value.kind === "spread") pending.push(value.value);
    else if (value.kind === "table") pending.push(...value.entries.map((entry) => entry.value));
  }
}

function noteRoot(resolver: Resolver, from: ValueId, bindings: Set<BindingId>, members: Set<string>): void {
  let value = resolver.value(from);
  while (value.kind === "member") {
    if (value.property !== null) members.add(value.property);
    value = resolver.value(value.object);
  }
  if (value.kind === "name" && value.binding >= 0) bindings.add(value.binding);
}

/** An object with two names is changed through either. */
function spread(resolver: Resolver, bindings: Set<BindingId>): void {
  const names = new Map<BindingId, BindingId[]>();
  const connect = (a: BindingId, b: BindingId): void => {
    const known = names.get(a);
    if (known === undefined) names.set(a, [b]);
    else known.push(b);
  };
  resolver.facts.bindings.forEach((binding, id) => {
    for (const given of binding.values) {
      const value = resolver.value(given);
      if (value.kind !== "name" || value.binding < 0) continue;
      connect(id, value.binding);
      connect(value.binding, id);
    }
  });
  const pending = [...bindings];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    for (const other of names.get(id) ?? []) {
      if (bindings.has(other)) continue;
      bindings.add(other);
      pending.push(other);
    }
  }
}

function literalsOf(resolver: Resolver, bindings: ReadonlySet<BindingId>): ReadonlySet<ValueId> {
  const literals = new Set<ValueId>();
  const pending: ValueId[] = [];
  for (const id of bindings) for (const value of resolver.facts.bindings[id]!.values) pending.push(value);
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const value = resolver.value(id);
    if (literals.has(id) || (value.kind !== "list" && value.kind !== "table")) continue;
    literals.add(id);
    if (value.kind === "list") for (const item of value.items) pending.push(item);
    else for (const entry of value.entries) pending.push(entry.value);
  }
  return literals;
}
