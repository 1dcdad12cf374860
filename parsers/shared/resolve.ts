import type { BindingId, ClassId, FunctionId, ModuleFacts, Reference, ValueId } from "../facts.ts";

/**
 * What an expression can be outside this file: follows names, aliases, unpacking, members, constructions, awaits,
 * `self` attributes, `functools.partial`, loaders with a text that folds. Empty where it is local or unknown.
 * Bounded: at most 16 references, cycles cut. Memoised per facts.
 */
export function referencesOf(facts: ModuleFacts, value: ValueId): readonly Reference[] {
  void facts; void value;
  return [];
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
  void facts; void value;
  return null;
}

/** The text that an expression surely begins with (`"./pages/" + name` gives `./pages/`); empty where unknown. */
export function constantHead(facts: ModuleFacts, value: ValueId): string {
  void facts; void value;
  return "";
}

/** The functions of this file that an expression can be: names, methods through `self`, constructed classes' methods. */
export function functionsOf(facts: ModuleFacts, value: ValueId): readonly FunctionId[] {
  void facts; void value;
  return [];
}

/** The classes of this file that an expression can be an instance of. */
export function instancesOf(facts: ModuleFacts, value: ValueId): readonly ClassId[] {
  void facts; void value;
  return [];
}

/** All uses of a binding: the values of kind `name` that were looked up to it. */
export function occurrencesOf(facts: ModuleFacts, binding: BindingId): readonly ValueId[] {
  void facts; void binding;
  return [];
}
