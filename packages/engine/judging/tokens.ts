import type { Binding, ModuleFacts, Span } from "@agentgate/parsers";

/**
 * A statement's text, as tokens with blanks between them, with its locals numbered in order of appearance (`$1`, `$2` …), without comments and layout.
 * Reads text alone, with what the facts know of it: where locals and regular expressions stand. One pass.
 */
export function normalisedStatement(facts: ModuleFacts, text: string, span: Span): string {
  const scanner = new Scanner(facts.language, text.slice(span[0], span[1]), span[0], placesIn(facts, span));
  return scanner.tokens().join(" ");
}

interface Places {
  /** Binding of the local at an offset. */
  readonly locals: ReadonlyMap<number, { readonly binding: number; readonly length: number }>;
  /** End of the regular expression at an offset. */
  readonly regexes: ReadonlyMap<number, number>;
}

interface Index {
  readonly locals: readonly { readonly offset: number; readonly length: number; readonly binding: number }[];
  readonly regexes: readonly { readonly offset: number; readonly length: number }[];
}

const indexes = new WeakMap<ModuleFacts, Index>();

function placesIn(facts: ModuleFacts, span: Span): Places {
  let index = indexes.get(facts);
  if (index === undefined) indexes.set(facts, (index = indexOf(facts)));
  const locals = new Map<number, { binding: number; length: number }>();
  const regexes = new Map<number, number>();
  for (const local of between(index.locals, span)) locals.set(local.offset, local);
  for (const regex of between(index.regexes, span)) regexes.set(regex.offset, regex.offset + regex.length);
  return { locals, regexes };
}

/** The places of a sorted list that begin inside a span. */
function between<T extends { readonly offset: number }>(places: readonly T[], span: Span): T[] {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]!.offset < span[0]) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < places.length && places[end]!.offset < span[1]) end++;
  return places.slice(low, end);
}

/** Every place of a name that a function, not the module or a class, declares. */
function indexOf(facts: ModuleFacts): Index {
  const locals: { offset: number; length: number; binding: number }[] = [];
  const regexes: { offset: number; length: number }[] = [];
  facts.bindings.forEach((binding, id) => {
    if (isLocal(facts, binding)) locals.push({ offset: binding.span[0], length: binding.name.length, binding: id });
  });
  facts.values.forEach((value) => {
    if (value.kind === "regex") regexes.push({ offset: value.span[0], length: value.span[1] - value.span[0] });
    if (value.kind !== "name" || value.binding < 0) return;
    const binding = facts.bindings[value.binding];
    if (binding !== undefined && isLocal(facts, binding)) locals.push({ offset: value.span[0], length: value.span[1] - value.span[0], binding: value.binding });
  });
  const byOffset = (left: { offset: number }, right: { offset: number }): number => left.offset - right.offset;
  return { locals: locals.sort(byOffset), regexes: regexes.sort(byOffset) };
}

function isLocal(facts: ModuleFacts, binding: Binding): boolean {
  const scope = facts.scopes[binding.scope];
  return scope !== undefined && scope.kind !== "class" && scope.kind !== "module" && (scope.kind !== "block" || scope.function !== 0);
}

class Scanner {
  readonly #python: boolean;
  readonly #text: string;
  readonly #offset: number;
  readonly #places: Places;
  readonly #numbers = new Map<number, number>();
  readonly #tokens: string[] = [];
  /** Depth of `{` inside each open `${`. */
  readonly #templates: number[] = [];
  #index = 0;

  constructor(language: ModuleFacts["language"], text: string, offset: number, places: Places) {
    this.#python = language === "python";
    this.#text = text;
    this.#offset = offset;
    this.#places = places;
  }

  tokens(): readonly string[] {
    while (this.#index < this.#text.length) this.#next();
    while ([";", ","].includes(this.#tokens.at(-1) ?? "")) this.#tokens.pop();
    return this.#tokens;
  }

  #next(): void {
    const character = this.#text[this.#index]!;
    if (/\s/.test(character) || (character === "\\" && this.#python)) this.#index++;
    else if (this.#isComment()) this.#skipComment();
    else if (this.#places.regexes.has(this.#offset + this.#index)) this.#takeTo(this.#places.regexes.get(this.#offset + this.#index)! - this.#offset);
    else if (character === '"' || character === "'") this.#string(character);
    else if (character === "`" && !this.#python) this.#template();
    else if (/[\p{L}\p{N}_$]/u.test(character) || character >= "\ud800") this.#word();
    else this.#punctuation(character);
  }

  #isComment(): boolean {
    return this.#python ? this.#text[this.#index] === "#" : this.#text.startsWith("//", this.#index) || this.#text.startsWith("/*", this.#index);
  }

  #skipComment(): void {
    const block = !this.#python && this.#text[this.#index + 1] === "*";
    const end = block ? this.#text.indexOf("*/", this.#index + 2) : this.#text.slice(this.#index).search(/[\n\r\u2028\u2029]/) + this.#index;
    this.#index = end < this.#index ? this.#text.length : block ? end + 2 : end;
  }

  #takeTo(end: number): void {
    this.#tokens.push(this.#text.slice(this.#index, end));
    this.#index = end;
  }

  /** An identifier, a number or a keyword; a Python string's prefix goes with its string. */
  #word(): void {
    const local = this.#local();
    if (local !== null) {
      this.#tokens.push(local);
      return;
    }
    let end = this.#index + 1;
    while (end < this.#text.length && /[\p{L}\p{N}\p{M}_$\ud800-\udfff]/u.test(this.#text[end]!)) end++;
    const word = this.#text.slice(this.#index, end);
    const quote = this.#text[end];
    if (this.#python && (quote === '"' || quote === "'") && /^[rbfut]{1,2}$/i.test(word)) {
      this.#index = end;
      this.#string(quote, word.toLowerCase());
    } else this.#takeTo(end);
  }

  /** The number of the local that begins here, moving past it; null where none does. */
  #local(): string | null {
    const place = this.#places.locals.get(this.#offset + this.#index);
    if (place === undefined) return null;
    this.#index += Math.max(1, place.length);
    let number = this.#numbers.get(place.binding);
    if (number === undefined) this.#numbers.set(place.binding, (number = this.#numbers.size + 1));
    return `$${number}`;
  }

  #string(quote: string, prefix = ""): void {
    const triple = this.#python && this.#text.startsWith(quote.repeat(3), this.#index);
    const delimiter = triple ? quote.repeat(3) : quote;
    this.#index += delimiter.length;
    const raw = prefix.includes("r");
    let body = "";
    while (this.#index < this.#text.length && !this.#text.startsWith(delimiter, this.#index)) {
      const character = this.#text[this.#index]!;
      if (!triple && /[\n\r]/.test(character)) break;
      body += this.#local() ?? this.#piece(character === "\\" && !(raw && this.#index + 1 >= this.#text.length) ? 2 : 1);
    }
    this.#index = Math.min(this.#index + delimiter.length, this.#text.length);
    // Which quotes a plain text wears is layout.
    const shown = /["'\\]/.test(body) ? delimiter : '"';
    this.#tokens.push(prefix.replace("u", "") + shown + body + shown);
  }

  #piece(length: number): string {
    const piece = this.#text.slice(this.#index, this.#index + length);
    this.#index += length;
    return piece;
  }

  /** From a backtick, or the `}` that ends a `${`, to the next of either. */
  #template(): void {
    let body = this.#piece(1);
    while (this.#index < this.#text.length) {
      const character = this.#text[this.#index]!;
      if (character === "`") {
        body += this.#piece(1);
        break;
      }
      if (this.#text.startsWith("${", this.#index)) {
        body += this.#piece(2);
        this.#templates.push(0);
        break;
      }
      body += this.#piece(character === "\\" ? 2 : 1);
    }
    this.#tokens.push(body);
  }

  #punctuation(character: string): void {
    const depth = this.#templates.length - 1;
    if (depth >= 0 && character === "{") this.#templates[depth]!++;
    if (depth >= 0 && character === "}" && this.#templates[depth]!-- === 0) {
      this.#templates.pop();
      this.#template();
      return;
    }
    // A comma before a closing bracket is layout, but in Python it also makes a tuple.
    if (")]}".includes(character) && this.#tokens.at(-1) === "," && (!this.#python || character !== ")")) this.#tokens.pop();
    this.#tokens.push(character);
    this.#index++;
  }
}
