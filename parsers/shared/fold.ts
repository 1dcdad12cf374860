import type { BindingId, Value, ValueId } from "../facts.ts";
import { foldCall } from "./fold-calls.ts";
import { foldMember } from "./fold-members.ts";
import { binary, unary } from "./fold-operators.ts";
import { anyOfAll, combinations, items, lifted, listOf, MAX_ITEMS, text, written } from "./folded.ts";
import type { Alternatives, Folded } from "./folded.ts";
import { loopBinding } from "./loops.ts";
import { mutationsOf } from "./mutations.ts";
import type { Resolver } from "./resolver.ts";

export type { Alternatives, Folded } from "./folded.ts";

/** How deep expressions are folded inside a comprehension or a called function, where nothing is remembered. */
const MAX_DEPTH = 60;

/**
 * Where an expression is folded. At the top everything is remembered by the resolver; inside a comprehension or a
 * called function some names have the values of the moment.
 */
export class Folding {
  readonly resolver: Resolver;
  private readonly names: ReadonlyMap<BindingId, Folded> | null;
  private depth: number;

  constructor(resolver: Resolver, names: ReadonlyMap<BindingId, Folded> | null = null, depth = 0) {
    this.resolver = resolver;
    this.names = names;
    this.depth = depth;
  }

  of(id: ValueId): Alternatives {
    if (this.names === null) return this.resolver.foldOf(id);
    if (this.depth >= MAX_DEPTH || this.resolver.foldingLeft-- <= 0) return null;
    this.depth++;
    const folded = fold(this, id);
    this.depth--;
    return folded;
  }

  /** The value of the moment of a name. */
  given(binding: BindingId): Folded | undefined {
    return this.names?.get(binding);
  }

  /** Goes into something with values for its own names. */
  inside(names: ReadonlyMap<BindingId, Folded>): Folding {
    return new Folding(this.resolver, new Map([...(this.names ?? []), ...names]), this.depth + 1);
  }
}

export function foldValue(resolver: Resolver, id: ValueId): Alternatives {
  return fold(new Folding(resolver), id);
}

function fold(folding: Folding, id: ValueId): Alternatives {
  const value = folding.resolver.value(id);
  switch (value.kind) {
    case "string": return [value.bytes ? { value: value.value, bytes: true } : { value: value.value }];
    case "number": return Number.isNaN(value.value) ? null : [{ value: value.value }];
    case "constant": return [{ value: value.value }];
    case "name": return foldName(folding, value);
    case "member": return foldMember(folding, value);
    case "call": return foldCall(folding, value.call);
    case "list": return foldList(folding, value.items);
    case "spread":
    case "await":
    case "assigned": return folding.of(value.value);
    case "template": return value.tag === undefined ? foldTemplate(folding, value.parts) : null;
    case "logical": return foldLogical(folding, value);
    case "conditional": return anyOfAll([folding.of(value.then), folding.of(value.else)]);
    case "binary": return foldBinary(folding, value);
    case "unary": return lifted([folding.of(value.value)], ([operand]) => unary(value.operator, operand!));
    case "item": return foldItem(folding, value.of, value.index);
    case "comprehension": return foldComprehension(folding, value);
    case "parameter": return null;
    default: return null;
  }
}

function foldName(folding: Folding, { name, binding }: Extract<Value, { kind: "name" }>): Alternatives {
  const { resolver } = folding;
  if (binding < 0) return name === "Infinity" && !resolver.isPython ? [{ value: Infinity }] : null;
  const given = folding.given(binding);
  if (given !== undefined) return [given];
  const { values, rebound } = resolver.facts.bindings[binding]!;
  if (rebound || values.length === 0 || values.length > MAX_ITEMS) return null;
  const folded = resolver.rememberFold(`binding ${binding}`, () => anyOfAll(values.map((value) => resolver.foldOf(value))));
  // A list is what was written only as long as nothing is added to it.
  const isList = folded?.some((alternative) => Array.isArray(alternative.value)) ?? false;
  return isList && mutationsOf(resolver).bindings.has(binding) ? null : folded;
}

function foldList(folding: Folding, ids: readonly ValueId[]): Alternatives {
  if (ids.length > MAX_ITEMS) return null;
  const { resolver } = folding;
  const isSpread = ids.map((id) => resolver.value(id).kind === "spread");
  return lifted(ids.map((id) => folding.of(id)), (parts) => {
    const all: Folded[] = [];
    for (const [index, part] of parts.entries()) {
      const inside = isSpread[index] ? items(part) : [part];
      if (inside === null) return null;
      all.push(...inside);
    }
    return listOf(all);
  });
}

export function foldTemplate(folding: Folding, parts: readonly ValueId[]): Alternatives {
  return lifted(parts.map((part) => folding.of(part)), (values) => {
    const isBytes = values.every((value) => value.bytes);
    const pieces = values.map((value) => (isBytes ? (value.value as string) : written(value, folding.resolver.isPython)));
    return pieces.includes(null) ? null : text(pieces.join(""), values, isBytes && values.length > 0);
  });
}

/** `a or b` is b only where a is falsy, and so on; what is on the side that cannot be the result need not fold. */
function foldLogical(folding: Folding, value: Extract<Value, { kind: "logical" }>): Alternatives {
  const left = folding.of(value.left);
  if (left === null) return null;
  const passes = ({ value: of }: Folded): boolean => {
    if (value.operator === "??") return of === null;
    const isTruthy = Array.isArray(of) ? of.length > 0 || !folding.resolver.isPython : Boolean(of);
    return isTruthy === (value.operator === "and");
  };
  const kept = left.filter((folded) => !passes(folded));
  return kept.length === left.length ? kept : anyOfAll([kept, folding.of(value.right)]);
}

/** Chains like `a + b + c + …` are thousands long in generated code, so their left side is not folded by recursion. */
function foldBinary(folding: Folding, value: Extract<Value, { kind: "binary" }>): Alternatives {
  const { resolver } = folding;
  const rights: (readonly [operator: string, right: ValueId])[] = [];
  let left: ValueId = value.left;
  rights.push([value.operator, value.right]);
  for (let inner = resolver.value(left); inner.kind === "binary"; inner = resolver.value(left)) {
    rights.push([inner.operator, inner.right]);
    left = inner.left;
  }
  let folded = folding.of(left);
  for (let index = rights.length - 1; index >= 0 && folded !== null; index--) {
    const [operator, right] = rights[index]!;
    folded = lifted([folded, folding.of(right)], ([a, b]) => binary(operator, a!, b!, resolver.isPython));
  }
  return folded;
}

function foldItem(folding: Folding, of: ValueId, index: number | null): Alternatives {
  const folded = folding.of(of);
  if (folded === null) return null;
  const inside = folded.map((list) => {
    const all = items(list);
    if (all === null) return null;
    if (index === null) return all.length === 0 ? null : all;
    const item = all[index];
    return item === undefined ? null : [item];
  });
  return anyOfAll(inside);
}

/** `[f(x) for x in items]`, one name and no condition. */
function foldComprehension(folding: Folding, value: Extract<Value, { kind: "comprehension" }>): Alternatives {
  const { resolver } = folding;
  const [iterable] = value.iterables;
  if (value.iterables.length !== 1 || iterable === undefined) return null;
  const binding = loopBinding(resolver, iterable);
  const lists = combinations([folding.of(iterable)]);
  if (binding === undefined || lists === null || lists.length > 4) return null;
  return anyOfAll(lists.map(([list]) => foldEach(folding, items(list), binding, value.element)));
}

function foldEach(folding: Folding, all: readonly Folded[] | null, binding: BindingId, element: ValueId): Alternatives {
  if (all === null) return null;
  const results: Folded[] = [];
  for (const item of all) {
    const folded = folding.inside(new Map([[binding, item]])).of(element);
    // Several results for one item would multiply with every item.
    if (folded?.length !== 1) return null;
    results.push(folded[0]!);
  }
  const list = listOf(results);
  return list === null ? null : [list];
}
