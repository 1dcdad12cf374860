import { printParseErrorCode, visit } from "jsonc-parser";
import { type Entry, MAX_DEPTH, MAX_VALUES, type Read, SyntaxFault, type Value, reading } from "./document.ts";
import { Lines } from "./text.ts";

/**
 * Reads strict JSON with places. `jsonc-parser` tells where things stand; what it is lenient about (control characters,
 * numbers such as `01`) `JSON.parse` refuses.
 */
export function readJson(text: string): Read<Value> {
  return reading(() => {
    const value = new Builder(text).build();
    try {
      JSON.parse(text);
    } catch (error) {
      throw new SyntaxFault(`This is no JSON: ${error instanceof Error ? error.message.split("\n", 1)[0]! : "it cannot be parsed"}.`, value.at);
    }
    return value;
  });
}

interface Open {
  readonly kind: "mapping" | "list";
  readonly start: number;
  readonly items: Value[];
  readonly entries: Map<string, Entry>;
  key: { readonly text: string; readonly start: number; readonly length: number } | null;
}

class Builder {
  readonly #text: string;
  readonly #lines: Lines;
  readonly #open: Open[] = [];
  #root: Value | null = null;
  #count = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lines = new Lines(text);
  }

  /** @throws SyntaxFault for anything that is not one JSON value. */
  build(): Value {
    visit(this.#text, {
      onObjectBegin: (offset) => { this.#begin("mapping", offset); },
      onArrayBegin: (offset) => { this.#begin("list", offset); },
      onObjectProperty: (key, offset, length) => { this.#key(key, offset, length); },
      onLiteralValue: (value: string | number | boolean | null, offset, length) => { this.#literal(value, offset, length); },
      onObjectEnd: (offset) => { this.#end(offset); },
      onArrayEnd: (offset) => { this.#end(offset); },
      onComment: (offset, length) => this.#fail("JSON has no comments", offset, length),
      onError: (code, offset, length) => this.#fail(wordsOf(printParseErrorCode(code)), offset, length),
    }, { disallowComments: false, allowTrailingComma: false, allowEmptyContent: false });
    return this.#root ?? this.#fail("the file is empty", 0, 0);
  }

  #begin(kind: Open["kind"], start: number): void {
    if (this.#open.length >= MAX_DEPTH) this.#fail("it is nested too deeply", start, 1);
    this.#open.push({ kind, start, items: [], entries: new Map(), key: null });
  }

  #key(text: string, start: number, length: number): void {
    const open = this.#open.at(-1)!;
    if (open.entries.has(text)) this.#fail(`the key ${JSON.stringify(text)} stands in one object twice`, start, length);
    open.key = { text, start, length };
  }

  #literal(value: string | number | boolean | null, start: number, length: number): void {
    const written = this.#text.slice(start, start + length);
    this.#add({ kind: "scalar", value, source: typeof value === "string" ? value : written, at: this.#lines.place(start, start + length) });
  }

  #end(offset: number): void {
    const open = this.#open.pop();
    if (open === undefined) return;
    const at = this.#lines.place(open.start, offset + 1);
    this.#add(open.kind === "list" ? { kind: "list", items: open.items, at } : { kind: "mapping", entries: [...open.entries.values()], at });
  }

  #add(value: Value): void {
    if (++this.#count > MAX_VALUES) throw new SyntaxFault("It holds more values than any contract has.", value.at);
    const open = this.#open.at(-1);
    if (open === undefined) this.#root = value;
    else if (open.kind === "list") open.items.push(value);
    else if (open.key !== null) {
      const { length, start, text } = open.key;
      open.entries.set(text, { key: text, keyAt: this.#lines.place(start, start + length), value });
      open.key = null;
    }
  }

  #fail(reason: string, start: number, length: number): never {
    throw new SyntaxFault(`This is no JSON: ${reason}.`, this.#lines.place(start, start + length));
  }
}

/** `PropertyNameExpected` as `property name expected`. */
function wordsOf(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
