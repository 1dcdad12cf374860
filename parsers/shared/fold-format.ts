import { items, MAX_TEXT, text, written } from "./folded.ts";
import type { Folded } from "./folded.ts";

/** The values that a format is filled with. */
export interface Filling {
  readonly positional: readonly Folded[];
  readonly named: ReadonlyMap<string, Folded>;
}

const FIELD = /\{\{|\}\}|\{([^{}!:]*)(?:!s)?\}|[{}]/g;

/** `"{}-{0}-{name}".format(…)`; anything with a format specification does not fold. */
export function format(template: Folded, { positional, named }: Filling): Folded | null {
  if (typeof template.value !== "string" || template.bytes) return null;
  const filled = new Filled(template);
  let next = 0;
  for (const match of template.value.matchAll(FIELD)) {
    const [whole, name] = match;
    if (whole === "{{" || whole === "}}") {
      filled.add(match, whole[0]!);
      continue;
    }
    if (name === undefined) return null;
    const value = name === "" ? positional[next++] : /^\d+$/.test(name) ? positional[Number(name)] : named.get(name);
    if (!filled.add(match, value === undefined ? null : written(value, true), value)) return null;
  }
  return filled.result();
}

const CONVERSION = /%(?:\((\w+)\))?([sdi%c]|.?)/gs;

/** `"%s.%s" % (a, b)`, `"%(name)s" % {…}`. */
export function percent(template: Folded, right: Folded, named: ReadonlyMap<string, Folded> = new Map()): Folded | null {
  if (typeof template.value !== "string") return null;
  const given = Array.isArray(right.value) ? (items(right) ?? []) : [right];
  const filled = new Filled(template);
  let next = 0;
  for (const match of template.value.matchAll(CONVERSION)) {
    const [, name, kind = ""] = match;
    if (kind === "%") {
      filled.add(match, "%");
      continue;
    }
    const value = name === undefined ? given[next++] : named.get(name);
    if (!filled.add(match, value === undefined ? null : converted(value, kind, template.bytes === true), value)) return null;
    if (kind === "c") filled.isDecoded = true;
  }
  return filled.result();
}

function converted(folded: Folded, kind: string, isBytes: boolean): string | null {
  const { value } = folded;
  if (kind === "s") return isBytes && typeof value === "string" ? value : written(folded, true);
  if (kind === "c") return typeof value === "string" ? value : character(value);
  return typeof value === "number" && Number.isInteger(value) && (kind === "d" || kind === "i") ? String(value) : null;
}

/** The character of a code point, or null where there is none. */
export function character(code: unknown): string | null {
  return typeof code === "number" && Number.isInteger(code) && code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

/** A template as far as its fields are filled. */
class Filled {
  isDecoded = false;
  private readonly template: Folded;
  private readonly used: Folded[];
  private readonly pieces: string[] = [];
  private length = 0;
  private end = 0;

  constructor(template: Folded) {
    this.template = template;
    this.used = [template];
  }

  /** Puts a piece where the match stands; false where it is not known or the text grows too long. */
  add(match: RegExpExecArray, piece: string | null, value?: Folded): boolean {
    if (piece === null) return false;
    if (value !== undefined) this.used.push(value);
    const before = (this.template.value as string).slice(this.end, match.index);
    this.pieces.push(before, piece);
    this.length += before.length + piece.length;
    this.end = match.index + match[0].length;
    return this.length <= MAX_TEXT;
  }

  result(): Folded | null {
    const whole = [...this.pieces, (this.template.value as string).slice(this.end)].join("");
    const folded = text(whole, this.used, this.template.bytes);
    return folded !== null && this.isDecoded ? { ...folded, decoded: true } : folded;
  }
}
