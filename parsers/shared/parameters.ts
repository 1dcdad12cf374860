import type { Call, FunctionId, Parameter } from "../facts.ts";
import { withAnnotation } from "./annotations.ts";
import { argumentAt, givenInList, givenTo } from "./arguments.ts";
import type { Given } from "./arguments.ts";
import { callersOf } from "./callers.ts";
import type { Caller } from "./callers.ts";
import { itemOf } from "./items.ts";
import type { Resolver } from "./resolver.ts";
import { NO_SHAPES } from "./shapes.ts";
import type { Shape } from "./shapes.ts";
import { Union } from "./union.ts";

/** What a parameter can be: what this file calls the function with, its default, and else its annotation. */
export function shapesOfParameter(resolver: Resolver, id: FunctionId, index: number): readonly Shape[] {
  const parameter = resolver.facts.functions[id]!.parameters[index];
  if (parameter === undefined) return NO_SHAPES;
  const union = new Union();
  if (parameter.default !== null) union.add(resolver.shapesOf(parameter.default).map(asDefault));
  if (parameter.kind === "positional" || parameter.kind === "keyword") {
    for (const caller of callersOf(resolver, id)) union.add(argumentShapes(resolver, caller, parameter, index));
  }
  return withAnnotation(resolver, union.result(resolver.world), parameter.annotation);
}

function asDefault(shape: Shape): Shape {
  return shape.kind === "outside" ? shape.through("parameter-default") : shape;
}

function argumentShapes(resolver: Resolver, caller: Caller, parameter: Parameter, index: number): readonly Shape[] {
  if (caller.form === "callback") return index === 0 ? calledBack(resolver, caller.call) : NO_SHAPES;
  const value = argumentAt((caller.given ??= givenBy(resolver, caller)), index - caller.skip, parameter.name);
  return value === undefined ? NO_SHAPES : resolver.shapesOf(value);
}

function givenBy(resolver: Resolver, { call, form }: Caller): Given {
  if (form === "apply") return givenInList(resolver, givenTo(resolver, call).positional[1]);
  return givenTo(resolver, call, form === "call" ? 1 : 0);
}

/** `promise.then((module) => …)`, `list.forEach((item) => …)`. */
function calledBack(resolver: Resolver, call: Call): readonly Shape[] {
  const callee = resolver.value(call.callee);
  if (callee.kind !== "member" || callee.property === null) return NO_SHAPES;
  const objects = resolver.shapesOf(callee.object);
  if (resolver.vocabulary.callbacks[callee.property] === "object") return objects;
  const union = new Union();
  for (const shape of objects) union.add(itemOf(resolver, shape, null));
  return union.result(resolver.world);
}
