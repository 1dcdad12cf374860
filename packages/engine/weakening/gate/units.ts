import type { Located } from "../../policy/located.ts";
import { canonical, placeOfKey, placeOfValue } from "../place.ts";
import type { Place } from "../record.ts";
import { NAMES_GATE } from "./files.ts";

/** A part of a file that names the gate: a line, or in data the smallest value that is about it. */
export interface Unit {
  /** Where it belongs, without positions in lists; empty in plain text. */
  readonly path: string;
  /** What it says, without layout. */
  readonly text: string;
  readonly at: Place;
}

/**
 * The parts of YAML or JSON that name the gate: a key that does with all below it, an item of a list that names it in
 * one of its own fields as a whole (a hook with its arguments), else the lines of a text. Values that are covered are left out.
 */
export function dataUnits(root: Located, isCovered: (value: Located) => boolean, isName: (path: string) => boolean = () => false): Unit[] {
  const found: Unit[] = [];
  const open: { readonly value: Located; readonly path: string }[] = [{ value: root, path: "" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    if (isCovered(value)) continue;
    if (value.kind === "scalar") found.push(...scalarUnits(value, path));
    else if (value.kind === "mapping") {
      for (const entry of [...value.entries].reverse()) {
        const below = `${path}.${entry.key}`;
        if (!NAMES_GATE.test(entry.key) || isName(below)) open.push({ value: entry.value, path: below });
        else if (!isCovered(entry.value)) found.push({ path: below, text: canonical(entry.value), at: placeOfKey(entry) });
      }
    } else {
      for (const item of [...value.items].reverse()) {
        if (namesItself(item) && !isCovered(item)) found.push({ path: `${path}[]`, text: canonical(item), at: placeOfItem(item) });
        else open.push({ value: item, path: `${path}[]` });
      }
    }
  }
  return found;
}

function namesItself(item: Located): boolean {
  return item.kind === "mapping" && item.entries.some(({ key, value }) => key !== "run" && value.kind === "scalar" && NAMES_GATE.test(String(value.value)));
}

function placeOfItem(item: Located): Place {
  const naming = item.kind === "mapping" ? item.entries.find(({ value }) => value.kind === "scalar" && NAMES_GATE.test(String(value.value))) : undefined;
  return naming === undefined ? placeOfValue(item) : placeOfKey(naming);
}

function scalarUnits(value: Located & { readonly kind: "scalar" }, path: string): Unit[] {
  if (typeof value.value !== "string" || !NAMES_GATE.test(value.value)) return [];
  const lines = joined(value.value).map(({ text }) => collapsed(text)).filter((line) => NAMES_GATE.test(line) && !line.startsWith("#"));
  return lines.map((text) => ({ path, text, at: placeOfValue(value) }));
}

/** The lines of a text that name the gate, comments left out and layout dropped. */
export function lineUnits(text: string): Unit[] {
  return joined(text).flatMap(({ text: line, number }) => {
    const content = collapsed(line);
    if (!NAMES_GATE.test(content) || /^(?:#(?!!)|\/\/)/.test(content)) return [];
    return [{ path: "", text: content, at: { line: number, column: line.length - line.trimStart().length + 1, length: Math.max(1, line.trim().length) } }];
  });
}

/** Lines with what a backslash continues. */
function joined(text: string): { readonly text: string; readonly number: number }[] {
  const lines: { text: string; number: number }[] = [];
  let continued = false;
  text.split(/\r\n|\r|\n/).forEach((line, index) => {
    const last = lines.at(-1);
    const ends = line.endsWith("\\");
    const content = ends ? line.slice(0, -1) : line;
    if (continued && last !== undefined) last.text += ` ${content.trim()}`;
    else lines.push({ text: content, number: index + 1 });
    continued = ends;
  });
  return lines;
}

function collapsed(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/**
 * The parts of a JavaScript configuration that name the gate, between commas, semicolons and braces, so that line
 * breaks and quotes make no difference. Comments are dropped; a `//` inside a string is no comment.
 */
export function scriptUnits(source: string): Unit[] {
  const units: Unit[] = [];
  const places = new Places(source);
  let text = "";
  let start = 0;
  const finish = (end: number): void => {
    if (NAMES_GATE.test(text)) units.push({ path: "", text: collapsed(text), at: places.at(start + text.length - text.trimStart().length, end) });
    text = "";
  };
  for (let index = 0; index < source.length; index++) {
    const character = source[index]!;
    if (character === "/" && (source[index + 1] === "/" || source[index + 1] === "*")) {
      const close = source[index + 1] === "/" ? "\n" : "*/";
      const end = source.indexOf(close, index + 2);
      const stop = end === -1 ? source.length : end + close.length;
      text += " ".repeat(stop - index);
      index = stop - 1;
    } else if (character === '"' || character === "'" || character === "`") {
      const stop = endOfString(source, index, character);
      text += `"${source.slice(index + 1, stop)}"`;
      index = stop;
    } else if (",;{}".includes(character)) {
      finish(index);
      start = index + 1;
    } else text += character;
  }
  finish(source.length);
  return units;
}

/** The offset of the quote that closes a string; the last one of the source where none does. */
function endOfString(source: string, start: number, quote: string): number {
  for (let index = start + 1; index < source.length; index++) {
    if (source[index] === "\\") index++;
    else if (source[index] === quote) return index;
    else if (source[index] === "\n" && quote !== "`") return index - 1;
  }
  return source.length - 1;
}

/** Lines of offsets that only grow: a file may name the gate a hundred thousand times. */
class Places {
  readonly #source: string;
  #line = 1;
  #lineStart = 0;

  constructor(source: string) {
    this.#source = source;
  }

  at(start: number, end: number): Place {
    for (let next = this.#source.indexOf("\n", this.#lineStart); next !== -1 && next < start; next = this.#source.indexOf("\n", this.#lineStart)) {
      this.#line++;
      this.#lineStart = next + 1;
    }
    const lineEnd = this.#source.indexOf("\n", start);
    return { line: this.#line, column: start - this.#lineStart + 1, length: Math.max(1, Math.min(end, lineEnd === -1 ? end : lineEnd) - start) };
  }
}
