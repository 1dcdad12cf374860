import { definitionsOf } from "@agentgate/parsers";
import type { Call, ClassId, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { Tree } from "../../rule.ts";
import { argumentOf, parametersBefore } from "../arguments.ts";
import { bare } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { isSuper } from "../reach/edges.ts";
import { ownClass } from "../selves.ts";
import type { Callers } from "./callers.ts";
import { endsOfValue } from "./ends.ts";
import type { Module } from "./ends.ts";
import { loadersOf } from "./modules.ts";
import { isConstructor } from "./uses.ts";

/** A class of the tree. */
export interface PlacedClass extends Module {
  readonly id: ClassId;
}

/** The call that constructs a class, or that of its constructor from the one of a class below. */
export interface Construction extends Module {
  readonly call: Call;
}

/** A parameter of a constructor, counted as its calls count arguments. */
export interface ConstructorParameter {
  readonly index: number;
  readonly name: string;
}

/** The constructor that a class has of its own. */
export function constructorOf(facts: ModuleFacts, id: ClassId): FunctionId | null {
  return constructorsOf(facts).get(id) ?? null;
}

const constructorsOf = onceFor((facts): ReadonlyMap<ClassId, FunctionId> => new Map(facts.functions.flatMap((subject, id): (readonly [ClassId, FunctionId])[] =>
  (subject.class >= 0 && (subject.kind === "constructor" || subject.name === "__init__") ? [[subject.class, id]] : []))));

/** The classes directly above a class. */
export function basesOfClass(tree: Tree, { path, facts, id }: PlacedClass): readonly PlacedClass[] {
  return facts.classes[id]!.bases.flatMap((base) => endsOfValue(tree, { path, facts }, base).ends.flatMap((end): PlacedClass[] =>
    (end.kind === "class" ? [{ path: end.path, facts: end.facts, id: end.id }] : [])));
}

/** The parameter of a constructor that an expression is; null where it is something else. */
export function parameterOfConstructor(facts: ModuleFacts, id: ValueId): { readonly owner: ClassId; readonly parameter: ConstructorParameter } | null {
  const written = facts.values[bare(facts, id)];
  const given = written?.kind === "name" ? facts.bindings[written.binding]?.values ?? [] : [];
  const value = written?.kind === "parameter" ? written : given.length === 1 ? facts.values[given[0]!] : undefined;
  const subject = value?.kind === "parameter" ? facts.functions[value.function] : undefined;
  if (value?.kind !== "parameter" || subject === undefined || subject.class < 0 || !isConstructor(subject.name, subject.kind)) return null;
  return { owner: subject.class, parameter: { index: value.index - parametersBefore(facts, subject), name: subject.parameters[value.index]?.name ?? "" } };
}

/** What a construction gives for a parameter: an expression, all that the constructor around it was given, or null where that is open. */
export function givenFor({ facts, call }: Construction, { index, name }: ConstructorParameter): ValueId | "all" | null {
  const given = argumentOf(facts, call, index, name);
  if (typeof given === "number") return given;
  return given === "unknown" && call.arguments.every(({ value }) => facts.values[value]?.kind === "spread") ? "all" : null;
}

/** The call by which the constructor of a class runs the one above; null where it has none. */
export function callAbove({ path, facts, id }: PlacedClass): Construction | null {
  const own = constructorOf(facts, id);
  const { bases } = facts.classes[id]!;
  const above = new Set(bases.flatMap((base) => facts.values[base]?.kind === "name" ? [nameOf(facts, base)] : []));
  const call = facts.calls.find((each) => each.function === own && (facts.language === "python"
    ? each.references.some((reference) => isSuper(facts, reference) && reference.path[1] === "__init__")
    : each.construct === true && isAbove(facts, each.callee, bases, above)));
  return call === undefined ? null : { path, facts, call };
}

/** `super(…)` reads the class above again, by the name or path that it has there. */
function isAbove(facts: ModuleFacts, callee: ValueId, bases: readonly ValueId[], names: ReadonlySet<string>): boolean {
  const value = facts.values[callee];
  if (value?.kind === "name") return names.has(value.name);
  return value?.kind === "member" && bases.some((base) => {
    const written = facts.values[base];
    return written?.kind === "member" && written.property === value.property;
  });
}

function nameOf(facts: ModuleFacts, id: ValueId): string {
  const value = facts.values[id];
  return value?.kind === "name" ? value.name : "";
}

/** Everything in the tree that constructs a class, and the classes directly below it; null where there may be more. */
export function madeFrom(callers: Callers, subject: PlacedClass): { readonly constructions: readonly Construction[]; readonly below: readonly PlacedClass[] } | null {
  const { tree } = callers.context;
  const loaders = loadersOf(subject.path, callers.context);
  if (loaders === null || loaders.isCut) return null;
  const constructions: Construction[] = subject.facts.calls.flatMap((call): Construction[] =>
    (isMade(subject.facts, call) && definitionsOf(subject.facts, call.callee).some(({ kind, id }) => kind === "class" && id === subject.id) ? [{ path: subject.path, facts: subject.facts, call }] : []));
  const below: PlacedClass[] = belowIn(callers, subject, subject);
  for (const path of loaders.paths) {
    const facts = tree.facts(path);
    if (facts === null) return null;
    const module = { path, facts };
    constructions.push(...constructionsIn(callers, subject, module));
    below.push(...belowIn(callers, subject, module));
  }
  const isOfBelow = ({ path, facts, call }: Construction): boolean => below.some((each) => each.path === path && constructorOf(facts, each.id) === call.function);
  return { constructions: constructions.filter((each) => !isOfBelow(each)), below };
}

function constructionsIn(callers: Callers, subject: PlacedClass, module: Module): readonly Construction[] {
  const calls = new Set<number>();
  for (const name of classNames(subject)) {
    for (const use of callers.usesOf(module, name).get(`class ${subject.id} ${subject.path}`) ?? []) {
      const { role, call } = module.facts.uses[use]!;
      if (role === "call" && call !== undefined && isMade(module.facts, module.facts.calls[call]!)) calls.add(call);
    }
  }
  return [...calls].map((call) => ({ ...module, call: module.facts.calls[call]! }));
}

/** The name of a class and those that it is exported under. */
function classNames({ facts, id }: PlacedClass): ReadonlySet<string> {
  const names = new Set([facts.classes[id]!.name]);
  for (const { name, value } of facts.exports) {
    if (value !== null && definitionsOf(facts, value).some((each) => each.kind === "class" && each.id === id)) names.add(name === "=" ? "default" : name);
  }
  names.delete("");
  return names;
}

function belowIn(callers: Callers, subject: PlacedClass, { path, facts }: Module): PlacedClass[] {
  return facts.classes.flatMap((each, id): PlacedClass[] => {
    const here = { path, facts, id };
    if (each.bases.length === 0) return [];
    return basesOfClass(callers.context.tree, here).some((base) => base.path === subject.path && base.id === subject.id) ? [here] : [];
  });
}

function isMade(facts: ModuleFacts, call: Call): boolean {
  return facts.language === "python" ? ownClass(facts, call.callee) === -1 : call.construct === true;
}
