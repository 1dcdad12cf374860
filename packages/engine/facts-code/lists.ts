import type { Reader } from "./reader.ts";
import type { Writer } from "./writer.ts";

/** Fields that are set one after the other while a record is read. */
export type Mutable<T> = T extends unknown ? { -readonly [K in keyof T]: T[K] } : never;

export function writeList<T>(to: Writer, list: readonly T[], write: (to: Writer, item: T) => void): void {
  to.count(list.length);
  for (const item of list) write(to, item);
}

export function readList<T>(from: Reader, read: (from: Reader) => T): T[] {
  const list: T[] = [];
  for (let length = from.length(); length > 0; length--) list.push(read(from));
  return list;
}

export function writeTexts(to: Writer, texts: readonly string[]): void {
  to.count(texts.length);
  for (const text of texts) to.text(text);
}

export function readTexts(from: Reader): string[] {
  const texts: string[] = [];
  for (let length = from.length(); length > 0; length--) texts.push(from.text());
  return texts;
}

export function writeOptionalText(to: Writer, text: string | null): void {
  to.count(text === null ? 0 : 1);
  if (text !== null) to.text(text);
}

export function readOptionalText(from: Reader): string | null {
  return from.count() === 0 ? null : from.text();
}

/** A table by name has no prototype: `constructor` is a name like any other. */
export function writeNames<T>(to: Writer, table: Readonly<Record<string, T>>, write: (to: Writer, value: T) => void): void {
  const names = Object.keys(table);
  to.count(names.length);
  for (const name of names) {
    to.text(name);
    write(to, table[name]!);
  }
}

export function readNames<T>(from: Reader, read: (from: Reader) => T): Record<string, T> {
  const table = Object.create(null) as Record<string, T>;
  for (let length = from.length(); length > 0; length--) {
    const name = from.text();
    table[name] = read(from);
  }
  return table;
}

/** Bit by bit which of these fields are set. */
export function flags(first: boolean | undefined, second?: boolean  , third?: boolean  , fourth?: boolean  ): number {
  return (first === true ? 1 : 0) | (second === true ? 2 : 0) | (third === true ? 4 : 0) | (fourth === true ? 8 : 0);
}
