import type { BindingId, ClassId, FunctionId, ModuleFacts, Reference, ValueId } from "../facts.ts";
import { methodsOf } from "./attributes.ts";
import { headOf } from "./head.ts";
import type { Folded } from "./folded.ts";
import { resolverOf } from "./resolver.ts";
import { returnedBy } from "./results.ts";
import { referencesAmong } from "./union.ts";

/**
 * What an expression can be outside this file: follows names, aliases, unpacking, members, constructions, awaits,
 * `self` attributes, `functools.partial`, loaders with a text that folds. Empty where it is local or unknown.
 * Bounded: at most 16 references, cycles cut. Memoised per facts.
 *
 * Where more than 16 are possible, those of one module are told as one computed reference with the members they have
 * in common. What a call gives is marked as an instance, also where no member follows.
 */
export function referencesOf(facts: ModuleFacts, value: ValueId): readonly Reference[] {
  return referencesAmong(resolverOf(facts).settleShapes(value));
}

/** A value known before the program runs. `decoded`: a decoder (base64, hex, character codes, reversal) took part. */
export interface Constant {
  readonly value: string | number | boolean | null;
  readonly bytes?: true;
  readonly decoded?: true;
}

/**
 * Every constant an expression can be, or null where some path does not fold. Folds concatenation, join, format,
 * `%`, f-strings and templates, reverse, slices, replace, case changes, base64/hex/bytes of literals, `chr` lists,
 * `path.join` of constants, names that are only ever given constants. At most 64 alternatives.
 */
export function constantsOf(facts: ModuleFacts, value: ValueId): readonly Constant[] | null {
  const folded = resolverOf(facts).settleFold(value);
  return folded?.every(isConstant) === true ? folded : null;
}

function isConstant(folded: Folded): folded is Constant {
  return !Array.isArray(folded.value);
}

/** The text that an expression surely begins with (`"./pages/" + name` gives `./pages/`); empty where unknown. */
export function constantHead(facts: ModuleFacts, value: ValueId): string {
  return headOf(resolverOf(facts), value);
}

/**
 * The functions of this file that an expression can be: names, methods through `self`, constructed classes' methods.
 * A class stands for its constructor.
 */
export function functionsOf(facts: ModuleFacts, value: ValueId): readonly FunctionId[] {
  const resolver = resolverOf(facts);
  const functions = new Set<FunctionId>();
  for (const shape of resolver.settleShapes(value)) {
    if (shape.kind === "function") functions.add(shape.id);
    if (shape.kind !== "class") continue;
    for (const name of resolver.vocabulary.constructors) for (const method of methodsOf(resolver, shape.id, name)) functions.add(method);
  }
  return [...functions];
}

/** The classes of this file that an expression can be an instance of. */
export function instancesOf(facts: ModuleFacts, value: ValueId): readonly ClassId[] {
  const classes: ClassId[] = [];
  for (const shape of resolverOf(facts).settleShapes(value)) if (shape.kind === "instance") classes.push(shape.id);
  return classes;
}

/** Something that the file itself defines; of a table literal `id` is its ValueId. */
export interface Definition {
  readonly kind: "function" | "class" | "instance" | "table";
  readonly id: number;
}

/** What of the file's own an expression can be: functions, classes, instances of them, literal tables. */
export function definitionsOf(facts: ModuleFacts, value: ValueId): readonly Definition[] {
  const definitions: Definition[] = [];
  for (const shape of resolverOf(facts).settleShapes(value)) {
    if (shape.kind === "function" || shape.kind === "class" || shape.kind === "instance") definitions.push({ kind: shape.kind, id: shape.id });
    else if (shape.kind === "data" && facts.values[shape.id]?.kind === "table") definitions.push({ kind: "table", id: shape.id });
  }
  return definitions;
}

/** The expressions that calling a function of the file gives: what it returns, of a generator also what it yields. */
export function valuesReturned(facts: ModuleFacts, id: FunctionId): readonly ValueId[] {
  return returnedBy(resolverOf(facts), id);
}

/** All uses of a binding: the values of kind `name` that were looked up to it. */
export function occurrencesOf(facts: ModuleFacts, binding: BindingId): readonly ValueId[] {
  return resolverOf(facts).once("occurrences", () => findOccurrences(facts))[binding] ?? [];
}

function findOccurrences(facts: ModuleFacts): readonly (readonly ValueId[])[] {
  const occurrences: ValueId[][] = facts.bindings.map(() => []);
  facts.values.forEach((value, id) => {
    if (value.kind === "name" && value.binding >= 0) occurrences[value.binding]?.push(id);
  });
  return occurrences;
}
