import type { Span } from "@agentgate/parsers";

/** Raised whenever the same facts may give another summary; part of the key where summaries are kept. */
export const REACH_VERSION = 3;

/** A reference out of the file, as in facts. */
export interface ReachReference {
  readonly module: string;
  readonly path: readonly string[];
  readonly instance?: true;
  readonly computed?: true;
  /** Only an annotation, an import of everything, or folded text says so. */
  readonly through?: "annotation" | "parameter-default" | "star" | "dynamic" | "decoded" | "literal-reach";
}

/**
 * Something that a value can be: of the file a function, a class, an instance of a class or a table (indexes of this
 * record), or a reference out of it (index in `references`).
 */
export type Entity = readonly [kind: "function" | "class" | "instance" | "table" | "reference", id: number];

/** What an argument is known to be: alternatives, `null` where it does not fold, `head` the text it then begins with. */
export interface ReachArgument {
  readonly constants: readonly (string | number | boolean | null)[] | null;
  readonly head?: string;
  readonly references?: readonly ReachReference[];
}

/** The arguments that a catalogue may ask about: the first two by place, the others by keyword or option. */
export interface ReachArguments {
  readonly placed: readonly ReachArgument[];
  readonly named: readonly (readonly [name: string, argument: ReachArgument])[];
  /** A spread may hold those that are not given. */
  readonly open?: true;
  /** It works on a buffer in memory. */
  readonly memory?: true;
}

/** One thing that a function does to another: it may run it. */
export interface ReachEdge {
  readonly to: Entity;
  /**
   * - `call`: called or constructed
   * - `pass`: handed to something that may call it
   * - `value`: taken as a value in another way
   * - `write`: assigned to
   * - `decorate`: called when something is decorated, what it makes is not
   * - `decorated`: what it makes is called in place of the function
   * - `derive`: a class derives from it
   */
  readonly how: "call" | "pass" | "value" | "write" | "decorate" | "decorated" | "derive";
  /** A member of `to` that is run: `__enter__`, a method of `super()`. */
  readonly member?: string;
  readonly span: Span;
  /** Index in `statements` of the facts. */
  readonly statement: number;
  readonly arguments?: ReachArguments;
  /** With `pass`: what it is handed to, where that is a reference. */
  readonly taker?: number;
  /** It stands where only the program's own start comes (`if __name__ == "__main__"`), not an import. */
  readonly main?: true;
}

export interface ReachFunction {
  /** `Client.post`; `<module>` for the body of the module; empty where it has no name. */
  readonly name: string;
  readonly span: Span;
  readonly edges: readonly ReachEdge[];
  /** What a call of it gives. */
  readonly returns: readonly Entity[];
  /** It runs when the member is read. */
  readonly getter?: true;
}

export interface ReachClass {
  readonly name: string;
  readonly bases: readonly Entity[];
  /** Methods by name, as indexes in `functions`. */
  readonly methods: readonly (readonly [name: string, functions: readonly number[]])[];
  /** What else its instances have. */
  readonly attributes: readonly (readonly [name: string, values: readonly Entity[]])[];
  /** Functions that run when it is constructed and have no name to call them by. */
  readonly initializers: readonly number[];
}

/** An import that runs a module: a statement, or a loader that is given written text. */
export interface ReachImport {
  readonly specifier: string;
  readonly names: readonly { readonly name: string; readonly span: Span }[];
  readonly span: Span;
  readonly statement: number;
  readonly function: number;
  /** Nothing of it is named: it is imported for what its body does. */
  readonly bare?: true;
}

/**
 * What the functions of one module may run, made from facts alone: plain JSON, without its own path, the tree or the
 * catalogue, so that it can be kept by the content of the file.
 */
export interface ReachSummary {
  readonly version: number;
  readonly language: "python" | "ecmascript";
  readonly references: readonly ReachReference[];
  /** Index 0 is the body of the module; the others are those of the facts. */
  readonly functions: readonly ReachFunction[];
  readonly classes: readonly ReachClass[];
  readonly tables: readonly (readonly (readonly [key: string, values: readonly Entity[]])[])[];
  /** As in facts: `default`, and `=` for `module.exports`. */
  readonly exports: readonly (readonly [name: string, values: readonly Entity[]])[];
  /** Specifiers of modules whose every name is passed on. */
  readonly stars: readonly string[];
  readonly imports: readonly ReachImport[];
  /** Where something is given another name: no edge, yet it may be what a change added. */
  readonly aliases: readonly { readonly reference: number; readonly span: Span; readonly statement: number }[];
}
