import type { ManifestEntry } from "./entry.ts";

/** More texts than any manifest has. */
const MOST_ENTRIES = 20_000;
/** What a manifest says of installing lies nearer to the outside. */
const MOST_DEPTH = 8;

/** Every text of a JSON document, comments allowed. Reads what it can: a manifest that no tool can read installs nothing. */
export function jsonEntries(text: string): readonly ManifestEntry[] {
  const scanner = new JsonScanner(text);
  return scanner.entries();
}

interface Open {
  readonly isList: boolean;
  key: string;
  /** The next text is a key. */
  atKey: boolean;
}

/** Goes through the text once, with a stack of its own. */
class JsonScanner {
  readonly #text: string;
  readonly #found: ManifestEntry[] = [];
  readonly #open: Open[] = [];
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
    if (at === '"') return this.#string(index);
    if (at === "/" && this.#text.charAt(index + 1) === "/") return this.#to("\n", index);
    if (at === "/" && this.#text.charAt(index + 1) === "*") return this.#comment(index);
    const top = this.#open.at(-1);
    if (at === "\n") {
      this.#line++;
      this.#lineStart = index + 1;
    } else if (at === "{" || at === "[") this.#open.push({ isList: at === "[", key: "", atKey: at === "{" });
    else if (at === "}" || at === "]") this.#open.pop();
    else if (at === "," && top !== undefined) top.atKey = !top.isList;
    else if (at === ":" && top !== undefined) top.atKey = false;
    return index + 1;
  }

  #string(start: number): number {
    let end = start + 1;
    while (end < this.#text.length && this.#text.charAt(end) !== '"' && this.#text.charAt(end) !== "\n") end += this.#text.charAt(end) === "\\" ? 2 : 1;
    const value = unescaped(this.#text.slice(start, end + 1));
    const top = this.#open.at(-1);
    if (top?.atKey === true) top.key = value;
    else if (top !== undefined && this.#open.length <= MOST_DEPTH) this.#found.push({ keys: this.#open.filter(({ isList }) => !isList).map(({ key }) => key), value, line: this.#line, column: start - this.#lineStart + 1, endColumn: end - this.#lineStart + 2 });
    return this.#text.charAt(end) === '"' ? end + 1 : end;
  }

  #comment(start: number): number {
    const end = this.#text.indexOf("*/", start + 2);
    const comment = this.#text.slice(start, end === -1 ? this.#text.length : end);
    const last = comment.lastIndexOf("\n");
    if (last !== -1) {
      this.#line += comment.split("\n").length - 1;
      this.#lineStart = start + last + 1;
    }
    return end === -1 ? this.#text.length : end + 2;
  }

  #to(character: string, start: number): number {
    const end = this.#text.indexOf(character, start);
    return end === -1 ? this.#text.length : end;
  }
}

function unescaped(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return written.slice(1).replace(/"$/, "");
  }
}
