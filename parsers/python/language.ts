/** Children of a production that may have a field or an alias: more than the longest of the grammar. */
export const PRODUCTION_WIDTH = 64;

/** What a row's parent calls it and shows it as, from the tables of the generated parser. */
export class LanguageTables {
  private readonly shorts: Uint16Array;
  private readonly bytes: Uint8Array;
  private readonly words: Uint32Array;
  private readonly at: number;

  constructor(shorts: Uint16Array, bytes: Uint8Array, words: Uint32Array, language: number) {
    [this.shorts, this.bytes, this.words, this.at] = [shorts, bytes, words, language >> 2];
    if (words[this.at] !== 15) throw new Error(`the Python grammar has ABI ${words[this.at]!}, not 15`);
  }

  /** By internal symbol: the symbol that stands for it outside. */
  publicSymbols(): Uint16Array {
    const symbols = this.words[this.at + 1]! + this.words[this.at + 2]!;
    const from = this.words[this.at + 19]! >> 1;
    return this.shorts.slice(from, from + symbols);
  }

  /** By internal symbol: 1 where it is a node of the grammar, 0 where it is a token as written. */
  namedSymbols(): Uint8Array {
    const symbols = this.words[this.at + 1]! + this.words[this.at + 2]!;
    const from = this.words[this.at + 18]!;
    return Uint8Array.from({ length: symbols }, (_, symbol) => this.bytes[from + symbol * 3 + 1]!);
  }

  fields(fieldById: Uint8Array): Uint8Array {
    const productions = this.words[this.at + 7]!;
    const [slices, entries] = [this.words[this.at + 16]! >> 1, this.words[this.at + 17]!];
    const fields = new Uint8Array(productions * PRODUCTION_WIDTH);
    for (let production = 0; production < productions; production++) {
      const first = this.shorts[slices + production * 2]!;
      // The first entry that is not inherited counts, so they are written from the last to the first.
      for (let index = this.shorts[slices + production * 2 + 1]! - 1; index >= 0; index--) {
        const entry = entries + (first + index) * 4;
        const isInherited = this.bytes[entry + 3] !== 0;
        if (!isInherited) fields[production * PRODUCTION_WIDTH + this.bytes[entry + 2]!] = fieldById[this.shorts[entry >> 1]!]!;
      }
    }
    return fields;
  }

  aliases(): Uint16Array {
    const productions = this.words[this.at + 7]!;
    const width = this.shorts[(this.at << 1) + 18]!;
    const sequences = this.words[this.at + 21]! >> 1;
    const aliases = new Uint16Array(productions * PRODUCTION_WIDTH);
    // Production 0 stands for the many that show every child as what it is.
    for (let production = 1; production < productions; production++) {
      for (let child = 0; child < width; child++) {
        aliases[production * PRODUCTION_WIDTH + child] = this.shorts[sequences + production * width + child]!;
      }
    }
    return aliases;
  }
}
