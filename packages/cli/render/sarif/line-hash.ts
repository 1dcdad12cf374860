const WINDOW = 100;
const FACTOR = 37;
const WORD = 2 ** 32;
/** What a unit weighs when it leaves the window, in two words: 37 to the power of the window's length, modulo 2^64. */
const [LEAVING_HIGH, LEAVING_LOW] = wordsOf(BigInt(FACTOR) ** BigInt(WINDOW));
const END_OF_FILE = 65535;
const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [9, 10, 13, 32];

/**
 * GitHub's `primaryLocationLineHash`, one value a line: a rolling 64-bit hash over the 100 non-blank UTF-16 code units
 * that begin at the line, in lower-case hexadecimal, then `:` and how often the file had that value up to there. The
 * algorithm is the one of `github/codeql-action` (src/fingerprints.ts), so that its upload step computes the same.
 *
 * @param text a file as UTF-8, its byte order mark included
 * @returns values by line; the first is line 1
 */
export function lineHashes(text: string): string[] {
  const roll = new Roll();
  let afterReturn = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const skipped = unit === SPACE || unit === TAB || (afterReturn && unit === LINE_FEED);
    afterReturn = unit === CARRIAGE_RETURN;
    if (!skipped) roll.read(unit === CARRIAGE_RETURN ? LINE_FEED : unit);
  }
  return roll.finish();
}

function wordsOf(value: bigint): readonly [high: number, low: number] {
  return [Number((value >> 32n) & 0xffffffffn), Number(value & 0xffffffffn)];
}

/** The window over the last 100 units, and which of them begin a line. */
class Roll {
  readonly #units = new Array<number>(WINDOW).fill(0);
  readonly #startsLine = new Array<boolean>(WINDOW).fill(false);
  readonly #values: string[] = [];
  readonly #occurrences = new Map<string, number>();
  #slot = 0;
  #high = 0;
  #low = 0;
  #lineBegins = true;

  read(unit: number): void {
    this.#emit();
    this.#startsLine[this.#slot] = this.#lineBegins;
    this.#lineBegins = unit === LINE_FEED;
    this.#push(unit);
  }

  finish(): string[] {
    this.read(END_OF_FILE);
    for (let count = 0; count < WINDOW; count++) {
      this.#emit();
      this.#startsLine[this.#slot] = false;
      this.#push(0);
    }
    return this.#values;
  }

  /** The slot about to be overwritten holds a line's first unit: the window is exactly what follows it. */
  #emit(): void {
    if (this.#startsLine[this.#slot] !== true) return;
    const low = this.#low.toString(16);
    const value = this.#high === 0 ? low : this.#high.toString(16) + low.padStart(8, "0");
    const count = (this.#occurrences.get(value) ?? 0) + 1;
    this.#occurrences.set(value, count);
    this.#values.push(`${value}:${count}`);
  }

  /** `37 * hash + unit - leaving * oldest`, modulo 2^64. In words of 32 bits no product passes 2^53. */
  #push(unit: number): void {
    const oldest = this.#units[this.#slot] ?? 0;
    const low = FACTOR * this.#low + unit - LEAVING_LOW * oldest;
    const carry = Math.floor(low / WORD);
    const high = FACTOR * this.#high + carry - LEAVING_HIGH * oldest;
    this.#low = low - carry * WORD;
    this.#high = high - Math.floor(high / WORD) * WORD;
    this.#units[this.#slot] = unit;
    this.#slot = (this.#slot + 1) % WINDOW;
  }
}
