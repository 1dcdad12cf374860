import { type Cell, type Place, textLines } from "@agentgate/parsers/contract";

/** A line `key: value` of an evidence file, with what it says as a list too. */
export interface Statement {
  readonly key: string;
  /** What stands on the key's own line; blank where items follow. */
  readonly value: string;
  /** The value, or the key where there is none. */
  readonly at: Place;
  /** The items below, else the value split at commas; quotes around one are dropped, blank ones left out. */
  readonly entries: readonly Cell[];
  /** The key's line and those of its items. */
  readonly lines: readonly number[];
}

// The dot takes every character: a line separator of Unicode ends no line here.
const KEY_LINE = /^([A-Za-z_]+):(?:[ \t]+(.*))?$/s;
const ITEM = /^[ \t]*- +(.*)$/s;

/** The lines `key: value` with the key at line start; a bare key takes the `- item` lines right below. Others are free text. */
export function readStatements(text: string): Statement[] {
  const lines = textLines(text);
  return lines.flatMap((line, index): Statement[] => {
    const [, key, rest = ""] = KEY_LINE.exec(line.text) ?? [];
    if (key === undefined) return [];
    const value = rest.trim();
    if (value === "") return [bare(key, line.at.line, itemsBelow(lines, index + 1))];
    const column = line.text.length - rest.trimStart().length + 1;
    const at = { line: line.at.line, column, length: value.length };
    return [{ key, value, at, entries: commaSeparated(value, at), lines: [line.at.line] }];
  });
}

function bare(key: string, line: number, items: readonly Cell[]): Statement {
  const entries = items.filter(({ text }) => text !== "").map((item) => unquoted(item));
  return { key, value: "", at: { line, column: 1, length: key.length }, entries, lines: [line, ...items.map(({ at }) => at.line)] };
}

function itemsBelow(lines: ReturnType<typeof textLines>, from: number): Cell[] {
  const items: Cell[] = [];
  for (let index = from; index < lines.length; index++) {
    const { at, text } = lines[index]!;
    const item = ITEM.exec(text)?.[1];
    if (item === undefined) break;
    items.push({ text: item.trim(), at: { line: at.line, column: text.length - item.length + 1, length: item.trim().length } });
  }
  return items;
}

function commaSeparated(value: string, at: Place): Cell[] {
  let start = 0;
  return value.split(",").flatMap((part) => {
    const text = part.trim();
    const column = at.column + start + (part.length - part.trimStart().length);
    start += part.length + 1;
    return text === "" ? [] : [unquoted({ text, at: { line: at.line, column, length: text.length } })];
  });
}

/** A cell without the quotes around it. */
export function unquoted(cell: Cell): Cell {
  const { text } = cell;
  const quote = text.charAt(0);
  return "\"'`".includes(quote) && text.length > 2 && text.endsWith(quote) ? { ...cell, text: text.slice(1, -1) } : cell;
}
