/** A value known before the program runs. Lists are known as a whole or not at all. */
export interface Folded {
  readonly value: string | number | boolean | null | readonly Folded[];
  /** A string of bytes, one code unit each. */
  readonly bytes?: true;
  /** A decoder took part. */
  readonly decoded?: true;
}

/** Alternatives of one value, or null where some path does not fold. */
export type Alternatives = readonly Folded[] | null;

export const MAX_ALTERNATIVES = 64;
export const MAX_TEXT = 65_536;
export const MAX_ITEMS = 4096;

export function text(value: string, from: readonly Folded[] = [], bytes = false): Folded | null {
  if (value.length > MAX_TEXT) return null;
  return { value, ...(bytes && { bytes: true as const }), ...(from.some(isDecoded) && { decoded: true as const }) };
}

export function number(value: number, from: readonly Folded[] = []): Folded {
  return from.some(isDecoded) ? { value, decoded: true } : { value };
}

export function listOf(items: readonly Folded[], from: readonly Folded[] = []): Folded | null {
  if (items.length > MAX_ITEMS) return null;
  return from.some(isDecoded) ? { value: items, decoded: true } : { value: items };
}

/** The same, marked as decoded. */
export function decoded(folded: Folded | null): Folded | null {
  return folded === null ? null : { ...folded, decoded: true };
}

export function isDecoded(folded: Folded): boolean {
  return folded.decoded === true || (Array.isArray(folded.value) && (folded.value as readonly Folded[]).some((item) => item.decoded === true));
}

export function items(folded: Folded | undefined): readonly Folded[] | null {
  if (folded === undefined) return null;
  if (Array.isArray(folded.value)) return folded.value as readonly Folded[];
  if (typeof folded.value !== "string") return null;
  const { value, bytes } = folded;
  if (value.length > MAX_ITEMS) return null;
  const parts = bytes ? [...value].map((char) => number(char.charCodeAt(0), [folded])) : [...value].map((char) => text(char, [folded])!);
  return parts;
}

export function lengthOfFolded(folded: Folded | undefined): Folded | null {
  const value = folded?.value;
  return typeof value === "string" || Array.isArray(value) ? number((value as readonly unknown[] | string).length) : null;
}

export function string(folded: Folded | undefined): string | null {
  return typeof folded?.value === "string" ? folded.value : null;
}

export function integer(folded: Folded | undefined): number | null {
  return typeof folded?.value === "number" && Number.isInteger(folded.value) ? folded.value : null;
}

/** Every combination of one alternative from each, or null where there are too many. */
export function combinations(parts: readonly Alternatives[]): (readonly Folded[])[] | null {
  let combined: Folded[][] = [[]];
  for (const alternatives of parts) {
    if (alternatives === null || combined.length * alternatives.length > MAX_ALTERNATIVES) return null;
    combined = combined.flatMap((before) => alternatives.map((next) => [...before, next]));
  }
  return combined;
}

/** Applies a function to every combination. */
export function lifted(parts: readonly Alternatives[], apply: (values: readonly Folded[]) => Folded | null): Alternatives {
  const combined = combinations(parts);
  if (combined === null) return null;
  const results: Folded[] = [];
  for (const values of combined) {
    const result = apply(values);
    if (result === null) return null;
    results.push(result);
  }
  return distinct(results);
}

/** All alternatives together, each once; null where one is null or there are too many. */
export function anyOfAll(parts: readonly Alternatives[]): Alternatives {
  const all: Folded[] = [];
  for (const alternatives of parts) {
    if (alternatives === null) return null;
    all.push(...alternatives);
    if (all.length > MAX_ITEMS) return null;
  }
  const once = distinct(all);
  return once.length > MAX_ALTERNATIVES ? null : once;
}

function distinct(all: readonly Folded[]): readonly Folded[] {
  if (all.length < 2) return all;
  const seen = new Set<string>();
  return all.filter((folded) => {
    if (Array.isArray(folded.value)) return true;
    const key = `${typeof folded.value} ${folded.bytes ?? ""} ${folded.decoded ?? ""} ${folded.value as string}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** How a value is written inside of text. */
export function written(folded: Folded, isPython: boolean): string | null {
  const { value } = folded;
  if (typeof value === "string") return isPython && folded.bytes ? null : value;
  if (typeof value === "number") return isPython && !Number.isInteger(value) ? null : String(value);
  if (value === null) return isPython ? "None" : "null";
  if (typeof value !== "boolean") return null;
  if (!isPython) return String(value);
  return value ? "True" : "False";
}
