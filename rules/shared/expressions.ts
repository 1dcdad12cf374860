import { referencesOf } from "@agentgate/parsers";
import type { BindingId, Call, ModuleFacts, Reference, Value, ValueId } from "@agentgate/parsers";
import { onceFor } from "./indexes.ts";

const NONE: readonly ValueId[] = [];

/** The expressions directly inside one, in source order. */
export function childrenOf(facts: ModuleFacts, value: Value): readonly ValueId[] {
  switch (value.kind) {
    case "member":
      return value.key === null ? [value.object] : [value.object, value.key];
    case "call": {
      const call = facts.calls[value.call];
      return call === undefined ? NONE : [call.callee, ...call.arguments.map((argument) => argument.value)];
    }
    case "list":
      return value.items;
    case "table":
      return value.entries.flatMap((entry) => (entry.key === null ? [entry.value] : [entry.key, entry.value]));
    case "template":
      return value.tag === undefined ? value.parts : [value.tag, ...value.parts];
    case "logical":
    case "binary":
      return [value.left, value.right];
    case "conditional":
      return [value.test, value.then, value.else];
    case "spread":
    case "unary":
    case "await":
    case "assigned":
      return [value.value];
    case "yield":
      return value.value === null ? NONE : [value.value];
    case "comprehension":
      return [value.element, ...value.iterables];
    case "item":
      return [value.of];
    case "caught":
      return value.types;
    case "opaque":
      return value.of;
    default:
      return NONE;
  }
}

/** For each expression the one written around it, or -1. Items of an unpacking do not count as written. */
export const parentsOf = onceFor((facts): Int32Array => {
  const parents = new Int32Array(facts.values.length).fill(-1);
  for (let id = 0; id < facts.values.length; id++) {
    const value = facts.values[id]!;
    switch (value.kind) {
      case "string":
      case "name":
      case "item":
      case "caught":
        break;
      case "member":
        claim(parents, value.object, id);
        if (value.key !== null) claim(parents, value.key, id);
        break;
      case "call": {
        const call = facts.calls[value.call]!;
        claim(parents, call.callee, id);
        for (const argument of call.arguments) claim(parents, argument.value, id);
        break;
      }
      default:
        for (const child of childrenOf(facts, value)) claim(parents, child, id);
    }
  }
  return parents;
});

function claim(parents: Int32Array, child: ValueId, parent: ValueId): void {
  if (parents[child] === -1) parents[child] = parent;
}

/** The expression without what does not change which thing it is: await, walrus, spread, a type that is only told. */
export function bare(facts: ModuleFacts, id: ValueId): ValueId {
  let current = id;
  for (let step = 0; step < 32; step++) {
    const value = facts.values[current];
    const inner = value?.kind === "await" || value?.kind === "assigned" || value?.kind === "spread" ? value.value
      : value?.kind === "call" ? castOf(facts.calls[value.call]) : undefined;
    if (inner === undefined) return current;
    current = inner;
  }
  return current;
}

const CASTS: readonly string[] = ["typing.cast", "typing_extensions.cast"];

/** `cast(Queue, self.queue)` is `self.queue`. */
function castOf(call: Call | undefined): ValueId | undefined {
  return call?.arguments.length === 2 && callsApi(call, CASTS) ? call.arguments[1]!.value : undefined;
}

const MAX_ORIGINS = 32;

/**
 * The expressions that one can stand for, names followed to what they were given and choices to their branches.
 * A name that nothing in the file gives a value stays itself. At most 32; `complete` is false past that.
 */
export function originsOf(facts: ModuleFacts, id: ValueId): { readonly values: readonly ValueId[]; readonly complete: boolean } {
  const first = bare(facts, id);
  const alternatives = alternativesOf(facts, first);
  // Most expressions stand for themselves.
  if (alternatives === null) return { values: [first], complete: true };
  const found: ValueId[] = [];
  const seen = new Set<ValueId>([first]);
  const pending = [...alternatives];
  while (pending.length > 0) {
    if (seen.size > 4 * MAX_ORIGINS || found.length >= MAX_ORIGINS) return { values: found, complete: false };
    const current = bare(facts, pending.pop()!);
    if (seen.has(current)) continue;
    seen.add(current);
    const next = alternativesOf(facts, current);
    if (next === null) found.push(current);
    else pending.push(...next);
  }
  return { values: found, complete: true };
}

function alternativesOf(facts: ModuleFacts, id: ValueId): readonly ValueId[] | null {
  const value = facts.values[id];
  if (value?.kind === "conditional") return [value.then, value.else];
  if (value?.kind === "logical") return [value.left, value.right];
  if (value?.kind === "member") {
    const attributes = attributeValues(facts, value);
    return attributes.length > 0 ? attributes : null;
  }
  if (value?.kind !== "name") return null;
  const binding = facts.bindings[value.binding];
  if (binding === undefined || binding.rebound === true || binding.values.length === 0) return null;
  return binding.values;
}

/** What `self.name` / `this.name` / `Class.name` was given anywhere in its class. */
function attributeValues(facts: ModuleFacts, member: Extract<Value, { kind: "member" }>): readonly ValueId[] {
  if (member.property === null) return NONE;
  const attributes = facts.classes[classOf(facts, member.object)]?.attributes;
  if (attributes === undefined || !Object.hasOwn(attributes, member.property)) return NONE;
  return attributes[member.property] ?? NONE;
}

/** The class that an expression is, or is the object of inside its methods; -1 where it is neither. */
function classOf(facts: ModuleFacts, id: ValueId): number {
  const written = facts.values[id];
  const given = written?.kind === "name" ? facts.bindings[written.binding]?.values : undefined;
  const value = given?.length === 1 ? facts.values[given[0]!] : written;
  return value?.kind === "self" || value?.kind === "class" ? value.class : -1;
}

/** Whether `accept` holds for an expression in the whole of what one is built from; names are followed. Bounded. */
export function someIngredient(
  facts: ModuleFacts, id: ValueId, accept: (value: Value, id: ValueId) => boolean, limit = 200,
): boolean {
  const seen = new Set<ValueId>();
  const pending = [id];
  while (pending.length > 0 && seen.size < limit) {
    const current = pending.pop()!;
    const value = facts.values[current];
    if (value === undefined || seen.has(current)) continue;
    seen.add(current);
    if (accept(value, current)) return true;
    pending.push(...childrenOf(facts, value));
    if (value.kind === "name") pending.push(...(facts.bindings[value.binding]?.values ?? NONE));
    else if (value.kind === "member") pending.push(...attributeValues(facts, value));
  }
  return false;
}

/** The names of the file's own variables and parameters that an expression is made from, transitively. */
export function sourceBindings(facts: ModuleFacts, id: ValueId): Set<BindingId> {
  const bindings = new Set<BindingId>();
  someIngredient(facts, id, (value) => {
    if (value.kind !== "name" || value.binding < 0) return false;
    const kind = facts.bindings[value.binding]?.kind;
    if (kind === "parameter" || kind === "variable" || kind === "constant") bindings.add(value.binding);
    return false;
  });
  return bindings;
}

/** The dotted name of a reference without decoration: `importlib.import_module`, `globalThis.fetch`, `fs.writeFile`. */
export function apiName(reference: Reference): string {
  const module = reference.module.startsWith("node:") ? reference.module.slice(5) : reference.module;
  const path = reference.path[0] === "default" && module !== "globalThis" ? reference.path.slice(1) : reference.path;
  return [module, ...(module === "globalThis" ? withoutGlobalObject(path) : path)].join(".");
}

const GLOBAL_OBJECTS = new Set(["globalThis", "window", "global", "self", "top", "parent", "frames"]);

function withoutGlobalObject(path: readonly string[]): readonly string[] {
  let start = 0;
  while (start < path.length && GLOBAL_OBJECTS.has(path[start]!)) start++;
  return path.slice(start);
}

/** As people write it: builtins and globals without their module. */
export function shownName(reference: Reference): string {
  const name = apiName(reference);
  return name.replace(/^(?:builtins|globalThis)\./, "");
}

/** As `isApi` of its callee, which the facts hold already. */
export function callsApi({ references }: Call, names: readonly string[]): boolean {
  return references.length > 0 && references.some((reference) => isOneOf(reference, names));
}

/** Names are put together only for what ends like one that is asked for. */
function isOneOf(reference: Reference, names: readonly string[]): boolean {
  if (reference.computed === true) return false;
  const last = reference.path.at(-1);
  const mayBe = last === undefined || last === "default" || GLOBAL_OBJECTS.has(last) || names.some((name) => name.endsWith(last));
  return mayBe && names.includes(apiName(reference));
}

/** Whether an expression can be one of the named APIs (as `apiName` writes them). */
export function isApi(facts: ModuleFacts, id: ValueId, names: readonly string[]): boolean {
  return referencesOf(facts, id).some((reference) => isOneOf(reference, names));
}
