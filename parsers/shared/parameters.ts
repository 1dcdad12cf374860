import type { Call, ClassId, FunctionId, Parameter, Value, ValueId } from "../facts.ts";
import { shapesOfAnnotation } from "./annotations.ts";
import { argumentAt, givenInList, givenTo } from "./arguments.ts";
import type { Given } from "./arguments.ts";
import { methodsOf } from "./attributes.ts";
import { itemOf } from "./items.ts";
import type { Resolver } from "./resolver.ts";
import { NO_SHAPES } from "./shapes.ts";
import type { Shape } from "./shapes.ts";
import { Union } from "./union.ts";

/** Calls of one function that are looked at. */
const MAX_CALLERS = 8;

/** What a parameter can be: what this file calls the function with, its default, and else its annotation. */
export function shapesOfParameter(resolver: Resolver, id: FunctionId, index: number): readonly Shape[] {
  const parameter = resolver.facts.functions[id]!.parameters[index];
  if (parameter === undefined) return NO_SHAPES;
  const union = new Union();
  if (parameter.default !== null) union.add(resolver.shapesOf(parameter.default).map(asDefault));
  if (parameter.kind === "positional" || parameter.kind === "keyword") {
    for (const caller of callersOf(resolver, id)) union.add(argumentShapes(resolver, caller, parameter, index));
  }
  const shapes = union.result(resolver.world);
  if (shapes.length > 0 || parameter.annotation === null) return shapes;
  return shapesOfAnnotation(resolver, parameter.annotation);
}

function asDefault(shape: Shape): Shape {
  return shape.kind === "outside" ? shape.through("parameter-default") : shape;
}

/** One place that calls a function, or hands it to something that will. */
interface Caller {
  readonly call: Call;
  /** Parameters before the first argument: `self`. */
  readonly skip: number;
  readonly form: "plain" | "call" | "apply" | "callback";
  given?: Given;
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

const NO_CALLERS: readonly Caller[] = [];

export function callersOf(resolver: Resolver, id: FunctionId): readonly Caller[] {
  return resolver.once("callers", () => findCallers(resolver))[id] ?? NO_CALLERS;
}

function findCallers(resolver: Resolver): (Caller[] | undefined)[] {
  const callers = new Array<Caller[] | undefined>(resolver.facts.functions.length);
  const add = (id: FunctionId, caller: Caller): void => {
    const known = callers[id];
    if (known === undefined) callers[id] = [caller];
    else if (known.length < MAX_CALLERS) known.push(caller);
  };
  for (const call of resolver.facts.calls) {
    addCallee(resolver, call, call.callee, "plain", add);
    addCallback(resolver, call, add);
  }
  return callers;
}

/** A function written as the first argument of a method that calls it. */
function addCallback(resolver: Resolver, call: Call, add: Add): void {
  const callee = resolver.value(call.callee);
  if (callee.kind !== "member" || callee.property === null || call.arguments[0] === undefined) return;
  if (!Object.hasOwn(resolver.vocabulary.callbacks, callee.property)) return;
  const given = resolver.value(call.arguments[0].value);
  if (given.kind === "function") add(given.function, { call, skip: 0, form: "callback" });
}

type Add = (id: FunctionId, caller: Caller) => void;

/** Finds by looks alone which function of the file is called; aliases are not followed, or this would depend on itself. */
function addCallee(resolver: Resolver, call: Call, id: ValueId, form: Caller["form"], add: Add): void {
  const callee = resolver.value(id);
  if (callee.kind === "function") add(callee.function, { call, skip: 0, form });
  if (callee.kind === "name" && callee.binding >= 0) {
    for (const value of resolver.facts.bindings[callee.binding]!.values) addNamed(resolver, call, resolver.value(value), form, add);
  }
  if (callee.kind !== "member" || callee.property === null) return;
  if (callee.property === "call" || callee.property === "apply") {
    if (form === "plain") addCallee(resolver, call, callee.object, callee.property, add);
    return;
  }
  const classId = selfClass(resolver, callee.object);
  if (classId < 0) return;
  for (const method of methodsOf(resolver, classId, callee.property)) add(method, { call, skip: skipped(resolver, method), form });
}

/** The class whose `self` or `this` a value is, -1 where it is none. */
function selfClass(resolver: Resolver, id: ValueId): ClassId {
  const value = resolver.value(id);
  if (value.kind === "self") return value.class;
  if (value.kind !== "name" || value.binding < 0) return -1;
  const [first] = resolver.facts.bindings[value.binding]!.values;
  const given = first === undefined ? null : resolver.value(first);
  return given?.kind === "self" ? given.class : -1;
}

function addNamed(resolver: Resolver, call: Call, value: Value, form: Caller["form"], add: Add): void {
  if (value.kind === "function") add(value.function, { call, skip: 0, form });
  if (value.kind !== "class") return;
  for (const name of resolver.vocabulary.constructors) {
    for (const method of methodsOf(resolver, value.class, name)) add(method, { call, skip: skipped(resolver, method), form });
  }
}

/** Python's methods have the instance among their parameters. */
function skipped(resolver: Resolver, method: FunctionId): number {
  return resolver.isPython && resolver.facts.functions[method]!.static !== true ? 1 : 0;
}
