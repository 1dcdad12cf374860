import type { Reference, Span } from "@agentgate/parsers";
import { FORM } from "./writer.ts";

/** Reads what `Writer` wrote. Every method throws a RangeError where the bytes cannot be that. */
export class Reader {
  readonly #bytes: Buffer;
  readonly #end: number;
  readonly #texts: readonly string[];
  readonly #lists: (readonly Reference[])[] = [];
  #at = 6;
  #place = 0;

  constructor(bytes: Uint8Array) {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#bytes = all;
    if (all.length < 7 || all[0] !== FORM) throw damaged();
    const body = 6 + all.readUInt32LE(2);
    this.#end = all.length;
    this.#at = body;
    this.#texts = this.#readTexts(all[1] === 1 ? 1 : 2);
    this.#end = body;
    this.#at = 6;
  }

  count(): number {
    // Most numbers take one byte.
    if (this.#at < this.#end && this.#bytes[this.#at]! < 128) return this.#bytes[this.#at++]!;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      if (this.#at >= this.#end) throw damaged();
      const byte = this.#bytes[this.#at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    throw damaged();
  }

  /** The length of a list whose items take a byte or more each. */
  length(): number {
    const length = this.count();
    if (length > this.#end - this.#at) throw damaged();
    return length;
  }

  id(): number {
    return this.count() - 1;
  }

  optionalId(): number | null {
    const value = this.count();
    return value === 0 ? null : value - 2;
  }

  ids(): number[] {
    const list: number[] = [];
    for (let length = this.length(); length > 0; length--) list.push(this.count() - 1);
    return list;
  }

  span(): Span {
    const start = this.#place + this.#signed();
    this.#place = start;
    return [start, start + this.#signed()];
  }

  text(): string {
    const text = this.#texts[this.count()];
    if (text === undefined) throw damaged();
    return text;
  }

  double(): number {
    if (this.#at + 8 > this.#end) throw damaged();
    this.#at += 8;
    return this.#bytes.readDoubleLE(this.#at - 8);
  }

  word<T extends string>(words: readonly T[]): T {
    const word = words[this.count()];
    if (word === undefined) throw damaged();
    return word;
  }

  /** A list written before, or the empty one that is to be filled. */
  references(): { readonly list: readonly Reference[] } | { readonly fresh: Reference[] } {
    const place = this.count();
    if (place === 0) return { list: [] };
    const list = this.#lists[place - 1];
    if (list !== undefined) return { list };
    if (place !== this.#lists.length + 1) throw damaged();
    const fresh: Reference[] = [];
    this.#lists.push(fresh);
    return { fresh };
  }

  /** Nothing may be left. */
  finish(): void {
    if (this.#at !== this.#end) throw damaged();
  }

  #signed(): number {
    const value = this.count();
    return (value & 1) === 1 ? -((value + 1) / 2) : value / 2;
  }

  #readTexts(unit: 1 | 2): string[] {
    const lengths: number[] = [];
    for (let length = this.length(); length > 0; length--) lengths.push(this.count());
    if (lengths.reduce((sum, length) => sum + length, 0) * unit !== this.#end - this.#at) throw damaged();
    const whole = this.#bytes.toString(unit === 1 ? "latin1" : "utf16le", this.#at, this.#end);
    let start = 0;
    return lengths.map((length) => whole.slice(start, (start += length)));
  }
}

export function damaged(): RangeError {
  return new RangeError("no encoded facts");
}
