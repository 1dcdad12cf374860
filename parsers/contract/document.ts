/** A place on one line of a file. 1-based; column and length count UTF-16 code units, a byte order mark not among them. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** Where a file as a whole is reported. */
export const LINE_ONE: Place = { line: 1, column: 1, length: 0 };

export interface Scalar {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  /** As written, without quotes: `1` and `1.0` are one number and two texts. */
  readonly source: string;
  readonly at: Place;
}

export interface List {
  readonly kind: "list";
  readonly items: readonly Value[];
  readonly at: Place;
}

export interface Mapping {
  readonly kind: "mapping";
  /** In the order of the file; no key stands there twice. */
  readonly entries: readonly Entry[];
  readonly at: Place;
}

export type Value = Scalar | List | Mapping;

export interface Entry {
  readonly key: string;
  readonly keyAt: Place;
  readonly value: Value;
}

/** Why a file is none that we read. `message` is a whole sentence without the file's name. */
export interface SyntaxProblem {
  readonly message: string;
  readonly at: Place;
}

/** A document with its place at every key and value, or what is wrong with it. */
export type Read<T> = { readonly value: T } | { readonly problem: SyntaxProblem };

/** Thrown inside of a reader, and by none of them: see `Read`. */
export class SyntaxFault extends Error {
  readonly at: Place;

  constructor(message: string, at: Place) {
    super(message);
    this.at = at;
  }
}

/** Nesting and values beyond what anybody writes: aliases of aliases, thousands of brackets. */
export const MAX_DEPTH = 64;
export const MAX_VALUES = 50_000;

/** What `read` gives, with a fault that it throws as the problem. */
export function reading<T>(read: () => T): Read<T> {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof SyntaxFault) return { problem: { message: error.message, at: error.at } };
    throw error;
  }
}

/** The value below a key; undefined where the mapping does not have it. */
export function valueOf(mapping: Mapping, key: string): Value | undefined {
  return mapping.entries.find((entry) => entry.key === key)?.value;
}

/** A value without its places, as `JSON.parse` would give it. */
export function plainValue(value: Value): unknown {
  if (value.kind === "scalar") return value.value;
  if (value.kind === "list") return value.items.map(plainValue);
  return Object.fromEntries(value.entries.map((entry) => [entry.key, plainValue(entry.value)]));
}
