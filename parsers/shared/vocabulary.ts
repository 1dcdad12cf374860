import type { ModuleFacts } from "../facts.ts";
import { ECMASCRIPT } from "./vocabulary-ecmascript.ts";
import { PYTHON } from "./vocabulary-python.ts";

/** What calling an API gives, where that is more than an instance of it. Arguments are counted from 0. */
export type Behaviour =
  /**
   * Loads what a text names. `gives`: the module of that name, its top package unless `fromlist` is given, or
   * a module and members in one dotted text. `written`: what a literal text counts as; "plain" only where the
   * loader stands there by its own name, else a literal reach.
   */
  | { readonly kind: "load"; readonly text: number; readonly keyword?: string; readonly gives: "module" | "package" | "dotted"; readonly written: "plain" | "literal-reach" | "dynamic" }
  /** Gives back an argument, or any of them. */
  | { readonly kind: "pass"; readonly argument: number | "every"; readonly keyword?: string }
  /** A member of an argument, named by another. */
  | { readonly kind: "reach"; readonly object: number; readonly key: number }
  /** A table of the members of its argument; of the scope's names without one. */
  | { readonly kind: "members" }
  /** A table of the module's own names. */
  | { readonly kind: "names" }
  /** A function that reaches a member of what it is given; the member is named here. */
  | { readonly kind: "getter" }
  /** Calls a function with arguments in a list. */
  | { readonly kind: "invoke"; readonly function: number; readonly list: number }
  /** A list of a table's values, or of its key and value pairs; one item of a list. */
  | { readonly kind: "values" | "pairs" | "item" };

export interface Vocabulary {
  /** By API: module without `node:`, a dot, the members. `()` after it: the result of calling it. */
  readonly behaviours: Readonly<Record<string, Behaviour>>;
  /** Globals that are a module or another global under a second name. */
  readonly selves: readonly string[];
  /** Tables of loaded modules by name. */
  readonly moduleTables: readonly string[];
  /** Members that hold the table of an object's members. */
  readonly memberTables: readonly string[];
  /** Methods of a table that take a key; of a table that give all values or pairs; of a list that give an item. */
  readonly keyMethods: readonly string[];
  readonly valuesMethods: readonly string[];
  readonly pairsMethods: readonly string[];
  readonly itemMethods: readonly string[];
  /** Methods that hand their object, or its items, to the function they are given as the first parameter. */
  readonly callbacks: Readonly<Record<string, "object" | "item">>;
  /** Methods of any object that reach a member by text. */
  readonly reachMethods: readonly string[];
  /** Names of methods that make an instance. */
  readonly constructors: readonly string[];
  /** Modules whose members are functions, so that `.call` and `.apply` are those of every function. */
  readonly callables: readonly string[];
  /** Functions whose argument `first`, or every one from `onward`, is a type and nothing else. */
  readonly typeTakers: Readonly<Record<string, { readonly first: number } | { readonly onward: number }>>;
  /** Decorators that make a method a getter. */
  readonly getters: readonly string[];
  /** Type constructors that stand for their arguments, and those that stand for the class in them. */
  readonly transparentTypes: readonly string[];
  readonly classTypes: readonly string[];
  /** Globals that can never matter to any rule, as long as nothing reflective is reached from them. */
  readonly harmless: readonly string[];
  /** Names of the language itself; anything else that is unresolved may come from a star import. */
  readonly builtins: readonly string[];
  /** Modules that other modules of the standard library import, and so hand on as a member: `shutil.os`, `random._os`. */
  readonly held: readonly string[];
  /** The modules that hold them, and members of these that are not the module of that name. */
  readonly holders: readonly string[];
  readonly notHeld: readonly string[];
  /** Members that are the namespace of running code: the names of a module, or those of the language. */
  readonly namespaces: Readonly<Record<string, "names" | "builtins" | "global" | "document">>;
  /** Constants of the standard library. */
  readonly constants: Readonly<Record<string, string | number>>;
}

/** A vocabulary with what is looked for most often at hand. */
export interface IndexedVocabulary extends Vocabulary {
  readonly tableMethods: ReadonlySet<string>;
  readonly builtinSet: ReadonlySet<string>;
  readonly harmlessSet: ReadonlySet<string>;
  readonly heldSet: ReadonlySet<string>;
  readonly holderSet: ReadonlySet<string>;
  /** First parts of the names in `behaviours`. */
  readonly behaving: ReadonlySet<string>;
}

function indexed(vocabulary: Vocabulary): IndexedVocabulary {
  const { keyMethods, valuesMethods, pairsMethods, itemMethods } = vocabulary;
  return {
    ...vocabulary,
    tableMethods: new Set([...keyMethods, ...valuesMethods, ...pairsMethods, ...itemMethods]),
    builtinSet: new Set(vocabulary.builtins), harmlessSet: new Set(vocabulary.harmless),
    heldSet: new Set(vocabulary.held), holderSet: new Set(vocabulary.holders),
    behaving: new Set(Object.keys(vocabulary.behaviours).map((api) => api.replace(/[.(].*$/, ""))),
  };
}

const INDEXED = { python: indexed(PYTHON), ecmascript: indexed(ECMASCRIPT) } as const;

export function vocabularyOf(facts: ModuleFacts): IndexedVocabulary {
  return INDEXED[facts.language];
}
