import type { Place } from "./document.ts";
import { textLines } from "./text.ts";

/** A cell of a table, without the blanks around it. */
export interface Cell {
  readonly text: string;
  readonly at: Place;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** The whole line. */
  readonly at: Place;
}

/** The lines of a tab-separated text that are neither blank nor begin with `#`, the header among them. */
export function readTsv(text: string): Row[] {
  return textLines(text).filter((line) => line.text.trim() !== "" && !line.text.startsWith("#"))
    .map((line) => ({ cells: cellsBetween(line.text, line.at, tabs(line.text)), at: line.at }));
}

function tabs(text: string): number[] {
  return [...text.matchAll(/\t/g)].map((match) => match.index);
}

/** The cells of a line that stand between separators at the given offsets, and before the first and after the last. */
export function cellsBetween(text: string, at: Place, separators: readonly number[]): Cell[] {
  const starts = [0, ...separators.map((offset) => offset + 1)];
  return starts.map((start, index) => {
    const raw = text.slice(start, separators[index] ?? text.length);
    const cell = raw.trim();
    const indent = raw.length - raw.trimStart().length;
    return { text: cell, at: { line: at.line, column: start + (cell === "" ? 0 : indent) + 1, length: cell.length } };
  });
}
