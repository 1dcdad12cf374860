import type { Place } from "@agentgate/parsers/contract";

/** Something in a file that a diagnostic can point at. */
export interface Spot {
  readonly path: string;
  readonly at: Place;
  /** Path of keys without indexes: `gates[].evidence`. */
  readonly key: string;
  readonly value?: unknown;
}

/** A value that has the form its field asks for. What has not is reported and counts as absent. */
export interface Given<T> extends Spot {
  readonly value: T;
}

export type Form = "path" | "digest" | "commit" | "date" | "timestamp" | "moment" | "owner" | "env-name" | "command";

/**
 * What can be wrong with a value. Each is reported under the generic rule of its name; `blank` (also a placeholder) under
 * `field`, `command` under `type`.
 */
export type Breach = "field" | "blank" | "type" | "unsafe-path" | "owner" | "command";

export type Shape =
  | { readonly kind: "text"; readonly form: Form | null; readonly pattern: string | null; readonly says: string | null }
  /** Any string, a blank one too. */
  | { readonly kind: "string" }
  | { readonly kind: "int" | "number"; readonly min: number | null; readonly above: number | null; readonly max: number | null }
  | { readonly kind: "bool" }
  | { readonly kind: "choice"; readonly values: readonly (string | number)[] }
  | { readonly kind: "list"; readonly of: Field; readonly least: number }
  | { readonly kind: "record"; readonly fields: Fields; readonly together: readonly (readonly string[])[] }
  | { readonly kind: "map"; readonly of: Field; readonly keys: string | null; readonly least: number }
  | { readonly kind: "any" }
  /** The first alternative that takes the value's form (scalar, list, mapping). */
  | { readonly kind: "either"; readonly of: readonly Field[] };

declare const VALUE: unique symbol;

/** One key of a contract: its form, what it is for, and under which of the contract's own rules a breach is reported. */
export interface Field<T = unknown> {
  readonly shape: Shape;
  /** What it says, one sentence for the page, the schema and the messages. */
  readonly description: string;
  readonly optional: boolean;
  /** For the page and the schema; rules fill it in themselves. */
  readonly fallback?: unknown;
  /** Rules of the contract that take the place of a generic one. */
  readonly rules?: Readonly<Partial<Record<Breach, string>>>;
  readonly [VALUE]?: T;
}

export type Fields = Readonly<Record<string, Field>>;

/** What is left of a mapping once everything wrong is gone. */
export type Valid<F extends Fields> = { readonly [K in keyof F]?: F[K] extends Field<infer T> ? Given<T> : never };

export interface FieldOptions {
  readonly rules?: Readonly<Partial<Record<Breach, string>>>;
}

function field<T>(shape: Shape, description: string, { rules }: FieldOptions = {}): Field<T> {
  return { shape, description, optional: false, ...(rules === undefined ? {} : { rules }) };
}

function ofForm(form: Form): (description: string, options?: FieldOptions) => Field<string> {
  return (description, options) => field({ kind: "text", form, pattern: null, says: null }, description, options);
}

interface TextOptions extends FieldOptions {
  /** Regular expression for the `u` flag, anchored, and what it asks for as the end of "must be …". */
  readonly pattern?: { readonly source: string; readonly says: string };
}

/** Text that is neither blank nor a placeholder. */
export function text(description: string, { pattern, ...options }: TextOptions = {}): Field<string> {
  return field({ kind: "text", form: null, pattern: pattern?.source ?? null, says: pattern?.says ?? null }, description, options);
}

export const path = ofForm("path");
export const digest = ofForm("digest");
export const commit = ofForm("commit");
export const date = ofForm("date");
export const timestamp = ofForm("timestamp");
/** A date or a timestamp. */
export const moment = ofForm("moment");
export const owner = ofForm("owner");
export const envName = ofForm("env-name");
export const command = ofForm("command");

export function string(description: string, options?: FieldOptions): Field<string> {
  return field({ kind: "string" }, description, options);
}

interface Bounds extends FieldOptions {
  readonly min?: number;
  /** Exclusive. */
  readonly above?: number;
  readonly max?: number;
}

export function int(description: string, { above, max, min, ...options }: Bounds = {}): Field<number> {
  return field({ kind: "int", min: min ?? null, above: above ?? null, max: max ?? null }, description, options);
}

export function number(description: string, { above, max, min, ...options }: Bounds = {}): Field<number> {
  return field({ kind: "number", min: min ?? null, above: above ?? null, max: max ?? null }, description, options);
}

export function bool(description: string, options?: FieldOptions): Field<boolean> {
  return field({ kind: "bool" }, description, options);
}

/** One of the given values; `version` is `choice([1], …)`. */
export function choice<const V extends string | number>(values: readonly V[], description: string, options?: FieldOptions): Field<V> {
  return field({ kind: "choice", values }, description, options);
}

interface ListOptions extends FieldOptions {
  /** Fewest entries; default 1, 0 for a list that may be empty. */
  readonly least?: number;
}

/** A list. Entries that are no records are refused where they repeat. */
export function list<T>(of: Field<T>, description: string, { least, ...options }: ListOptions = {}): Field<readonly Given<T>[]> {
  return field({ kind: "list", of, least: least ?? 1 }, description, options);
}

interface RecordOptions extends FieldOptions {
  /** Groups of optional keys that stand together or not at all. */
  readonly together?: readonly (readonly string[])[];
}

export function record<F extends Fields>(fields: F, description: string, { together, ...options }: RecordOptions = {}): Field<Valid<F>> {
  return field({ kind: "record", fields, together: together ?? [] }, description, options);
}

interface MapOptions extends ListOptions {
  /** Form of the names. */
  readonly keys?: string;
}

/** A mapping from names that the author chooses. */
export function map<T>(of: Field<T>, description: string, { keys, least, ...options }: MapOptions = {}): Field<ReadonlyMap<string, Given<T>>> {
  return field({ kind: "map", of, keys: keys ?? null, least: least ?? 1 }, description, options);
}

/** Anything: the inside belongs to somebody else. The value is the parsed node. */
export function any(description: string): Field {
  return field({ kind: "any" }, description);
}

/** Text or a list, say: the first alternative of the value's form. */
export function either<A, B>(one: Field<A>, other: Field<B>, description: string, options?: FieldOptions): Field<A | B> {
  return field({ kind: "either", of: [one, other] }, description, options);
}

/** A key that may be left out. A key without a value is not left out. */
export function optional<T>(of: Field<T>, fallback?: unknown): Field<T> {
  return { ...of, optional: true, ...(fallback === undefined ? {} : { fallback }) };
}
