import type { ParseProblem, Span } from "../facts.ts";
import { Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";
import type { SyntaxTable } from "./table.ts";

/** More are not told; the file has to be repaired anyway. */
const MOST_PROBLEMS = 20;

/** Reports what the grammar could not read: each error at its first wrong token, and each token it had to assume. */
export function reportErrors(reader: Reader, table: SyntaxTable): void {
  if (!table.hasErrors) return;
  const found = new Map<number, ParseProblem>();
  for (const offset of table.missing) addProblem(found, reader.text, offset);
  for (let row = 0; row < table.length && found.size < MOST_PROBLEMS; row++) {
    if (table.kinds[row] === Kind.error) addError(found, reader, table, row);
  }
  const sorted = [...found.values()].sort((a, b) => a.span[0] - b.span[0]);
  for (const problem of sorted.slice(0, MOST_PROBLEMS)) reader.builder.problem(problem);
}

function addProblem(found: Map<number, ParseProblem>, text: string, offset: number): void {
  const span = tokenAt(text, offset);
  const message = span[0] >= text.length ? "The file ends in the middle of a statement." : "This is not Python 3: no statement can go on like this.";
  if (!found.has(span[0])) found.set(span[0], { message, span });
}

/** A string or bracket that is never closed says more than where the error begins. */
function addError(found: Map<number, ParseProblem>, reader: Reader, table: SyntaxTable, row: number): void {
  const quote = unclosedQuote(reader.text, table, row);
  if (quote !== null) {
    found.set(quote[0], { message: "This string is never closed.", span: quote });
    return;
  }
  const bracket = unclosedBracket(reader.text, table, row);
  if (bracket >= 0) {
    found.set(bracket, { message: "This bracket is never closed.", span: [bracket, bracket + 1] });
    return;
  }
  // An error inside of it is the more precise one.
  for (let inner = row + 1; inner < table.after[row]!; inner++) if (table.kinds[inner] === Kind.error) return;
  addProblem(found, reader.text, table.starts[row]!);
}

const CLOSING: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** The quotes inside a row that begin a string which the grammar saw no end of; null where there are none. */
function unclosedQuote(text: string, table: SyntaxTable, row: number): Span | null {
  for (const index of offsetsBetween(table, row)) {
    const character = text[index]!;
    if (character !== '"' && character !== "'") continue;
    const width = text.startsWith(character.repeat(3), index) ? 3 : 1;
    return text.includes(character.repeat(width), index + width) && width === 3 ? null : [index, index + width];
  }
  return null;
}

/** The last bracket inside a row that nothing closes, outside of strings and comments; -1 where there is none. */
function unclosedBracket(text: string, table: SyntaxTable, row: number): number {
  const open: number[] = [];
  for (const index of offsetsBetween(table, row)) {
    const character = text[index]!;
    if (character === "(" || character === "[" || character === "{") open.push(index);
    else if (character in CLOSING && text[open.at(-1) ?? -1] === CLOSING[character]) open.pop();
  }
  return open.at(-1) ?? -1;
}

/** Each offset inside a row that lies in no string or comment. */
function* offsetsBetween(table: SyntaxTable, row: number): Generator<number> {
  const skipped = skippedSpans(table, row);
  let next = 0;
  for (let index = table.starts[row]!; index < table.ends[row]!; index++) {
    while (next < skipped.length && skipped[next]![1] <= index) next++;
    const skip = skipped[next];
    if (skip !== undefined && skip[0] <= index) index = skip[1] - 1;
    else yield index;
  }
}

/** Strings and comments inside a row, in order. */
function skippedSpans(table: SyntaxTable, row: number): Span[] {
  const spans: Span[] = [];
  for (let inner = row; inner < table.after[row]!; inner++) {
    if (table.kinds[inner] === Kind.string) spans.push([table.starts[inner]!, table.ends[inner]!]);
  }
  for (let index = 0; index < table.comments.length; index += 2) spans.push([table.comments[index]!, table.comments[index + 1]!]);
  return spans.sort((a, b) => a[0] - b[0]);
}

/** The token at or behind an offset. */
function tokenAt(text: string, offset: number): Span {
  let start = offset;
  while (start < text.length && /\s/.test(text[start]!)) start++;
  if (start >= text.length) return [text.length, text.length];
  const token = /^[\p{L}\p{N}_]+|^[^\s\p{L}\p{N}_]/u.exec(text.slice(start, start + 80));
  return [start, start + (token?.[0].length ?? 1)];
}

/**
 * CPython takes the indentation of a line that begins with a blank and a backslash from before the backslash, the
 * grammar takes it from behind: a statement there may belong to another block than it seems to.
 */
export function reportCutIndentation(reader: Reader, isStatement: (kind: number) => boolean): void {
  const { text, starts, kinds } = reader;
  let statements: Set<number> | null = null;
  for (let slash = text.indexOf("\\"); slash >= 0; slash = text.indexOf("\\", slash + 1)) {
    if (!isLineEnd(text, slash + 1) || !isIndentation(text, slash)) continue;
    statements ??= new Set(starts.subarray(0, reader.after[0]).filter((_, row) => row > 0 && isStatement(kinds[row]!)));
    let start = text.indexOf("\n", slash) + 1;
    while (isBlank(text, start)) start++;
    if (!statements.has(start)) continue;
    reader.builder.problem({ message: "A backslash may not stand inside of the indentation.", span: [slash, slash + 1] });
    return;
  }
}

function isLineEnd(text: string, index: number): boolean {
  return text[index] === "\n" || (text[index] === "\r" && text[index + 1] === "\n");
}

function isBlank(text: string, index: number): boolean {
  return text[index] === " " || text[index] === "\t" || text[index] === "\f";
}

/** Whether nothing but blanks, and at least one, stand between the start of the line and an offset. */
function isIndentation(text: string, offset: number): boolean {
  let index = offset - 1;
  while (isBlank(text, index)) index--;
  return index < offset - 1 && (index < 0 || text[index] === "\n");
}
