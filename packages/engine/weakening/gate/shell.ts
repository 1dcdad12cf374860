/** One simple command of a script: its words without quotes, and what stands around it. */
export interface Command {
  readonly words: readonly string[];
  /** 0-based line of the script on which it begins. */
  readonly line: number;
  /** Operator before and after: empty at the ends, a line end counts as `;`. */
  readonly before: string;
  readonly after: string;
  /** Keywords that stood before its first word: `if`, `!`, `then`. */
  readonly keywords: readonly string[];
  /** How many `if`, loops and `case` it stands in. */
  readonly depth: number;
}

const OPERATORS = ["&&", "||", "|&", ";;", "|", ";", "&", "(", ")", "\n"];
const OPENERS = new Set(["if", "while", "until", "for", "case", "select"]);
const CLOSERS = new Set(["fi", "done", "esac"]);
const LEADING = new Set([...OPENERS, "then", "do", "else", "elif", "!", "{", "time", "function"]);

interface Token {
  readonly kind: "word" | "operator";
  readonly text: string;
  readonly line: number;
}

/**
 * The simple commands of a POSIX shell script, in order. Quotes, line continuations and comments are dropped,
 * variables and substitutions stay as written. One pass, no nesting: what a substitution runs is part of its word.
 */
export function commandsOf(script: string): Command[] {
  const tokens = new Scanner(script).tokens();
  const commands: Command[] = [];
  let words: string[] = [];
  let line = 0;
  let before = "";
  let depth = 0;
  const finish = (after: string): void => {
    if (words.length > 0) {
      const command = withoutKeywords(words, depth);
      depth = Math.max(0, command.depthAfter);
      if (command.words.length > 0 || command.keywords.length > 0) commands.push({ words: command.words, keywords: command.keywords, depth: command.depth, line, before, after });
      before = after;
    } else if (after !== ";") before = after;
    words = [];
  };
  for (const token of tokens) {
    if (token.kind === "operator") finish(token.text === "\n" ? ";" : token.text);
    else {
      if (words.length === 0) line = token.line;
      words.push(token.text);
    }
  }
  finish("");
  return commands;
}

function withoutKeywords(words: readonly string[], depth: number): { words: string[]; keywords: string[]; depth: number; depthAfter: number } {
  const keywords: string[] = [];
  let index = 0;
  let now = depth;
  while (index < words.length && (LEADING.has(words[index]!) || CLOSERS.has(words[index]!))) {
    const word = words[index++]!;
    keywords.push(word);
    if (OPENERS.has(word)) now++;
    if (CLOSERS.has(word)) now--;
  }
  return { words: words.slice(index), keywords, depth: now, depthAfter: now };
}

class Scanner {
  readonly #text: string;
  readonly #found: Token[] = [];
  #at = 0;
  #line = 0;
  #word: string | null = null;
  #wordLine = 0;

  constructor(text: string) {
    this.#text = text.replaceAll("\r\n", "\n");
  }

  tokens(): readonly Token[] {
    while (this.#at < this.#text.length) this.#step();
    this.#endWord();
    return this.#found;
  }

  #step(): void {
    const character = this.#text[this.#at]!;
    const next = this.#text[this.#at + 1];
    if (character === "\\") this.#escape();
    else if (character === "'" || character === '"') this.#quoted(character);
    else if (this.#text.startsWith("${{", this.#at)) this.#until("}}", 3);
    else if (character === "$" && (next === "(" || next === "{")) this.#substitution();
    else if (character === "#" && this.#word === null) this.#comment();
    else this.#plain(character);
  }

  #plain(character: string): void {
    const operator = OPERATORS.find((one) => this.#text.startsWith(one, this.#at));
    if (operator !== undefined && !this.#isRedirection(operator)) {
      this.#operator(operator);
      return;
    }
    if (character === " " || character === "\t") this.#endWord();
    else this.#add(character);
    this.#at++;
  }

  #escape(): void {
    const next = this.#text[this.#at + 1];
    if (next === "\n") this.#line++;
    else this.#add(next ?? "\\");
    this.#at += 2;
  }

  #quoted(quote: string): void {
    this.#add("");
    this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== quote) {
      if (quote === '"' && this.#text[this.#at] === "\\" && /["\\$`\n]/.test(this.#text[this.#at + 1] ?? "")) this.#at++;
      this.#add(this.#text[this.#at] ?? "");
      this.#at++;
    }
    this.#at++;
  }

  /** Takes text as it is up to and with `end`. */
  #until(end: string, from: number): void {
    const found = this.#text.indexOf(end, this.#at + from);
    const stop = found === -1 ? this.#text.length : found + end.length;
    this.#add(this.#text.slice(this.#at, stop));
    this.#at = stop;
  }

  /** `$(…)` and `${…}`, by counting their brackets. */
  #substitution(): void {
    const [open, close] = this.#text[this.#at + 1] === "(" ? ["(", ")"] : ["{", "}"];
    let depth = 0;
    let end = this.#at + 1;
    for (; end < this.#text.length; end++) {
      if (this.#text[end] === open) depth++;
      else if (this.#text[end] === close && --depth === 0) break;
    }
    this.#add(this.#text.slice(this.#at, end + 1));
    this.#at = end + 1;
  }

  #comment(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }

  /** `2>&1` and `&>file` are no operators. */
  #isRedirection(operator: string): boolean {
    return operator === "&" && (this.#word?.endsWith(">") === true || this.#word?.endsWith("<") === true || this.#text[this.#at + 1] === ">");
  }

  #operator(operator: string): void {
    this.#endWord();
    this.#found.push({ kind: "operator", text: operator, line: this.#line });
    this.#at += operator.length;
    if (operator !== "\n") return;
    this.#line++;
    for (const end of this.#heredocs()) this.#skipTo(end);
  }

  /** What ends the documents that begin on the line just read: their text is no command. */
  #heredocs(): string[] {
    const ends: string[] = [];
    for (let index = this.#found.length - 2; index >= 0; index--) {
      const { kind, text } = this.#found[index]!;
      if (kind === "operator" && text === "\n") break;
      const inside = kind === "word" ? /<<-?([^<]*)$/.exec(text) : null;
      if (inside === null || text.includes("<<<")) continue;
      const next = this.#found[index + 1]!;
      ends.unshift(inside[1] === "" && next.kind === "word" ? next.text : inside[1]!);
    }
    return ends;
  }

  #skipTo(end: string): void {
    while (this.#at < this.#text.length) {
      const stop = this.#text.indexOf("\n", this.#at);
      const line = this.#text.slice(this.#at, stop === -1 ? undefined : stop);
      this.#at = stop === -1 ? this.#text.length : stop + 1;
      this.#line++;
      if (line.replace(/^\t+/, "") === end) return;
    }
  }

  #add(text: string): void {
    if (this.#word === null) {
      this.#word = "";
      this.#wordLine = this.#line;
    }
    this.#word += text;
    for (const character of text) if (character === "\n") this.#line++;
  }

  #endWord(): void {
    if (this.#word !== null) this.#found.push({ kind: "word", text: this.#word, line: this.#wordLine });
    this.#word = null;
  }
}
