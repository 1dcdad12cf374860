import type { ManifestEntry } from "./entry.ts";

const MOST_ENTRIES = 20_000;
const MOST_DEPTH = 8;
/** Parts of one key; what has more is no key. */
const MOST_PARTS = 16;

/**
 * Every text of a TOML document, with its table and keys; of inline tables too. Goes through the lines once and reads
 * what it can. Numbers, dates and booleans are passed over: nothing that installs is one.
 */
export function tomlEntries(text: string): readonly ManifestEntry[] {
  const scanner = new TomlScanner(text);
  return scanner.entries();
}

class TomlScanner {
  readonly #text: string;
  readonly #found: ManifestEntry[] = [];
  #table: readonly string[] = [];
  /** Keys of the values around the place, outermost first; `[` has none. */
  #open: string[][] = [];
  #key: string[] = [];
  #inValue = false;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  entries(): readonly ManifestEntry[] {
    let index = 0;
    while (index < this.#text.length && this.#found.length < MOST_ENTRIES) index = this.#step(index);
    return this.#found;
  }

  #step(index: number): number {
    const at = this.#text.charAt(index);
    if (at === "\n") return this.#newLine(index);
    if (at === "#") return this.#endOfLine(index);
    if (at === '"' || at === "'") return this.#string(index, at);
    if (at === "[" && !this.#inValue) return this.#header(index);
    if (/[\w-]/.test(at) && !this.#inValue) return this.#bareKey(index);
    this.#punctuation(at);
    return index + 1;
  }

  #punctuation(at: string): void {
    if (at === "=") this.#inValue = true;
    else if (at === "[") this.#open.push([]);
    else if (at === "{") {
      this.#open.push(this.#key);
      this.#key = [];
      this.#inValue = false;
    } else if (at === "]" || at === "}") this.#close(at);
    else if (at === "," && this.#isInInlineTable()) {
      this.#key = [];
      this.#inValue = false;
    }
  }

  #close(at: string): void {
    const keys = this.#open.pop();
    if (at === "}" && keys !== undefined) this.#key = keys;
    this.#inValue = true;
  }

  #isInInlineTable(): boolean {
    return (this.#open.at(-1)?.length ?? 0) > 0;
  }

  #newLine(index: number): number {
    this.#line++;
    this.#lineStart = index + 1;
    if (this.#open.length === 0) {
      this.#key = [];
      this.#inValue = false;
    }
    return index + 1;
  }

  #endOfLine(index: number): number {
    const end = this.#text.indexOf("\n", index);
    return end === -1 ? this.#text.length : end;
  }

  /** `[tool.poetry]`, `[[tool.x]]`. */
  #header(index: number): number {
    const end = this.#endOfLine(index);
    const name = /^\[+([^\]]*)\]/.exec(this.#text.slice(index, Math.min(end, index + 1000)))?.[1] ?? "";
    this.#table = name.split(".").map((part) => part.trim().replaceAll(/^["']|["']$/g, ""));
    return end;
  }

  #bareKey(index: number): number {
    let end = index;
    while (end < this.#text.length && /[\w-]/.test(this.#text.charAt(end))) end++;
    if (this.#key.length < MOST_PARTS) this.#key = [...this.#key, this.#text.slice(index, end)];
    return end;
  }

  #string(start: number, quote: string): number {
    const triple = quote.repeat(3);
    const isLong = this.#text.startsWith(triple, start);
    const end = isLong ? this.#text.indexOf(triple, start + 3) : this.#stringEnd(start, quote);
    const inside = this.#text.slice(start + (isLong ? 3 : 1), end === -1 ? this.#text.length : end);
    const [line, lineStart] = [this.#line, this.#lineStart];
    const last = inside.lastIndexOf("\n");
    if (last !== -1) {
      this.#line += inside.split("\n").length - 1;
      this.#lineStart = start + (isLong ? 3 : 1) + last + 1;
    }
    const after = end === -1 ? this.#text.length : end + (isLong ? 3 : 1);
    if (!this.#inValue && this.#key.length < MOST_PARTS) this.#key = [...this.#key, inside];
    else if (this.#inValue && this.#open.length <= MOST_DEPTH) this.#found.push({ keys: [...this.#table, ...this.#open.flat(), ...this.#key], value: inside, line, column: start - lineStart + 1, endColumn: (last === -1 ? after : start + 3) - lineStart + 1 });
    return after;
  }

  #stringEnd(start: number, quote: string): number {
    let end = start + 1;
    while (end < this.#text.length && this.#text.charAt(end) !== quote && this.#text.charAt(end) !== "\n") end += quote === '"' && this.#text.charAt(end) === "\\" ? 2 : 1;
    return end;
  }
}
