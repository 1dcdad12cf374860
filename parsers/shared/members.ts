import type { Value, ValueId } from "../facts.ts";
import { anyEntry, anyOf, itemOf } from "./items.ts";
import { globalShapes } from "./names.ts";
import { readText } from "./text.ts";
import type { Resolver } from "./resolver.ts";
import { withoutScheme } from "./outside.ts";
import type { Outside } from "./outside.ts";
import { NO_SHAPES } from "./shapes.ts";
import type { Reach, Shape } from "./shapes.ts";
import { Union } from "./union.ts";

type Member = Extract<Value, { kind: "member" }>;

/** What `object.name` or `object[key]` can be. */
export function shapesOfMember(resolver: Resolver, member: Member): readonly Shape[] {
  const namespace = namespaceOf(resolver, member);
  if (namespace !== null) return namespace;
  const objects = resolver.shapesOf(member.object);
  if (objects.length === 0) return NO_SHAPES;
  const isNamed = member.property !== null && !(member.subscript && resolver.isPython);
  if (isNamed && objects.length === 1) return namedMember(resolver, objects[0]!, member.property, member);
  const union = new Union();
  if (isNamed) {
    for (const object of objects) union.add(namedMember(resolver, object, member.property, member));
  } else {
    const keys = keysOf(resolver, member, objects);
    for (const object of objects) for (const key of keys) union.add(keyedMember(resolver, object, key));
  }
  return union.result(resolver.world);
}

/** `f.__globals__`, `frame.f_builtins`: a table of names, whatever the object is. `frame.contentWindow` has what the global object has. */
function namespaceOf(resolver: Resolver, { property, subscript }: Member): readonly Shape[] | null {
  const { vocabulary, world } = resolver;
  if (property === null || subscript === true || !Object.hasOwn(vocabulary.namespaces, property)) return null;
  const namespace = vocabulary.namespaces[property];
  if (namespace === "global") return [world.module("globalThis")];
  if (namespace === "document") return [world.module("globalThis").child("document")];
  return namespace === "names" ? [resolver.local("names", 0)] : [{ kind: "members", of: [world.module("builtins")] }];
}

/** The keys that an expression in brackets can be; one that does not fold is told by `name` null. */
function keysOf(resolver: Resolver, member: Member, objects: readonly Shape[]): readonly Reach[] {
  if (member.property !== null) return [{ name: member.property, through: undefined }];
  // A key is folded only where something can come of it.
  if (member.key === null || objects.every((object) => object.kind === "function" || object.kind === "pair")) return [UNKNOWN];
  return readText(resolver, member.key) ?? [UNKNOWN];
}

const UNKNOWN: Reach = { name: null, through: undefined };

const PROMISE: ReadonlySet<string> = new Set(["then", "catch", "finally"]);

/** `object.name`; in ECMAScript also `object["name"]`. */
function namedMember(resolver: Resolver, object: Shape, name: string, member: Member): readonly Shape[] {
  switch (object.kind) {
    // `import("fs").then` is a promise's, and no member of the module.
    case "outside": return object.length === 0 && !resolver.isPython && PROMISE.has(name) ? NO_SHAPES : [outsideMember(resolver, object, name)];
    case "class":
    case "instance": return instanceMember(resolver, object.kind, object.id, name);
    case "function": return functionMember(resolver, object.id, name);
    case "data": return resolver.isPython ? NO_SHAPES : entry(resolver, object.id, name);
    case "pairs":
    case "values": return resolver.isPython ? NO_SHAPES : anyOf(resolver, object);
    case "pair": return member.subscript ? itemOf(resolver, object, Number(name)) : NO_SHAPES;
    default: return NO_SHAPES;
  }
}

/** A member by text: `getattr(object, "name")`, `object[key]` of ECMAScript. */
export function reachedMember(resolver: Resolver, object: Shape, reach: Reach): readonly Shape[] {
  if (object.kind === "outside") {
    if (reach.name === null) return [object.computed().through(reach.through)];
    return [outsideMember(resolver, object, reach.name).through(reach.through)];
  }
  if (object.kind === "data") return reach.name === null ? anyEntry(resolver, object.id) : entry(resolver, object.id, reach.name);
  if (reach.name === null) return NO_SHAPES;
  if (object.kind === "class" || object.kind === "instance") return instanceMember(resolver, object.kind, object.id, reach.name);
  return object.kind === "function" ? functionMember(resolver, object.id, reach.name) : NO_SHAPES;
}

/** `object[key]`: an item in Python, a member in ECMAScript. */
export function keyedMember(resolver: Resolver, object: Shape, key: Reach): readonly Shape[] {
  switch (object.kind) {
    case "members": return membersOf(resolver, object.of, key);
    case "names": return declaredName(resolver, key);
    case "pairs":
    case "values": return anyOf(resolver, object);
    case "pair": return itemOf(resolver, object, key.name === null ? null : Number(key.name));
    case "outside": return resolver.isPython ? outsideItem(resolver, object, key) : reachedMember(resolver, object, reachOf(key));
    case "data": return reachedMember(resolver, object, key);
    default: return resolver.isPython ? NO_SHAPES : reachedMember(resolver, object, key);
  }
}

export function membersOf(resolver: Resolver, of: readonly Shape[], key: Reach): readonly Shape[] {
  const union = new Union();
  for (const shape of of) union.add(reachedMember(resolver, shape, reachOf(key)));
  return union.result(resolver.world);
}

function reachOf(key: Reach): Reach {
  return key.name === null ? key : { name: key.name, through: key.through ?? "literal-reach" };
}

/**
 * Python's `object[key]` of something outside: an entry of a table of modules or members, else an item, which is told
 * as a member where the key is written (`os.environ["HOME"]`), and as the whole where it is not.
 */
function outsideItem(resolver: Resolver, object: Outside, key: Reach): readonly Shape[] {
  const { moduleTables, memberTables } = resolver.vocabulary;
  if (moduleTables.includes(object.api)) {
    return [key.name === null ? object.computed() : resolver.world.module(key.name, key.through ?? "dynamic")];
  }
  if (object.name !== null && memberTables.includes(object.name)) {
    const { reference } = object;
    return reachedMember(resolver, resolver.world.at({ ...reference, path: reference.path.slice(0, -1) }), reachOf(key));
  }
  if (key.name === null || object.isInstance) return [object];
  return [object.member(key.name).through(key.through)];
}

function outsideMember(resolver: Resolver, object: Outside, name: string): Outside {
  if (resolver.isPython) return name === "__self__" && object.length === 1 && object.module === "builtins" ? resolver.world.module("builtins") : object.member(name);
  const { module } = object;
  if (module === "globalThis" && object.length === 0 && resolver.vocabulary.selves.includes(name)) return object;
  // `fetch.call(null, url)` is a call of `fetch`. Elsewhere `call` may be a method's own name.
  const isBorrowed = (name === "call" || name === "apply") && !object.isInstance && FUNCTION.test(object.name ?? "");
  return isBorrowed && (module === "globalThis" || resolver.vocabulary.callables.includes(withoutScheme(module))) ? object : object.member(name);
}

/** Functions of the platform, but not its namespaces and classes: `Reflect.apply` is a function of its own. */
const FUNCTION = /^[a-z]|^Function$/;

function instanceMember(resolver: Resolver, kind: "class" | "instance", id: number, name: string): readonly Shape[] {
  if (name === "__class__" || (name === "constructor" && !resolver.isPython)) return [resolver.local("class", id)];
  if (name === "prototype" && kind === "class") return [resolver.local("instance", id)];
  if (resolver.vocabulary.memberTables.includes(name)) return [{ kind: "members", of: [resolver.local(kind, id)] }];
  return resolver.attributeShapes(id, name);
}

/** A member of a function: what its decorators add to it. */
function functionMember(resolver: Resolver, id: number, name: string): readonly Shape[] {
  const { decorators } = resolver.facts.functions[id]!;
  if (decorators.length === 0 || name.startsWith("__")) return NO_SHAPES;
  const union = new Union();
  for (const decorator of decorators) {
    for (const shape of resolver.shapesOf(decorator)) if (shape.kind === "outside") union.add([shape.instance().member(name)]);
  }
  return union.result(resolver.world);
}

/** An entry of `globals()`: a name of the module, else one of the language. */
function declaredName(resolver: Resolver, { name, through }: Reach): readonly Shape[] {
  if (name === null) return [resolver.world.module("builtins").child("globals").computed()];
  const { names } = resolver.facts.scopes[0]!;
  const found = Object.hasOwn(names, name) ? resolver.bindingShapes(names[name]!) : globalShapes(resolver, name);
  return found.map((shape) => (shape.kind === "outside" ? shape.through(through ?? "literal-reach") : shape));
}

/** An entry of a literal list or table by its key; any entry where an unknown one may stand for it. */
export function entry(resolver: Resolver, id: ValueId, name: string): readonly Shape[] {
  const value = resolver.value(id);
  if (value.kind === "list") return /^-?\d+$/.test(name) ? itemOf(resolver, resolver.local("data", id), Number(name)) : NO_SHAPES;
  if (value.kind !== "table") return anyEntry(resolver, id);
  const { byName, computed, spread } = keysOfTable(resolver, id, value);
  if (!byName.has(name) && computed.length === 0 && spread.length === 0) return NO_SHAPES;
  const found = byName.get(name);
  if (found?.length === 1 && computed.length === 0 && spread.length === 0) return resolver.shapesOf(found[0]!);
  return resolver.entryShapes(id, name);
}

/** The values of a table under a key, with those whose key is not known. */
export function entryOf(resolver: Resolver, id: ValueId, name: string): readonly Shape[] {
  const value = resolver.value(id);
  if (value.kind !== "table") return NO_SHAPES;
  const { byName, computed, spread } = keysOfTable(resolver, id, value);
  const union = new Union();
  for (const found of byName.get(name) ?? []) union.add(resolver.shapesOf(found));
  for (const found of computed) union.add(resolver.shapesOf(found));
  for (const found of spread) union.add(spreadMember(resolver, found, name));
  return union.result(resolver.world);
}

type Table = Extract<Value, { kind: "table" }>;

interface TableKeys {
  readonly byName: Map<string, ValueId[]>;
  /** Values whose key is an expression. */
  readonly computed: ValueId[];
  readonly spread: ValueId[];
}

export function keysOfTable(resolver: Resolver, id: ValueId, table: Table): TableKeys {
  const tables = resolver.once("tables", () => new Map<ValueId, TableKeys>());
  let keys = tables.get(id);
  if (keys === undefined) tables.set(id, (keys = readKeys(resolver, table)));
  return keys;
}

function readKeys(resolver: Resolver, table: Table): TableKeys {
  const keys: TableKeys = { byName: new Map(), computed: [], spread: [] };
  for (const { key, value } of table.entries) {
    const name = key === null ? null : writtenKey(resolver.value(key));
    const known = name === null ? undefined : keys.byName.get(name);
    if (known !== undefined) known.push(value);
    else if (name !== null) keys.byName.set(name, [value]);
    else if (key === null) keys.spread.push(value);
    else keys.computed.push(value);
  }
  return keys;
}

/** The name that a key written out spells. */
function writtenKey(key: Value): string | null {
  if (key.kind === "string") return key.value;
  return key.kind === "number" ? String(key.value) : null;
}

function spreadMember(resolver: Resolver, id: ValueId, name: string): readonly Shape[] {
  const value = resolver.value(id);
  const union = new Union();
  for (const shape of resolver.shapesOf(value.kind === "spread" ? value.value : id)) union.add(reachedMember(resolver, shape, { name, through: undefined }));
  return union.result(resolver.world);
}
