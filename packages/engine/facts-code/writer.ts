import type { Reference, Span } from "@agentgate/parsers";

/** The first bytes of all: what follows is of this form. */
export const FORM = 1;

/**
 * Bytes of numbers and of references to texts. Numbers take seven bits a byte, the lowest first; each text is
 * written once, behind everything else.
 */
export class Writer {
  #bytes = Buffer.allocUnsafe(16_384);
  #at = 0;
  /** Where the last span began: most begin close to it. */
  #place = 0;
  readonly #texts = new Map<string, number>();
  readonly #lists = new Map<readonly Reference[], number>();

  /** A number from 0 to 2^32 - 1. */
  count(value: number): void {
    let rest = value >>> 0;
    if (rest !== value) throw new RangeError("no count");
    if (this.#at + 5 > this.#bytes.length) this.#grow(5);
    while (rest > 127) {
      this.#bytes[this.#at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#at++] = rest;
  }

  /** An index from -1, which stands for none. */
  id(value: number): void {
    this.count(value + 1);
  }

  /** As `id`, or null. */
  optionalId(value: number | null): void {
    this.count(value === null ? 0 : value + 2);
  }

  ids(list: readonly number[]): void {
    this.count(list.length);
    for (const id of list) this.count(id + 1);
  }

  span([start, end]: Span): void {
    this.#signed(start - this.#place);
    this.#signed(end - start);
    this.#place = start;
  }

  text(value: string): void {
    let index = this.#texts.get(value);
    if (index === undefined) {
      index = this.#texts.size;
      this.#texts.set(value, index);
    }
    this.count(index);
  }

  /** Any number; those of JSON and those beyond. */
  double(value: number): void {
    if (this.#at + 8 > this.#bytes.length) this.#grow(8);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  /** One of few words, by its place among them. */
  word<T extends string>(words: readonly T[], value: T): void {
    const index = words.indexOf(value);
    if (index === -1) throw new RangeError("no such word");
    this.count(index);
  }

  /** True where the list is empty or was written before; then that is all. */
  knows(list: readonly Reference[]): boolean {
    if (list.length === 0) {
      this.count(0);
      return true;
    }
    const known = this.#lists.get(list);
    this.count(known ?? this.#lists.size + 1);
    if (known === undefined) this.#lists.set(list, this.#lists.size + 1);
    return known !== undefined;
  }

  /** The form, how many bytes the body has, the body, the length of each text, the texts. */
  finish(): Buffer {
    const body = this.#at;
    const texts = [...this.#texts.keys()].join("");
    // Text of UTF-8 would lose half of a surrogate pair, which a literal may hold.
    const encoding = isLatin(texts) ? "latin1" : "utf16le";
    this.count(this.#texts.size);
    for (const text of this.#texts.keys()) this.count(text.length);
    const result = Buffer.allocUnsafeSlow(6 + this.#at + Buffer.byteLength(texts, encoding));
    result[0] = FORM;
    result[1] = encoding === "latin1" ? 1 : 2;
    result.writeUInt32LE(body, 2);
    this.#bytes.copy(result, 6, 0, this.#at);
    result.write(texts, 6 + this.#at, encoding);
    return result;
  }

  #signed(value: number): void {
    if ((value | 0) !== value) throw new RangeError("no offset");
    this.count(value < 0 ? -2 * value - 1 : 2 * value);
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(2 * this.#bytes.length + needed);
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

function isLatin(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 255) return false;
  return true;
}
