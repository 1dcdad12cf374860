import { bufferText, encoded, fromCodes, textOf } from "./fold-decode.ts";
import { format } from "./fold-format.ts";
import type { Filling } from "./fold-format.ts";
import { integer, items, listOf, MAX_ITEMS, MAX_TEXT, number, string, text, written } from "./folded.ts";
import type { Folded } from "./folded.ts";
import { itemAt, sliceBetween } from "./fold-members.ts";

/** A method of text, bytes or lists: what it gives, or null where that is not known. */
export type Method = (of: Folded, given: Filling, isPython: boolean) => Folded | null;

function onText(change: (source: string) => string): Method {
  return (of) => {
    const source = string(of);
    return source === null ? null : text(change(source), [of], of.bytes);
  };
}

/** Removes the given characters, or blanks, from the ends. */
function strip(ends: "both" | "start" | "end"): Method {
  return (of, { positional: [characters] }) => {
    const source = string(of);
    if (source === null || (characters !== undefined && string(characters) === null)) return null;
    const isRemoved = (char: string): boolean => (characters === undefined ? char.trim() === "" : string(characters)!.includes(char));
    let [start, end] = [0, source.length];
    while (ends !== "end" && start < end && isRemoved(source[start]!)) start++;
    while (ends !== "start" && end > start && isRemoved(source[end - 1]!)) end--;
    return text(source.slice(start, end), [of], of.bytes);
  };
}

function replace(isFirstOnly: boolean): Method {
  return (of, { positional: [from, to, count] }) => {
    const [source, a, b] = [string(of), string(from), string(to)];
    if (source === null || a === null || b === null || count !== undefined || (b.length + 1) * source.length > MAX_TEXT * 64) return null;
    const replaced = isFirstOnly ? source.replace(a, () => b) : source.replaceAll(a, () => b);
    return text(replaced, [of, from!, to!], of.bytes);
  };
}

/** `sep.join(items)` of Python, `items.join(sep)` of ECMAScript. */
const join: Method = (of, { positional: [other] }, isPython) => {
  const separator = isPython ? of : (other ?? { value: "," });
  const parts = items(isPython ? other : of);
  const between = string(separator);
  if (parts === null || between === null) return null;
  const pieces = parts.map((part) => (isPython ? string(part) : part.value === null ? "" : written(part, false)));
  if (pieces.includes(null)) return null;
  const length = pieces.reduce((sum, piece) => sum + piece!.length + between.length, 0);
  return length > MAX_TEXT ? null : text(pieces.join(between), [separator, (isPython ? other : of)!, ...parts], isPython && of.bytes);
};

const split: Method = (of, { positional: [separator, limit] }, isPython) => {
  const source = string(of);
  if (source === null || limit !== undefined || source.length > MAX_TEXT) return null;
  const by = separator === undefined ? null : string(separator);
  if (by === null && (!isPython || separator !== undefined)) return null;
  const pieces = by === null ? source.trim().split(/\s+/) : source.split(by);
  return pieces.length > MAX_ITEMS ? null : listOf(pieces.map((piece) => text(piece, [of], of.bytes)!), [of]);
};

const reverse: Method = (of) => {
  const all = Array.isArray(of.value) ? items(of) : null;
  const turned = all === null ? null : listOf(all.toReversed(), [of]);
  return turned === null ? null : { ...turned, decoded: true };
};

const concat: Method = (of, { positional }) => {
  if (Array.isArray(of.value)) return listOf([...of.value as readonly Folded[], ...positional.flatMap((part) => (Array.isArray(part.value) ? (part.value as readonly Folded[]) : [part]))], [of]);
  const pieces = [of, ...positional].map((part) => written(part, false));
  return pieces.includes(null) ? null : text(pieces.join(""), [of, ...positional]);
};

const slicing: Method = (of, { positional: [start, stop] }) => sliceBetween(of, start, stop);

const substring: Method = (of, { positional: [start, stop] }) => {
  const source = string(of);
  if (source === null) return null;
  return text(source.substring(integer(start) ?? 0, stop === undefined ? source.length : (integer(stop) ?? 0)), [of]);
};

const substr: Method = (of, { positional: [start, length] }) => {
  const source = string(of);
  if (source === null) return null;
  const from = integer(start) ?? 0;
  const begin = from < 0 ? Math.max(source.length + from, 0) : from;
  return text(source.slice(begin, length === undefined ? undefined : begin + (integer(length) ?? 0)), [of]);
};

function at(fromEnd: boolean): Method {
  return (of, { positional: [index] }) => itemAt(of, index === undefined ? 0 : (integer(index) ?? Number.NaN), fromEnd);
}

function pad(side: "start" | "end"): Method {
  return (of, { positional: [width, filler] }) => {
    const [source, size, by] = [string(of), integer(width), filler === undefined ? " " : string(filler)];
    if (source === null || size === null || by === null || size > MAX_TEXT) return null;
    return text(side === "start" ? source.padStart(size, by) : source.padEnd(size, by), [of]);
  };
}

const affix = (isPrefix: boolean): Method => (of, { positional: [part] }) => {
  const [source, by] = [string(of), string(part)];
  if (source === null || by === null) return null;
  if (isPrefix) return text(source.startsWith(by) ? source.slice(by.length) : source, [of], of.bytes);
  return text(by !== "" && source.endsWith(by) ? source.slice(0, -by.length) : source, [of], of.bytes);
};

const code: Method = (of, { positional: [index] }) => {
  const source = string(of);
  const found = source?.charCodeAt(index === undefined ? 0 : (integer(index) ?? 0));
  return found === undefined || Number.isNaN(found) ? null : number(found, [of]);
};

const repeat: Method = (of, { positional: [times] }) => {
  const [source, count] = [string(of), integer(times)];
  if (source === null || count === null || count < 0 || source.length * count > MAX_TEXT) return null;
  return text(source.repeat(count), [of]);
};

const title = (source: string): string => source.toLowerCase().replaceAll(/[a-z]+/g, (word) => word[0]!.toUpperCase() + word.slice(1));
const lower = onText((source) => source.toLowerCase());
const upper = onText((source) => source.toUpperCase());
const itself: Method = (of) => of;

/** `"os.system".partition(".")`: what comes before, the separator, what comes after. */
function parted(fromEnd: boolean): Method {
  return (of, { positional: [separator] }) => {
    const [source, by] = [string(of), string(separator)];
    if (source === null || by === null || by === "") return null;
    const at = fromEnd ? source.lastIndexOf(by) : source.indexOf(by);
    const pieces = at < 0 ? (fromEnd ? ["", "", source] : [source, "", ""]) : [source.slice(0, at), by, source.slice(at + by.length)];
    const folded = pieces.map((piece) => text(piece, [of], of.bytes));
    return folded.includes(null) ? null : listOf(folded as Folded[], [of]);
  };
}

const PYTHON: Readonly<Record<string, Method>> = {
  capitalize: onText((source) => source.slice(0, 1).toUpperCase() + source.slice(1).toLowerCase()),
  casefold: lower, decode: (of, { positional: [encoding] }) => (of.bytes ? textOf(of, encoding) : null), encode: (of, { positional: [encoding] }) => encoded(of, encoding),
  format: (of, given) => format(of, given), hex: (of) => bufferText(of, { value: "hex" }), join, lower, lstrip: strip("start"), partition: parted(false), rpartition: parted(true),
  removeprefix: affix(true), removesuffix: affix(false), replace: replace(false), rstrip: strip("end"), split, strip: strip("both"),
  swapcase: onText((source) => source.replaceAll(/[a-zA-Z]/g, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()))),
  title: onText(title), upper, zfill: (of, { positional: [width] }) => pad("start")(of, { positional: [width!, { value: "0" }], named: new Map() }, true),
  copy: itself, __add__: (of, { positional: [other] }) => concat(of, { positional: [other!], named: new Map() }, true),
};

const ECMASCRIPT: Readonly<Record<string, Method>> = {
  at: at(true), charAt: at(false), charCodeAt: code, codePointAt: code, concat, join, padEnd: pad("end"), padStart: pad("start"), repeat,
  replace: replace(true), replaceAll: replace(false), reverse, slice: slicing, split, substr, substring, subarray: slicing,
  toLocaleLowerCase: lower, toLocaleUpperCase: upper, toLowerCase: lower, toReversed: reverse, toUpperCase: upper,
  toString: asString,
  trim: strip("both"), trimEnd: strip("end"), trimStart: strip("start"), valueOf: itself, normalize: onText((source) => source.normalize()),
};

/** `.toString()` of text, of a buffer in an encoding, of a number to a base. */
function asString(of: Folded, { positional: [argument] }: Filling): Folded | null {
  if (of.bytes) return bufferText(of, argument);
  if (argument !== undefined) return radix(of, argument);
  const value = written(of, false);
  return value === null ? null : text(value, [of]);
}

/** `(1099).toString(36)`. */
function radix(of: Folded, base: Folded): Folded | null {
  const [value, by] = [integer(of), integer(base)];
  if (value === null || by === null || by < 2 || by > 36) return null;
  const spelled = text(value.toString(by), [of]);
  return spelled === null ? null : { ...spelled, decoded: true };
}

export function methodNamed(name: string, isPython: boolean): Method | undefined {
  const methods = isPython ? PYTHON : ECMASCRIPT;
  return Object.hasOwn(methods, name) ? methods[name] : undefined;
}

export { fromCodes };
