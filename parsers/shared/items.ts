import type { ValueId } from "../facts.ts";
import type { Resolver } from "./resolver.ts";
import { NO_SHAPES } from "./shapes.ts";
import type { Shape } from "./shapes.ts";
import { Union } from "./union.ts";

/** One item of what is unpacked or iterated over; `index` null: any. */
export function itemShapes(resolver: Resolver, of: ValueId, index: number | null): readonly Shape[] {
  const side = index === null ? null : sideOf(resolver, of, index);
  if (side !== null) return itemShapes(resolver, side, null);
  const union = new Union();
  for (const shape of resolver.shapesOf(of)) union.add(itemOf(resolver, shape, index));
  return union.result(resolver.world);
}

/** The list of which `for client, model in zip(clients, models)` gives an item at a place; null where it is none of those. */
function sideOf(resolver: Resolver, of: ValueId, index: number): ValueId | null {
  const item = resolver.value(of);
  const walked = item.kind === "item" && item.index === null ? resolver.value(item.of) : undefined;
  if (!resolver.isPython || walked?.kind !== "call") return null;
  const { callee, arguments: given } = resolver.call(walked.call);
  const isSpread = given.some(({ value }) => resolver.value(value).kind === "spread");
  const positional = given.filter(({ name }) => name === undefined);
  for (const shape of isSpread ? NO_SHAPES : resolver.shapesOf(callee)) {
    if (shape.kind !== "outside" || shape.isInstance) continue;
    if (ZIPS.has(`${shape.module}.${shape.name ?? ""}`)) return positional[index]?.value ?? null;
    if (index === 1 && shape.module === "builtins" && shape.name === "enumerate") return positional[0]?.value ?? null;
  }
  return null;
}

const ZIPS: ReadonlySet<string> = new Set(["builtins.zip", "itertools.zip_longest"]);

export function itemOf(resolver: Resolver, shape: Shape, index: number | null): readonly Shape[] {
  switch (shape.kind) {
    case "outside": return [shape.instance()];
    case "data": return index === null ? anyItem(resolver, shape.id) : itemAt(resolver, shape.id, index);
    case "values": return anyEntry(resolver, shape.id);
    case "pairs": return [resolver.local("pair", shape.id)];
    case "pair": return index === 0 ? NO_SHAPES : anyOf(resolver, shape);
    default: return NO_SHAPES;
  }
}

/** The item at an index of a list; any where items before it are spread. */
function itemAt(resolver: Resolver, id: ValueId, index: number): readonly Shape[] {
  const value = resolver.value(id);
  if (value.kind !== "list") return anyItem(resolver, id);
  if (index < 0 || index >= firstSpread(resolver, id, value.items)) return anyItem(resolver, id);
  const item = value.items[index];
  return item === undefined ? NO_SHAPES : resolver.shapesOf(item);
}

function firstSpread(resolver: Resolver, id: ValueId, items: readonly ValueId[]): number {
  const known = resolver.once("spreads", () => new Map<ValueId, number>());
  let first = known.get(id);
  if (first === undefined) {
    const found = items.findIndex((item) => resolver.value(item).kind === "spread");
    known.set(id, (first = found < 0 ? Infinity : found));
  }
  return first;
}

/** What iterating gives: the items of a list; the keys of a table, which are nothing. */
function anyItem(resolver: Resolver, id: ValueId): readonly Shape[] {
  return resolver.value(id).kind === "table" ? NO_SHAPES : anyEntry(resolver, id);
}

/** Any value of a list, a table, or of pairs. */
export function anyOf(resolver: Resolver, shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case "outside": return [shape.instance()];
    case "data":
    case "values": return anyEntry(resolver, shape.id);
    case "pairs":
    case "pair": return anyPaired(resolver, shape.id);
    default: return NO_SHAPES;
  }
}

function anyPaired(resolver: Resolver, id: ValueId): readonly Shape[] {
  const value = resolver.value(id);
  if (value.kind !== "list") return anyEntry(resolver, id);
  return resolver.allShapes("paired", id);
}

/** The second items of a list of pairs. */
export function pairedIn(resolver: Resolver, id: ValueId): readonly Shape[] {
  const value = resolver.value(id);
  const union = new Union();
  if (value.kind === "list") for (const item of value.items) union.add(itemShapes(resolver, item, 1));
  return union.result(resolver.world);
}

/** Any value of a literal list or table, or the element of a comprehension. */
export function anyEntry(resolver: Resolver, id: ValueId): readonly Shape[] {
  const value = resolver.value(id);
  if (value.kind === "comprehension") return resolver.shapesOf(elementOf(resolver, value.element));
  return value.kind === "list" || value.kind === "table" ? resolver.allShapes("entries", id) : NO_SHAPES;
}

/** Everything inside a literal list or table. */
export function entriesOf(resolver: Resolver, id: ValueId): readonly Shape[] {
  const value = resolver.value(id);
  const union = new Union();
  if (value.kind === "list") for (const item of value.items) union.add(entryShapes(resolver, item));
  if (value.kind === "table") for (const { key, value: of } of value.entries) union.add(key === null ? spreadShapes(resolver, of) : resolver.shapesOf(of));
  return union.result(resolver.world);
}

function entryShapes(resolver: Resolver, item: ValueId): readonly Shape[] {
  const value = resolver.value(item);
  return value.kind === "spread" ? spreadShapes(resolver, value.value) : resolver.shapesOf(item);
}

/** Everything inside of what is spread. */
function spreadShapes(resolver: Resolver, id: ValueId): readonly Shape[] {
  const value = resolver.value(id);
  const inner = value.kind === "spread" ? value.value : id;
  const union = new Union();
  for (const shape of resolver.shapesOf(inner)) union.add(shape.kind === "outside" ? [shape] : anyOf(resolver, shape));
  return union.result(resolver.world);
}

/** What a comprehension makes; of `{key: value for …}`, whose element is a pair without braces of its own, the value. */
function elementOf(resolver: Resolver, id: ValueId): ValueId {
  const element = resolver.value(id);
  if (element.kind !== "table" || element.entries.length !== 1) return id;
  const { key, value } = element.entries[0]!;
  return key !== null && resolver.value(key).span[0] === element.span[0] ? value : id;
}
