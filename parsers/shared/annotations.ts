import type { Value, ValueId } from "../facts.ts";
import { globalShapes } from "./names.ts";
import type { Outside } from "./outside.ts";
import type { Resolver } from "./resolver.ts";
import { NO_SHAPES } from "./shapes.ts";
import type { Shape } from "./shapes.ts";
import { Union, unionOf } from "./union.ts";

/** Constants that annotations name. */
const NO_CLASS: ReadonlySet<string> = new Set(["None", "True", "False"]);
/** How deep types are looked into each other. */
const MAX_DEPTH = 8;

/** What something with this annotation can be: an instance of the classes that it names. */
export function shapesOfAnnotation(resolver: Resolver, id: ValueId): readonly Shape[] {
  const union = new Union();
  for (const shape of typesIn(resolver, id, MAX_DEPTH)) union.add(instantiated(resolver, shape));
  return union.result(resolver.world);
}

function instantiated(resolver: Resolver, shape: Shape): readonly Shape[] {
  if (shape.kind === "outside") return isPlainType(resolver, shape) ? NO_SHAPES : [shape.instance().through("annotation")];
  return shape.kind === "class" ? [resolver.local("instance", shape.id)] : NO_SHAPES;
}

/** `str`, `number`, `Map`: nothing that matters is reached from them. */
function isPlainType({ isPython, vocabulary }: Resolver, shape: Outside): boolean {
  return shape.module === (isPython ? "builtins" : "globalThis") && shape.length === 1 && vocabulary.harmlessSet.has(shape.name ?? "");
}

/**
 * What something is by its values or, where these are nothing of the file and nothing of the annotation's own module,
 * by its annotation too: `session: requests.Session = make()`.
 */
export function withAnnotation(resolver: Resolver, shapes: readonly Shape[], annotation: ValueId | null | undefined): readonly Shape[] {
  if (annotation == null || shapes.some((shape) => shape.kind !== "outside")) return shapes;
  const annotated = shapesOfAnnotation(resolver, annotation).filter((type) =>
    type.kind !== "outside" || !shapes.some((shape) => shape.kind === "outside" && shape.module === type.module));
  return shapes.length === 0 ? annotated : unionOf(resolver.world, [shapes, annotated]);
}

/** The classes that a type names: of `X | None`, `Optional[X]`, `"X"` it is X. */
function typesIn(resolver: Resolver, id: ValueId, depth: number): readonly Shape[] {
  if (depth === 0) return NO_SHAPES;
  const value = resolver.value(id);
  switch (value.kind) {
    case "imported": return resolver.shapesOf(id);
    case "name": return NO_CLASS.has(value.name) && value.binding < 0 ? NO_SHAPES : resolver.shapesOf(id);
    case "member": return value.subscript ? genericTypes(resolver, value, depth) : resolver.shapesOf(id);
    case "string": return quotedTypes(resolver, value.value);
    case "binary": return value.operator === "|" ? allTypes(resolver, [value.left, value.right], depth) : NO_SHAPES;
    // Text beside the names in it: those say the same, with their scope.
    case "opaque": return allTypes(resolver, value.of.filter((of) => resolver.value(of).kind !== "string"), depth);
    default: return NO_SHAPES;
  }
}

function allTypes(resolver: Resolver, ids: readonly ValueId[], depth: number): readonly Shape[] {
  const union = new Union();
  for (const id of ids.slice(0, 16)) union.add(typesIn(resolver, id, depth - 1));
  return union.result(resolver.world);
}

/** `Optional[X]` is X; any other generic type is itself. */
function genericTypes(resolver: Resolver, value: Extract<Value, { kind: "member" }>, depth: number): readonly Shape[] {
  const generic = resolver.shapesOf(value.object);
  const isTransparent = generic.some((shape) => shape.kind === "outside" && resolver.vocabulary.transparentTypes.includes(shape.api));
  if (!isTransparent || value.key === null) return generic;
  const key = resolver.value(value.key);
  return allTypes(resolver, key.kind === "list" ? key.items : [value.key], depth);
}

const DOTTED = /[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/gu;
const MAX_QUOTED = 256;

/** The names inside of a quoted annotation, looked up in the module: it has no scope of its own in the facts. */
function quotedTypes(resolver: Resolver, text: string): readonly Shape[] {
  const union = new Union();
  for (const [dotted] of text.slice(0, MAX_QUOTED).matchAll(DOTTED)) {
    const [first = "", ...members] = dotted.split(".");
    union.add(dottedType(resolver, first, members.slice(0, 8)));
  }
  return union.result(resolver.world);
}

function dottedType(resolver: Resolver, first: string, members: readonly string[]): readonly Shape[] {
  const { names } = resolver.facts.scopes[0]!;
  const isDeclared = Object.hasOwn(names, first);
  if (!isDeclared && resolver.isPython) return NO_SHAPES;
  const found = isDeclared ? resolver.bindingShapes(names[first]!) : globalShapes(resolver, first);
  return found.flatMap((shape): readonly Shape[] => {
    if (shape.kind !== "outside") return members.length === 0 ? [shape] : [];
    const named = members.reduce((outside, member) => outside.member(member), shape);
    return resolver.vocabulary.transparentTypes.includes(named.api) ? [] : [named];
  });
}
