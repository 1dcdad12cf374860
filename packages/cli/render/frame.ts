import type { ReportPosition } from "@agentgate/engine";
import type { Paint } from "./paint.ts";
import { printableSource } from "./printable.ts";
import { lineOf, type SourceText } from "./source.ts";
import { cutTo, widthOf } from "./width.ts";

const TAB = 4;
/** Code units looked at around a finding: a line may be a megabyte long. */
const WINDOW = 2000;

/** What a frame shows: a finding's line with its span, and the line before. */
export interface Frame {
  readonly source: SourceText;
  readonly start: ReportPosition;
  readonly end: ReportPosition;
  /** Numbers of the lines that the change added; a `+` stands before them. */
  readonly added: ReadonlySet<number>;
}

interface Cell {
  readonly shown: string;
  readonly width: number;
  /** Offset in the line, in UTF-16 code units. */
  readonly offset: number;
}

interface Cut {
  readonly shown: string;
  /** Cells before the finding, and its own. */
  readonly before: number;
  readonly marked: number;
  readonly fromStart: boolean;
}

/**
 * The lines of a code frame, at most `columns` cells wide; none where the finding's line does not exist. Tabs and
 * wide characters keep the marks under what they mark, escapes stand for what must not be printed, and a long line
 * is cut around the finding.
 */
export function frameOf(frame: Frame, columns: number, paint: Paint, error: boolean): string[] {
  const line = lineOf(frame.source, frame.start.line);
  if (line === null) return [];
  const digits = String(frame.start.line).length;
  const room = Math.max(10, columns - digits - 5);
  const cut = cutAround(line, frame.start.column - 1, frame.end.column - 1, room);
  const gutter = (number: string, sign: string): string => `${sign} ${paint.faint(`${number.padStart(digits)} │`)}`;
  const numbered = (number: number): string => gutter(String(number), frame.added.has(number) ? "+" : " ");
  const mark = error ? paint.error : paint.warning;
  const lines = [
    `${numbered(frame.start.line)} ${cut.shown}`.trimEnd(),
    `${gutter("", " ")} ${" ".repeat(cut.before)}${mark("^".repeat(cut.marked))}`,
  ];
  const above = cut.fromStart ? lineAbove(frame, room) : null;
  return above === null ? lines : [`${numbered(frame.start.line - 1)} ${above}`, ...lines];
}

function lineAbove(frame: Frame, room: number): string | null {
  const line = lineOf(frame.source, frame.start.line - 1);
  if (line === null || line.trim() === "") return null;
  const shown = cellsOfLine(line.slice(0, WINDOW), 0).map((cell) => cell.shown);
  return cutTo(shown.join(""), room).trimEnd();
}

function cellsOfLine(text: string, firstOffset: number): Cell[] {
  const cells: Cell[] = [];
  let offset = firstOffset;
  let column = 0;
  for (const character of text) {
    const shown = character === "\t" ? " ".repeat(TAB - (column % TAB)) : shownIn(text, offset - firstOffset, character);
    const width = widthOf(shown);
    cells.push({ shown, width, offset });
    offset += character.length;
    column += width;
  }
  return cells;
}

/** The second `#` of `##[` is escaped here, not in the joined line: the marks below count cells. */
function shownIn(text: string, index: number, character: string): string {
  if (character !== "#" || text[index - 1] !== "#") return printableSource(character);
  return printableSource(text.slice(index - 1, index + 18)).startsWith("#\\x23") ? "\\x23" : character;
}

/** Moves a cut off the middle of a surrogate pair. */
function wholeCharacter(line: string, offset: number): number {
  const unit = line.charCodeAt(offset);
  return offset > 0 && unit >= 0xdc00 && unit <= 0xdfff ? offset - 1 : offset;
}

function sum(cells: readonly Cell[]): number {
  return cells.reduce((total, cell) => total + cell.width, 0);
}

function cutAround(line: string, start: number, end: number, room: number): Cut {
  const from = wholeCharacter(line, line.length <= WINDOW ? 0 : Math.max(0, start - WINDOW / 4));
  const to = wholeCharacter(line, Math.min(line.length, from + WINDOW));
  const cells = cellsOfLine(line.slice(from, to), from);
  const before = cells.filter((cell) => cell.offset < start);
  const marked = Math.max(1, sum(cells.filter((cell) => cell.offset >= start && cell.offset < end)));
  const complete = from === 0 && to === line.length && sum(cells) <= room;
  if (complete) return { shown: joined(cells), before: sum(before), marked, fromStart: true };
  return windowOf(cells, before, marked, room, from === 0);
}

/** The cells from some way left of the finding to the end of the room, with an ellipsis for what is left out. */
function windowOf(cells: readonly Cell[], before: readonly Cell[], marked: number, room: number, fromStart: boolean): Cut {
  const fits = fromStart && sum(before) + marked < room;
  let skipped = 0;
  let left = sum(before);
  const wanted = fits ? left : Math.floor(room / 3);
  while (left > wanted) left -= cells[skipped++]!.width;
  const lead = skipped > 0 || !fromStart ? "…" : "";
  const shown = cutCells(cells.slice(skipped), room - lead.length);
  const offset = left + lead.length;
  return { shown: lead + shown, before: offset, marked: Math.max(1, Math.min(marked, room - offset)), fromStart: lead === "" };
}

function joined(cells: readonly Cell[]): string {
  return cells.map((cell) => cell.shown).join("");
}

function cutCells(cells: readonly Cell[], room: number): string {
  if (sum(cells) <= room) return joined(cells);
  const kept: Cell[] = [];
  let used = 1;
  for (const cell of cells) {
    used += cell.width;
    if (used > room) break;
    kept.push(cell);
  }
  return `${joined(kept)}…`;
}
