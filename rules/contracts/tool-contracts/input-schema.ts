import type { Entry, Mapping, Place, Value } from "@agentgate/parsers/contract";
import type { Given } from "../fields.ts";

/** One schema within a tool's JSON Schema. */
export interface Node {
  readonly mapping: Mapping;
  /** The schema that it is a part of by `allOf` and the like: what one of them says holds for both. */
  readonly beside: Node | null;
  readonly properties: readonly Entry[];
  /** Its own properties, and those of its parts. */
  readonly names: Set<string>;
  /** Whether a reference or a pattern gives it properties that are not read here. */
  isOpenEnded: boolean;
}

const PART_LISTS = ["allOf", "anyOf", "oneOf"];
const PARTS = ["not", "if", "then", "else"];
const INNER_MAPS = ["patternProperties", "$defs", "definitions"];
const INNER = ["items", "prefixItems", "additionalItems", "contains", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "propertyNames"];
const OPEN_ENDED = ["$ref", "$dynamicRef", "patternProperties"];

/** A schema as the table hands it on, as a mapping again. */
export function mappingOf({ at, value }: Given<ReadonlyMap<string, Given<unknown>>>): Mapping {
  // What a table takes as anything is the node that the reader gave.
  return { kind: "mapping", at, entries: [...value].map(([key, given]) => ({ key, keyAt: given.at, value: given.value as Value })) };
}

export function entryOf(mapping: Mapping, key: string): Entry | undefined {
  return mapping.entries.find((entry) => entry.key === key);
}

/** Where an entry's value is shown: on the line of its key, else at the key. */
export function placeOf({ keyAt, value: { at } }: Entry): Place {
  return at.line === keyAt.line && at.length > 0 ? at : keyAt;
}

/** Every schema of a tool's schema, the root first. Recursive in the nesting, which the reader bounds. */
export function nodesOf(mapping: Mapping, beside: Node | null = null): Node[] {
  const properties = mappingAt(mapping, "properties");
  const node: Node = { mapping, beside, properties, names: new Set(properties.map(({ key }) => key)), isOpenEnded: OPEN_ENDED.some((key) => entryOf(mapping, key) !== undefined) };
  const parts = [...PART_LISTS, ...PARTS].flatMap((key) => schemasIn(entryOf(mapping, key)?.value)).concat(mappingAt(mapping, "dependentSchemas").flatMap(({ value }) => schemasIn(value)));
  const inner = [...properties, ...INNER_MAPS.flatMap((key) => mappingAt(mapping, key))].flatMap(({ value }) => schemasIn(value)).concat(INNER.flatMap((key) => schemasIn(entryOf(mapping, key)?.value)));
  const further = [...parts.flatMap((part) => partOf(part, node)), ...inner.flatMap((one) => nodesOf(one))];
  return [node, ...further];
}

function partOf(part: Mapping, whole: Node): Node[] {
  const nodes = nodesOf(part, whole);
  const [own] = nodes;
  for (const name of own!.names) whole.names.add(name);
  whole.isOpenEnded ||= own!.isOpenEnded;
  return nodes;
}

function mappingAt(mapping: Mapping, key: string): readonly Entry[] {
  const value = entryOf(mapping, key)?.value;
  return value?.kind === "mapping" ? value.entries : [];
}

function schemasIn(value: Value | undefined): Mapping[] {
  if (value?.kind === "mapping") return [value];
  return value?.kind === "list" ? value.items.filter((item) => item.kind === "mapping") : [];
}

/** Whether a name is a property of a schema, or may be. */
export function hasProperty(node: Node, name: string): boolean {
  for (let one: Node | null = node; one !== null; one = one.beside) if (one.isOpenEnded || one.names.has(name)) return true;
  return false;
}

/** Whether it is for this schema to say that there are no other properties: its whole says so for its parts. */
export function isJudgedWhole({ beside, properties }: Node): boolean {
  if (properties.length === 0) return false;
  for (let one = beside; one !== null; one = one.beside) if (one.properties.length > 0) return false;
  return true;
}

/** The names that `required` lists; what it is instead, where it is no list of names. */
export function requiredOf({ mapping }: Node): { readonly names: readonly { readonly name: string; readonly at: Place }[]; readonly odd: Place | null } {
  const entry = entryOf(mapping, "required");
  if (entry === undefined) return { names: [], odd: null };
  if (entry.value.kind !== "list") return { names: [], odd: placeOf(entry) };
  const names = entry.value.items.flatMap((item) => (item.kind === "scalar" && typeof item.value === "string" ? [{ name: item.value, at: item.at }] : []));
  return { names, odd: names.length === entry.value.items.length ? null : placeOf(entry) };
}
