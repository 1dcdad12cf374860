import { type Cell, type Row, cellsBetween } from "./cells.ts";
import type { Place } from "./document.ts";
import { type TextLine, textLines } from "./text.ts";

/** A pipe table of GitHub's Markdown. */
export interface Table {
  readonly header: Row;
  readonly rows: readonly Row[];
}

/** A fenced block of code. */
export interface Fence {
  /** What follows the opening fence: `sh rollback`. */
  readonly info: string;
  readonly lines: readonly TextLine[];
  readonly at: Place;
}

/** A line `key: value`. */
export interface KeyLine {
  readonly key: string;
  readonly keyAt: Place;
  readonly value: string;
  readonly valueAt: Place;
  /** The `- item` lines right below a key that has no value on its own line. */
  readonly items: readonly Cell[];
}

/** A Markdown text in the parts that contracts are read from. */
export interface Markdown {
  readonly tables: readonly Table[];
  readonly fences: readonly Fence[];
  /** The lines outside of fenced blocks and of comments. */
  readonly prose: readonly TextLine[];
}

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;

/** A comment of HTML on lines of its own, which no reader of the page sees, and code by its indent. */
const COMMENT = /^ {0,3}<!--/;
const COMMENT_END = "-->";
const INDENTED = /^(?: {4}| {0,3}\t)/;

/**
 * Reads tables and fenced blocks, which is all that contracts are made of; nothing in a fenced block is a table, and
 * nothing in a comment is anything.
 */
export function readMarkdown(text: string): Markdown {
  const fences: Fence[] = [];
  const prose: TextLine[] = [];
  let open: { readonly mark: string; readonly fence: Fence & { readonly lines: TextLine[] } } | null = null;
  let isHidden = false;
  for (const line of textLines(text)) {
    if (isHidden || (open === null && COMMENT.test(line.text))) {
      isHidden = !line.text.includes(COMMENT_END);
      continue;
    }
    const [, mark = "", info = ""] = FENCE.exec(line.text) ?? [];
    if (open === null) {
      if (mark === "") prose.push(line);
      else open = { mark, fence: { info: info.trim(), lines: [], at: line.at } };
    } else if (mark.startsWith(open.mark) && info.trim() === "") {
      fences.push(open.fence);
      open = null;
    } else open.fence.lines.push(line);
  }
  if (open !== null) fences.push(open.fence);
  return { tables: tablesIn(prose), fences, prose };
}

function tablesIn(prose: readonly TextLine[]): Table[] {
  const tables: Table[] = [];
  for (let index = 0; index + 1 < prose.length; index++) {
    const header = rowOf(prose[index]!);
    const rule = prose[index + 1]!;
    if (header === null || rule.at.line !== header.at.line + 1 || !isRule(rule, header.cells.length)) continue;
    const rows: Row[] = [];
    for (index += 2; index < prose.length; index++) {
      const row = prose[index]!.at.line === prose[index - 1]!.at.line + 1 ? rowOf(prose[index]!) : null;
      if (row === null) break;
      rows.push(row);
    }
    tables.push({ header, rows });
  }
  return tables;
}

function isRule(line: TextLine, columns: number): boolean {
  const cells = rowOf(line)?.cells ?? [];
  return cells.length === columns && cells.every((cell) => /^:?-+:?$/.test(cell.text));
}

/** A line with pipes as cells; a pipe after a backslash is text. Null where there is none. */
function rowOf(line: TextLine): Row | null {
  if (INDENTED.test(line.text)) return null;
  const pipes: number[] = [];
  for (let index = 0; index < line.text.length; index++) {
    if (line.text[index] === "\\") index++;
    else if (line.text[index] === "|") pipes.push(index);
  }
  if (pipes.length === 0) return null;
  const cells = cellsBetween(line.text, line.at, pipes);
  const from = line.text.trimStart().startsWith("|") ? 1 : 0;
  const to = pipes.at(-1) === line.text.trimEnd().length - 1 && pipes.length > from ? cells.length - 1 : cells.length;
  return { cells: cells.slice(from, to).map(unescaped), at: line.at };
}

function unescaped(cell: Cell): Cell {
  return { ...cell, text: cell.text.replaceAll("\\|", "|") };
}

// The dot takes every character: a line separator of Unicode ends no line here, nor does it make the blanks before it be tried again.
const KEY_LINE = /^((?:- )?)([A-Za-z_]+):(?:[ \t]+(.*))?$/s;
const ITEM = /^[ \t]*- +(.*)$/s;

/** The lines `key: value` of a text, the key at line start or after `- `. Other lines are free text. */
export function readKeyLines(text: string): KeyLine[] {
  const lines = textLines(text);
  return lines.flatMap((line, index): KeyLine[] => {
    const match = KEY_LINE.exec(line.text);
    if (match === null) return [];
    const [, bullet = "", key = "", rest = ""] = match;
    const value = rest.trim();
    const keyAt = { line: line.at.line, column: bullet.length + 1, length: key.length };
    const valueAt = value === "" ? keyAt : { line: line.at.line, column: line.text.lastIndexOf(rest) + 1, length: value.length };
    return [{ key, keyAt, value, valueAt, items: value === "" ? itemsBelow(lines, index + 1) : [] }];
  });
}

function itemsBelow(lines: readonly TextLine[], from: number): Cell[] {
  const items: Cell[] = [];
  for (let index = from; index < lines.length; index++) {
    const line = lines[index]!;
    const text = KEY_LINE.test(line.text) ? undefined : ITEM.exec(line.text)?.[1];
    if (text === undefined) break;
    items.push({ text: text.trim(), at: { line: line.at.line, column: line.text.length - text.length + 1, length: text.trim().length } });
  }
  return items;
}
