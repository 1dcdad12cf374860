import type { ClassId, FunctionId } from "../facts.ts";
import { withAnnotation } from "./annotations.ts";
import type { Resolver } from "./resolver.ts";
import type { Shape } from "./shapes.ts";
import { Union } from "./union.ts";

/** A member of a class or its instances: methods, fields, what is assigned to it, and else what its bases have. */
export function shapesOfAttribute(resolver: Resolver, id: ClassId, name: string): readonly Shape[] {
  const facts = resolver.facts.classes[id]!;
  const union = new Union();
  for (const method of methodsOf(resolver, id, name)) union.add(methodShapes(resolver, method));
  if (Object.hasOwn(facts.attributes, name)) for (const value of facts.attributes[name]!) union.add(resolver.shapesOf(value));
  let shapes = union.result(resolver.world);
  for (const field of facts.fields) {
    if (field.name === name) shapes = withAnnotation(resolver, shapes, field.annotation);
  }
  if (shapes.length > 0 || isOwn(resolver, id, name)) return shapes;
  return inherited(resolver, id, name);
}

/** The methods of a class that have a name. */
export function methodsOf(resolver: Resolver, id: ClassId, name: string): readonly FunctionId[] {
  const classes = resolver.once("methods", () => {
    const byClass = new Map<ClassId, Map<string, FunctionId[]>>();
    resolver.facts.functions.forEach((facts, index) => {
      if (facts.class < 0) return;
      let methods = byClass.get(facts.class);
      if (methods === undefined) byClass.set(facts.class, (methods = new Map<string, FunctionId[]>()));
      const known = methods.get(facts.name);
      if (known === undefined) methods.set(facts.name, [index]);
      else known.push(index);
    });
    return byClass;
  });
  return classes.get(id)?.get(name) ?? [];
}

function isOwn(resolver: Resolver, id: ClassId, name: string): boolean {
  const { attributes, fields } = resolver.facts.classes[id]!;
  return Object.hasOwn(attributes, name) || methodsOf(resolver, id, name).length > 0 || fields.some((field) => field.name === name);
}

function methodShapes(resolver: Resolver, id: FunctionId): readonly Shape[] {
  const { kind, decorators } = resolver.facts.functions[id]!;
  if (kind === "setter") return [];
  const isGetter = kind === "getter" || decorators.some((decorator) =>
    resolver.shapesOf(decorator).some((shape) => shape.kind === "outside" && resolver.vocabulary.getters.includes(shape.api)));
  return isGetter ? resolver.resultShapes(id) : [resolver.local("function", id)];
}

function inherited(resolver: Resolver, id: ClassId, name: string): readonly Shape[] {
  const union = new Union();
  for (const base of resolver.facts.classes[id]!.bases) {
    for (const shape of resolver.shapesOf(base)) {
      if (shape.kind === "outside") union.add([shape.instance().member(name)]);
      else if (shape.kind === "class") union.add(resolver.attributeShapes(shape.id, name));
    }
  }
  return union.result(resolver.world);
}
