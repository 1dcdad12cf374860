import type { Value, ValueId } from "../facts.ts";
import type { Folding } from "./fold.ts";
import { anyOfAll, integer, items, lengthOfFolded, lifted, listOf, MAX_ITEMS, string, text } from "./folded.ts";
import type { Alternatives, Folded } from "./folded.ts";
import { mutationsOf } from "./mutations.ts";
import type { Shape } from "./shapes.ts";
import { keysOfTable } from "./members.ts";

type Member = Extract<Value, { kind: "member" }>;

/** A slice, an item, an entry of a table, a constant of a class or of the standard library. */
export function foldMember(folding: Folding, member: Member): Alternatives {
  const { resolver } = folding;
  const key = member.key === null ? null : resolver.value(member.key);
  if (key?.kind === "binary" && key.operator === ":") return foldSlice(folding, member.object, key);
  const shapes = resolver.shapesOf(member.object);
  if (shapes.length > 0) return foldOf(folding, member, shapes);
  const isIndexed = member.subscript === true || member.property === "length";
  return isIndexed ? foldIndex(folding, member) : null;
}

function foldOf(folding: Folding, member: Member, shapes: readonly Shape[]): Alternatives {
  if (shapes.length > 16) return null;
  return anyOfAll(shapes.map((shape) => {
    switch (shape.kind) {
      case "data": return foldEntry(folding, shape.id, member);
      case "class":
      case "instance": return member.property === null ? null : foldAttribute(folding, shape.id, member.property);
      case "outside": return member.property === null ? null : libraryConstant(folding, shape.member(member.property).api);
      default: return null;
    }
  }));
}

function libraryConstant({ resolver }: Folding, api: string): Alternatives {
  const { constants } = resolver.vocabulary;
  return Object.hasOwn(constants, api) ? [{ value: constants[api]! }] : null;
}

/** An attribute that is only ever given constants. */
function foldAttribute({ resolver }: Folding, id: number, name: string): Alternatives {
  const { attributes, binding } = resolver.facts.classes[id]!;
  if (!Object.hasOwn(attributes, name)) return null;
  const values = attributes[name]!;
  const folded = values.length > MAX_ITEMS ? null : anyOfAll(values.map((value) => resolver.foldOf(value)));
  if (folded === null) return null;
  const { bindings, members } = mutationsOf(resolver);
  return bindings.has(binding) || members.has(name) ? null : folded;
}

/** An entry of a literal list or table: that of the key, or any where the key does not fold. */
function foldEntry(folding: Folding, id: ValueId, member: Member): Alternatives {
  const folded = foldWritten(folding, id, member);
  // Asked last: it takes a look at the whole file.
  return folded === null || mutationsOf(folding.resolver).literals.has(id) ? null : folded;
}

function foldWritten(folding: Folding, id: ValueId, member: Member): Alternatives {
  const { resolver } = folding;
  const value = resolver.value(id);
  if (value.kind !== "table") return member.subscript || member.property === "length" ? foldIndex(folding, member) : null;
  if (resolver.isPython && !member.subscript) return null;
  const keys = member.property === null ? keysOf(folding, member.key) : [member.property];
  return keys === null ? anyEntry(folding, id, value) : anyOfAll(keys.map((key) => entryAt(folding, id, value, key)));
}

type Table = Extract<Value, { kind: "table" }>;

function keysOf(folding: Folding, key: ValueId | null): readonly string[] | null {
  const folded = key === null ? null : folding.of(key);
  const names = folded?.map(({ value }) => (typeof value === "string" || typeof value === "number" ? String(value) : null)) ?? [null];
  return names.includes(null) ? null : (names as string[]);
}

export function anyEntry({ resolver }: Folding, id: ValueId, { entries }: Table): Alternatives {
  return resolver.rememberFold(`entries ${id}`, () => {
    if (entries.length > MAX_ITEMS || entries.some((entry) => entry.key === null)) return null;
    return anyOfAll(entries.map((entry) => resolver.foldOf(entry.value)));
  });
}

/** The last entry of a key counts. With a key or spread that is not known, nothing is. */
export function entryAt(folding: Folding, id: ValueId, table: Table, name: string): Alternatives {
  const { byName, computed, spread } = keysOfTable(folding.resolver, id, table);
  if (computed.length > 0 || spread.length > 0) return null;
  const last = byName.get(name)?.at(-1);
  return last === undefined ? null : folding.of(last);
}

/** `"text"[0]`, `["a", "b"][1]`, `.length`; any item of a list where the index does not fold. */
function foldIndex(folding: Folding, member: Member): Alternatives {
  const object = folding.of(member.object);
  if (object === null) return null;
  if (member.property === "length" && !folding.resolver.isPython) return lifted([object], ([of]) => lengthOfFolded(of));
  const indexes = keysOf(folding, member.key) ?? (member.property === null ? null : [member.property]);
  if (indexes === null) return anyOfAll(object.map((of) => (Array.isArray(of.value) ? items(of) : null)));
  return lifted([object, indexes.map((index) => ({ value: index }))], ([of, index]) => itemAt(of!, Number(index!.value), folding.resolver.isPython));
}

export function itemAt(of: Folded, index: number, fromEnd: boolean): Folded | null {
  if (!Number.isInteger(index)) return null;
  if (typeof of.value === "string" && !of.bytes) {
    const char = fromEnd ? [...of.value].at(index) : of.value[index];
    return char === undefined ? null : text(char, [of]);
  }
  const all = items(of);
  return (fromEnd ? all?.at(index) : all?.[index]) ?? null;
}

/** `[start:stop:step]`, where the step is the right of an outer `:`. */
function foldSlice(folding: Folding, object: ValueId, key: Extract<Value, { kind: "binary" }>): Alternatives {
  const left = folding.resolver.value(key.left);
  const hasStep = left.kind === "binary" && left.operator === ":";
  const range = hasStep ? left : key;
  const step: Alternatives = hasStep ? folding.of(key.right) : [{ value: null }];
  return lifted([folding.of(object), folding.of(range.left), folding.of(range.right), step], ([of, start, stop, by]) =>
    slice(of!, integer(start), integer(stop), integer(by) ?? 1));
}

/** Python's slice; the text turned round counts as decoded. */
export function slice(of: Folded, start: number | null, stop: number | null, step: number): Folded | null {
  const source = typeof of.value === "string" ? [...of.value].map((value): Folded => ({ value })) : items(of);
  if (source === null || step === 0) return null;
  const { length } = source;
  const clamp = (index: number, low: number, high: number): number => Math.min(Math.max(index < 0 ? index + length : index, low), high);
  const from = start === null ? (step > 0 ? 0 : length - 1) : clamp(start, step > 0 ? 0 : -1, step > 0 ? length : length - 1);
  const to = stop === null ? (step > 0 ? length : -1) : clamp(stop, step > 0 ? 0 : -1, step > 0 ? length : length - 1);
  const taken: Folded[] = [];
  for (let index = from; step > 0 ? index < to : index > to; index += step) taken.push(source[index]!);
  const folded = typeof of.value === "string" ? text(taken.map(({ value }) => value as string).join(""), [of], of.bytes) : listOf(taken, [of]);
  return folded !== null && step < 0 ? { ...folded, decoded: true } : folded;
}

export function sliceBetween(of: Folded, start: Folded | undefined, stop: Folded | undefined): Folded | null {
  if (string(of) === null && items(of) === null) return null;
  return slice(of, start === undefined ? null : integer(start), stop === undefined ? null : integer(stop), 1);
}
