import type { Call, Value, ValueId } from "../facts.ts";
import { argumentAt, givenInList, givenTo } from "./arguments.ts";
import type { Given } from "./arguments.ts";
import { anyOf, itemOf } from "./items.ts";
import { loaded } from "./loaders.ts";
import { keyedMember, reachedMember } from "./members.ts";
import { passedThrough } from "./passers.ts";
import type { Resolver } from "./resolver.ts";
import { NO_SHAPES } from "./shapes.ts";
import type { Outside } from "./outside.ts";
import type { Reach, Shape } from "./shapes.ts";
import { readText } from "./text.ts";
import { Union, unionOf } from "./union.ts";
import type { Behaviour } from "./vocabulary.ts";

/** With what something is called; put together only where it is asked for. `isPlain`: by a name that the file does not declare. */
interface Invocation {
  given(): Given;
  readonly isPlain: boolean;
}

/** The arguments of a call as they are written. */
class Written implements Invocation {
  private readonly resolver: Resolver;
  private readonly call: Call;
  private readonly shift: number;
  private arguments: Given | undefined;

  constructor(resolver: Resolver, call: Call, shift = 0) {
    this.resolver = resolver;
    this.call = call;
    this.shift = shift;
  }

  get isPlain(): boolean {
    const callee = this.resolver.value(this.call.callee);
    return callee.kind === "name" && callee.binding < 0;
  }

  given(): Given {
    return (this.arguments ??= givenTo(this.resolver, this.call, this.shift));
  }
}

const UNKNOWN: Reach = { name: null, through: undefined };

/** What a call gives. */
export function shapesOfCall(resolver: Resolver, call: Call): readonly Shape[] {
  const callee = resolver.value(call.callee);
  if (callee.kind === "member" && callee.property !== null) {
    const shapes = methodShapes(resolver, call, callee, callee.property);
    if (shapes !== null) return shapes;
  }
  const functions = resolver.shapesOf(call.callee);
  if (functions.length === 0) return NO_SHAPES;
  if (givesGlobalObject(resolver, callee)) return [resolver.world.module("globalThis")];
  return invoked(resolver, functions, new Written(resolver, call));
}

/** `Function("return this")`, which libraries call where the language may have no name for the global object yet. */
function givesGlobalObject(resolver: Resolver, callee: Value): boolean {
  if (callee.kind !== "call") return false;
  const { callee: maker, arguments: given } = resolver.call(callee.call);
  const text = given.length === 1 ? resolver.value(given[0]!.value) : undefined;
  if (text?.kind !== "string" || !/^\s*return\s+(?:this|globalThis)\s*;?\s*$/.test(text.value)) return false;
  return resolver.shapesOf(maker).some((shape) => shape.kind === "outside" && shape.api === "globalThis.Function");
}

function invoked(resolver: Resolver, functions: readonly Shape[], invocation: Invocation): readonly Shape[] {
  if (functions.length === 1) return resultOf(resolver, functions[0]!, invocation);
  const union = new Union();
  for (const shape of functions) union.add(resultOf(resolver, shape, invocation));
  return union.result(resolver.world);
}

function resultOf(resolver: Resolver, shape: Shape, invocation: Invocation): readonly Shape[] {
  switch (shape.kind) {
    case "outside": return shape.behaviour === undefined ? [shape.instance()] : behave(resolver, shape, shape.behaviour, invocation);
    case "function": return passedThrough(resolver, shape.id, () => invocation.given().positional[0]) ?? resolver.resultShapes(shape.id);
    case "class": return [resolver.local("instance", shape.id)];
    case "instance": return invoked(resolver, resolver.attributeShapes(shape.id, "__call__"), invocation);
    case "getter": return got(resolver, shape.paths, invocation.given().positional[0]);
    default: return NO_SHAPES;
  }
}

/** What the vocabulary says that an API gives. */
function behave(resolver: Resolver, api: Outside, behaviour: Behaviour, invocation: Invocation): readonly Shape[] {
  const given = invocation.given();
  switch (behaviour.kind) {
    case "load": return loaded(resolver, api, behaviour, given, invocation.isPlain);
    case "pass": return passed(resolver, behaviour, given);
    case "reach": return reached(resolver, api, argumentAt(given, behaviour.object), argumentAt(given, behaviour.key), argumentAt(given, 2));
    case "members": return membersTable(resolver, given);
    case "names": return [resolver.local("names", 0)];
    case "getter": return [{ kind: "getter", paths: given.positional.slice(0, 1).flatMap((id) => readText(resolver, id) ?? [UNKNOWN]) }];
    case "invoke": return invokedByList(resolver, argumentAt(given, behaviour.function), argumentAt(given, behaviour.list));
    case "item": return insides(resolver, given.positional[0], (shape) => itemOf(resolver, shape, null));
    case "values": return insides(resolver, given.positional[0], (shape) => (shape.kind === "data" ? [resolver.local("values", shape.id)] : [shape]));
    case "pairs": return insides(resolver, given.positional[0], (shape) => (shape.kind === "data" ? [resolver.local("pairs", shape.id)] : [shape]));
  }
}

function passed(resolver: Resolver, behaviour: Extract<Behaviour, { kind: "pass" }>, given: Given): readonly Shape[] {
  if (behaviour.argument === "every") return unionOf(resolver.world, given.positional.map((id) => resolver.shapesOf(id)));
  const id = argumentAt(given, behaviour.argument, behaviour.keyword);
  return id === undefined ? NO_SHAPES : resolver.shapesOf(id);
}

/** `getattr(object, "name", fallback)`. */
function reached(resolver: Resolver, api: Outside, object: ValueId | undefined, key: ValueId | undefined, fallback: ValueId | undefined): readonly Shape[] {
  if (object === undefined || key === undefined) return [api.instance()];
  const union = new Union();
  const objects = resolver.shapesOf(object);
  // The text is folded only where something can come of it.
  const names = objects.length === 0 ? [] : (readText(resolver, key) ?? [UNKNOWN]);
  for (const shape of objects) {
    for (const { name, through } of names) union.add(reachedMember(resolver, shape, { name, through: name === null ? through : (through ?? "literal-reach") }));
  }
  if (resolver.isPython && fallback !== undefined) union.add(resolver.shapesOf(fallback));
  return union.result(resolver.world);
}

function membersTable(resolver: Resolver, given: Given): readonly Shape[] {
  const of = given.positional[0];
  return of === undefined ? [resolver.local("names", 0)] : [{ kind: "members", of: resolver.shapesOf(of) }];
}

function got(resolver: Resolver, paths: readonly Reach[], object: ValueId | undefined): readonly Shape[] {
  if (object === undefined) return NO_SHAPES;
  const union = new Union();
  for (const { name, through } of paths) {
    let shapes = resolver.shapesOf(object);
    const names = name === null ? [null] : name.split(".").slice(0, 8);
    for (const part of names) {
      const reach: Reach = { name: part, through: part === null ? through : (through ?? "literal-reach") };
      shapes = unionOf(resolver.world, shapes.map((shape) => reachedMember(resolver, shape, reach)));
    }
    union.add(shapes);
  }
  return union.result(resolver.world);
}

function invokedByList(resolver: Resolver, target: ValueId | undefined, list: ValueId | undefined): readonly Shape[] {
  if (target === undefined) return NO_SHAPES;
  const given = givenInList(resolver, list);
  return invoked(resolver, resolver.shapesOf(target), { given: () => given, isPlain: false });
}

function insides(resolver: Resolver, id: ValueId | undefined, inside: (shape: Shape) => readonly Shape[]): readonly Shape[] {
  if (id === undefined) return NO_SHAPES;
  return unionOf(resolver.world, resolver.shapesOf(id).map(inside));
}

type Member = Extract<Value, { kind: "member" }>;

/** What the methods give that functions, tables and lists of the language have; null for any other. */
function methodShapes(resolver: Resolver, call: Call, callee: Member, name: string): readonly Shape[] | null {
  const { vocabulary } = resolver;
  if (!resolver.isPython && (name === "bind" || name === "call" || name === "apply")) return borrowed(resolver, call, callee, name);
  if (!resolver.isPython && PROMISE.has(name)) return settled(resolver, call, callee, name);
  if (vocabulary.reachMethods.includes(name)) return reachedBy(resolver, call, callee);
  if (!vocabulary.tableMethods.has(name)) return null;
  const objects = resolver.shapesOf(callee.object);
  if (!objects.some((object) => isTable(resolver, object))) return null;
  const given = givenTo(resolver, call);
  const union = new Union();
  for (const object of objects) union.add(isTable(resolver, object) ? tableMethod(resolver, object, name, given) : NO_SHAPES);
  // `table.get(key, fallback)`
  if (vocabulary.keyMethods.includes(name) && given.positional[1] !== undefined) union.add(resolver.shapesOf(given.positional[1]));
  return union.result(resolver.world);
}

/** Whether methods of a table have a meaning on it: also on `sys.modules` and `os.__dict__`. */
function isTable({ vocabulary }: Resolver, shape: Shape): boolean {
  if (shape.kind === "outside") return vocabulary.moduleTables.includes(shape.api) || (shape.length === 0 && shape.module === "builtins") || vocabulary.memberTables.includes(shape.name ?? "");
  return shape.kind === "data" || shape.kind === "pairs" || shape.kind === "members" || shape.kind === "names";
}

const PROMISE: ReadonlySet<string> = new Set(["then", "catch", "finally"]);

/** `promise.then(f)` gives what f gives; a failed or finished one is the promise still. */
function settled(resolver: Resolver, call: Call, callee: Member, name: string): readonly Shape[] | null {
  const objects = resolver.shapesOf(callee.object);
  if (name !== "then") return objects;
  const [first] = call.arguments;
  const functions = first === undefined ? NO_SHAPES : resolver.shapesOf(first.value);
  if (functions.length === 0 || objects.some((object) => object.kind === "instance")) return null;
  return unionOf(resolver.world, functions.map((shape) => (shape.kind === "function" ? resolver.resultShapes(shape.id) : shape.kind === "outside" ? [shape.instance()] : NO_SHAPES)));
}

function tableMethod(resolver: Resolver, object: Shape, name: string, given: Given): readonly Shape[] {
  const { vocabulary } = resolver;
  const isList = object.kind === "data" && resolver.value(object.id).kind !== "table";
  if (vocabulary.itemMethods.includes(name) && isList) return name === "filter" || name === "slice" || name === "concat" ? [object] : anyOf(resolver, object);
  if (vocabulary.valuesMethods.includes(name)) return [object.kind === "data" ? resolver.local("values", object.id) : object];
  if (vocabulary.pairsMethods.includes(name)) return [object.kind === "data" ? resolver.local("pairs", object.id) : object];
  const key = given.positional[0];
  if (!vocabulary.keyMethods.includes(name) || key === undefined) return NO_SHAPES;
  return unionOf(resolver.world, (readText(resolver, key) ?? [UNKNOWN]).map((reach) => keyedMember(resolver, object, reach)));
}

/** `f.bind(x)` is f; `f.call(x, a)` and `f.apply(x, [a])` are calls of f. */
function borrowed(resolver: Resolver, call: Call, callee: Member, name: "bind" | "call" | "apply"): readonly Shape[] | null {
  const functions = resolver.shapesOf(callee.object);
  if (functions.length === 0) return NO_SHAPES;
  if (name === "bind") return functions;
  const called = resolver.shapesOf(call.callee);
  // A method that happens to be named so stays a member of its object.
  if (called.some((shape) => shape.kind === "outside" && !functions.includes(shape))) return null;
  const given = name === "call" ? givenTo(resolver, call, 1) : givenInList(resolver, givenTo(resolver, call).positional[1]);
  return invoked(resolver, functions, { given: () => given, isPlain: false });
}

/** `object.__getattribute__("name")`. */
function reachedBy(resolver: Resolver, call: Call, callee: Member): readonly Shape[] | null {
  const { positional } = givenTo(resolver, call);
  // `object.__getattribute__(x, "name")` is in the vocabulary.
  if (positional.length !== 1) return null;
  const objects = resolver.shapesOf(callee.object);
  if (objects.length === 0) return NO_SHAPES;
  const names = readText(resolver, positional[0]!) ?? [UNKNOWN];
  const through = (reach: Reach): Reach => (reach.name === null ? reach : { name: reach.name, through: reach.through ?? "literal-reach" });
  return unionOf(resolver.world, objects.flatMap((shape) => names.map((reach) => reachedMember(resolver, shape, through(reach)))));
}
