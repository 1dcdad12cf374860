import type { Located, LocatedEntry } from "../policy/located.ts";
import type { Place } from "./record.ts";

/** Where a key of a mapping stands. */
export function placeOfKey(entry: LocatedEntry): Place {
  return { line: entry.keyLine, column: entry.keyColumn, length: Math.max(1, entry.key.length) };
}

/** Where a value begins. */
export function placeOfValue(located: Located): Place {
  const length = located.kind === "scalar" ? String(located.value).split("\n", 1)[0]!.length : 1;
  return { line: located.line, column: located.column, length: Math.max(1, length) };
}

/** The entry of a mapping with a key; undefined for anything else. */
export function entryOf(located: Located | undefined, key: string): LocatedEntry | undefined {
  return located?.kind === "mapping" ? located.entries.find((entry) => entry.key === key) : undefined;
}

export function valueOf(located: Located | undefined, key: string): Located | undefined {
  return entryOf(located, key)?.value;
}

export function entriesOf(located: Located | undefined): readonly LocatedEntry[] {
  return located?.kind === "mapping" ? located.entries : [];
}

export function itemsOf(located: Located | undefined): readonly Located[] {
  return located?.kind === "list" ? located.items : [];
}

/** The value of a scalar as text; undefined for lists, mappings and nothing. */
export function textOf(located: Located | undefined): string | undefined {
  return located?.kind === "scalar" && located.value !== null ? String(located.value) : undefined;
}

/** A value without places, its keys sorted: equal text is equal meaning. */
export function canonical(located: Located | undefined): string {
  if (located === undefined) return "";
  if (located.kind === "scalar") return JSON.stringify(located.value);
  if (located.kind === "list") return `[${located.items.map(canonical).join(",")}]`;
  const entries = located.entries.map((entry) => `${JSON.stringify(entry.key)}:${canonical(entry.value)}`);
  return `{${entries.sort().join(",")}}`;
}

/** The place of a line (1-based), at most the last one: the nearest that is left of something gone. */
export function placeOfLine(text: string | readonly string[], line: number): Place {
  const lines = typeof text === "string" ? linesOf(text) : text;
  const nearest = Math.min(Math.max(1, line), Math.max(1, lines.length));
  const content = (lines[nearest - 1] ?? "").replace(/\r$/, "");
  const indent = content.length - content.trimStart().length;
  return { line: nearest, column: indent + 1, length: Math.max(1, content.trim().length) };
}

/** The lines of a text, to look up many of its places. */
export function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, "").split("\n");
}
