import type { BindingId, ModuleFacts, Value, ValueId } from "../facts.ts";
import { withAnnotation } from "./annotations.ts";
import { shapesOfCall } from "./calls.ts";
import { shapesOfMember } from "./members.ts";
import { itemShapes } from "./items.ts";
import { shapesOfParameter } from "./parameters.ts";
import { positionAt } from "./positions.ts";
import type { Resolver } from "./resolver.ts";
import { NO_SHAPES } from "./shapes.ts";
import type { Outside } from "./outside.ts";
import type { Shape } from "./shapes.ts";
import { Union, unionOf } from "./union.ts";

/** What an expression can be. Asked through `Resolver.shapesOf`, which remembers it. */
export function shapesOfValue(resolver: Resolver, id: ValueId): readonly Shape[] {
  const value = resolver.value(id);
  switch (value.kind) {
    case "name": return shapesOfName(resolver, value);
    case "member": return shapesOfMember(resolver, value);
    case "call": return shapesOfCall(resolver, resolver.call(value.call));
    case "function": return [resolver.local("function", value.function)];
    case "class": return [resolver.local("class", value.class)];
    case "self": return value.class < 0 ? NO_SHAPES : [resolver.local("instance", value.class)];
    case "list":
    case "table":
    case "comprehension": return [resolver.local("data", id)];
    case "imported": return [importedShape(resolver, value)];
    case "parameter": return shapesOfParameter(resolver, value.function, value.index);
    case "item": return itemShapes(resolver, value.of, value.index);
    case "await":
    case "assigned":
    case "spread": return resolver.shapesOf(value.value);
    // What is left of `and` is falsy where it is the result: no module, function or class is.
    case "logical": return value.operator === "and" ? resolver.shapesOf(value.right) : either(resolver, value.left, value.right);
    case "conditional": return either(resolver, value.then, value.else);
    case "binary": return shapesOfBinary(resolver, value);
    default: return NO_SHAPES;
  }
}

function either(resolver: Resolver, a: ValueId, b: ValueId): readonly Shape[] {
  return unionOf(resolver.world, [resolver.shapesOf(a), resolver.shapesOf(b)]);
}

function importedShape(resolver: Resolver, value: Extract<Value, { kind: "imported" }>): Outside {
  let shape = resolver.imported(value.import);
  for (const name of value.path) shape = shape.member(name);
  return shape;
}

/** A name: what its binding was given, else something of the language or of a module imported whole. */
export function shapesOfName(resolver: Resolver, { name, binding }: Extract<Value, { kind: "name" }>): readonly Shape[] {
  if (binding < 0) return globalShapes(resolver, name);
  const shapes = resolver.bindingShapes(binding);
  return mayBeUnset(resolver, binding) ? unionOf(resolver.world, [globalShapes(resolver, name), shapes]) : shapes;
}

/**
 * Whether a name of a Python module may still mean the builtin of that name: `if x: exec = None` hides it only where
 * it runs. A statement of the module itself stands at the start of a line.
 */
export function mayBeUnset(resolver: Resolver, id: BindingId): boolean {
  if (!resolver.isPython) return false;
  const unset = resolver.once("unset", () => findUnset(resolver));
  return unset.size > 0 && unset.has(id);
}

function findUnset({ facts, vocabulary }: Resolver): ReadonlySet<BindingId> {
  const unset = new Set<BindingId>();
  const { names } = facts.scopes[0]!;
  for (const name in names) {
    const id = names[name]!;
    if (vocabulary.builtinSet.has(name) && !isSet(facts, facts.bindings[id]!.span[0])) unset.add(id);
  }
  return unset;
}

function isSet({ statements, lines }: ModuleFacts, at: number): boolean {
  const start = lines[positionAt(lines, at).line - 1];
  return statements.some((statement) => statement[0] === start && at < statement[1]);
}

/** A name that nothing in the file declares. */
export function globalShapes(resolver: Resolver, name: string): readonly Shape[] {
  const globals = resolver.once("globals", () => new Map<string, readonly Shape[]>());
  let shapes = globals.get(name);
  if (shapes === undefined) globals.set(name, (shapes = findGlobal(resolver, name)));
  return shapes;
}

function findGlobal(resolver: Resolver, name: string): readonly Shape[] {
  const { world, vocabulary, stars } = resolver;
  const language = world.module(resolver.isPython ? "builtins" : "globalThis");
  if (vocabulary.selves.includes(name)) return [language];
  const own = language.child(name);
  if (stars.length === 0) return [own];
  const whole = stars.map((module) => world.module(module, "star").child(name));
  return vocabulary.builtinSet.has(name) ? [own, ...whole] : whole;
}

/** Everything that a name is ever given; its annotation where that tells nothing. */
export function shapesOfBinding(resolver: Resolver, id: BindingId): readonly Shape[] {
  const binding = resolver.facts.bindings[id]!;
  const union = new Union();
  for (const value of binding.values) union.add(resolver.shapesOf(value));
  return withAnnotation(resolver, union.result(resolver.world), binding.annotation);
}

/** `path / "name"` is a path again; no other operator hands on what matters. */
function shapesOfBinary(resolver: Resolver, value: Extract<Value, { kind: "binary" }>): readonly Shape[] {
  if (value.operator !== "/" || !resolver.isPython) return NO_SHAPES;
  const isInstance = (shape: Shape): boolean => shape.kind === "outside" && shape.isInstance;
  return [...resolver.shapesOf(value.left), ...resolver.shapesOf(value.right)].filter(isInstance);
}
