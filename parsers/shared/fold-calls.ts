import type { BindingId, Call, CallId, FunctionId, Value, ValueId } from "../facts.ts";
import { argumentAt, givenTo } from "./arguments.ts";
import type { Given } from "./arguments.ts";
import { entryAt, anyEntry } from "./fold-members.ts";
import type { Folding } from "./fold.ts";
import { foldTemplate } from "./fold.ts";
import { computationOf } from "./fold-functions.ts";
import type { Computation } from "./fold-functions.ts";
import { fromCodes, methodNamed } from "./fold-text.ts";
import { anyOfAll, combinations, items, lifted, listOf } from "./folded.ts";
import type { Alternatives, Folded } from "./folded.ts";
import { mutationsOf } from "./mutations.ts";
import { returnedBy } from "./results.ts";
import type { Outside } from "./outside.ts";
import type { Shape } from "./shapes.ts";

/** A call that only computes: a method of text or lists, an API of the standard library, a function of the file. */
export function foldCall(folding: Folding, id: CallId): Alternatives {
  const { resolver } = folding;
  const call = resolver.call(id);
  const callee = resolver.value(call.callee);
  const shapes = resolver.shapesOf(call.callee);
  const [shape] = shapes;
  if (shapes.length > 1) return null;
  if (shape?.kind === "function") return foldFunction(folding, shape.id, givenTo(resolver, call));
  if (shape?.kind === "outside") {
    const folded = foldApi(folding, call, shape);
    // What `Buffer.from(x)` gives has methods of its own.
    if (folded !== null || !shape.isInstance) return folded;
  }
  if (callee.kind !== "member" || callee.property === null) return null;
  return foldMethod(folding, call, callee, callee.property);
}

/** The arguments folded, every combination of alternatives; a spread list that folds is written out. */
function applied(folding: Folding, call: Call, before: readonly Alternatives[], apply: (before: readonly Folded[], positional: readonly Folded[], named: Map<string, Folded>) => Folded | null): Alternatives {
  const { resolver } = folding;
  const folds = call.arguments.map(({ value }) => folding.of(value));
  return lifted([...before, ...folds], (values) => {
    const positional: Folded[] = [];
    const named = new Map<string, Folded>();
    for (const [index, argument] of call.arguments.entries()) {
      const value = values[before.length + index]!;
      const isSpread = resolver.value(argument.value).kind === "spread";
      if (argument.name === undefined) positional.push(...(isSpread ? (items(value) ?? [value]) : [value]));
      else named.set(argument.name, value);
    }
    return apply(values.slice(0, before.length), positional, named);
  });
}

function foldApi(folding: Folding, call: Call, api: Outside): Alternatives {
  const { resolver } = folding;
  if (call.tagged) return api.api === "globalThis.String.raw" ? foldRaw(folding, call) : null;
  if (api.api === "builtins.map") return foldMap(folding, givenTo(resolver, call));
  // `new TextDecoder().decode(…)` reads as a member of an instance.
  const name = api.api === "globalThis.TextDecoder.decode()" ? "globalThis.TextDecoder().decode" : api.api;
  const computation = computationOf(name, resolver.isPython);
  if (computation !== undefined) return applied(folding, call, [], (_before, positional, named) => computation({ positional, named }));
  return api.behaviour?.kind === "pass" && api.behaviour.argument === 0 ? foldFirst(folding, call) : null;
}

/** `Object.freeze(x)` is x. */
function foldFirst(folding: Folding, call: Call): Alternatives {
  const value = argumentAt(givenTo(folding.resolver, call), 0);
  return value === undefined ? null : folding.of(value);
}

function foldRaw(folding: Folding, call: Call): Alternatives {
  const [argument] = call.arguments;
  const template = argument === undefined ? undefined : folding.resolver.value(argument.value);
  if (template?.kind === "string") return [{ value: template.value }];
  return template?.kind === "template" ? foldTemplate(folding, template.parts) : null;
}

/** `map(chr, codes)` and `codes.map(String.fromCharCode)`, `codes.map((code) => …)`. */
function foldMap(folding: Folding, given: Given): Alternatives {
  const [mapped, list] = given.positional;
  return mapped === undefined || list === undefined ? null : mapEach(folding, mapped, folding.of(list));
}

function mapEach(folding: Folding, mapped: ValueId, lists: Alternatives): Alternatives {
  const [shape, ...more] = folding.resolver.shapesOf(mapped);
  if (shape === undefined || more.length > 0 || lists === null || lists.length > 4) return null;
  return anyOfAll(lists.map((list): Alternatives => {
    const results: Folded[] = [];
    for (const item of items(list) ?? [null]) {
      const result = item === null ? null : mapOne(folding, shape, item);
      if (result === null) return null;
      results.push(result);
    }
    const folded = listOf(results);
    return folded === null ? null : [folded];
  }));
}

function mapOne(folding: Folding, shape: Shape, item: Folded): Folded | null {
  if (shape.kind === "function") return only(foldInside(folding, shape.id, [item]));
  if (shape.kind !== "outside") return null;
  if (shape.api === "globalThis.String.fromCharCode") return fromCodes([item]);
  const computation: Computation | undefined = computationOf(shape.api, folding.resolver.isPython);
  return computation?.({ positional: [item], named: new Map() }) ?? null;
}

function only(alternatives: Alternatives): Folded | null {
  return alternatives?.length === 1 ? alternatives[0]! : null;
}

type Member = Extract<Value, { kind: "member" }>;

function foldMethod(folding: Folding, call: Call, callee: Member, name: string): Alternatives {
  const { resolver } = folding;
  if (name === "get" && resolver.isPython) return foldGet(folding, call, callee);
  if (name === "map" && !resolver.isPython && call.arguments[0] !== undefined) return mapEach(folding, call.arguments[0].value, folding.of(callee.object));
  const method = methodNamed(name, resolver.isPython);
  if (method === undefined) return null;
  const object = folding.of(callee.object);
  if (object === null) return null;
  return applied(folding, call, [object], ([of], positional, named) => method(of!, { positional, named }, resolver.isPython));
}

/** `{"a": "x"}.get(key, "y")`. */
function foldGet(folding: Folding, call: Call, callee: Member): Alternatives {
  const { resolver } = folding;
  const { positional: [key, fallback] } = givenTo(resolver, call);
  const shapes = resolver.shapesOf(callee.object);
  if (key === undefined || shapes.length === 0) return null;
  const keys = folding.of(key);
  const found = shapes.map((shape): Alternatives => {
    if (shape.kind !== "data" || mutationsOf(resolver).literals.has(shape.id)) return null;
    const table = resolver.value(shape.id);
    if (table.kind !== "table") return null;
    if (keys === null) return anyEntry(folding, shape.id, table);
    return anyOfAll(keys.map(({ value }) => (typeof value === "string" || typeof value === "number" ? entryAt(folding, shape.id, table, String(value)) : null)));
  });
  const other: Alternatives = fallback === undefined ? (keys === null ? [{ value: null }] : []) : folding.of(fallback);
  const entries = anyOfAll(found);
  return entries === null && keys !== null && fallback !== undefined ? null : anyOfAll([entries, other]);
}

/** A function of the file with arguments that fold: what it returns with its parameters set to them. */
function foldFunction(folding: Folding, id: FunctionId, given: Given): Alternatives {
  const { parameters } = folding.resolver.facts.functions[id]!;
  if (parameters.length === 0) return foldInside(folding, id, []);
  const folds = parameters.map((parameter, index) => {
    const value = argumentAt(given, index, parameter.name) ?? parameter.default;
    return value === null ? null : folding.of(value);
  });
  const combined = combinations(folds);
  return combined === null || combined.length > 8 ? null : anyOfAll(combined.map((values) => foldInside(folding, id, values)));
}

function foldInside(folding: Folding, id: FunctionId, values: readonly Folded[]): Alternatives {
  const { parameters, async: isAsync, generator, decorators } = folding.resolver.facts.functions[id]!;
  const isPlain = !isAsync && !generator && decorators.length === 0 && parameters.every((parameter) => parameter.kind === "positional" && parameter.binding >= 0);
  const returned = returnedBy(folding.resolver, id);
  if (!isPlain || returned.length === 0 || returned.length > 16) return null;
  const names = new Map<BindingId, Folded>();
  parameters.forEach(({ binding }, index) => {
    const value = values[index];
    if (value !== undefined) names.set(binding, value);
  });
  if (names.size === 0) return anyOfAll(returned.map((value) => folding.resolver.foldOf(value)));
  const inside = folding.inside(names);
  return anyOfAll(returned.map((value) => inside.of(value)));
}
