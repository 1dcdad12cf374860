import { lineStarts } from "@agentgate/parsers";

/** A judged text with its line table, from which frames are cut. */
export interface SourceText {
  readonly text: string;
  readonly starts: readonly number[];
}

/** The text of a judged file by its path in the report, or `null` where it cannot be shown. */
export type SourceOf = (path: string) => SourceText | null;

const PYTHON = /\.pyw?$/i;
const PYTHON_LINE = /^#![^\n\r]{0,200}python/;

/** The text as positions count it: without byte order mark, its lines ended as its language ends them. */
export function sourceText(path: string, text: string): SourceText {
  const judged = text.startsWith("\ufeff") ? text.slice(1) : text;
  const python = PYTHON.test(path) || PYTHON_LINE.test(judged);
  return { text: judged, starts: lineStarts(judged, python ? "python" : "ecmascript") };
}

/** The text of a contract or its evidence: its lines end at LF alone. */
export function linesOf(text: string): SourceText {
  const judged = text.startsWith("\ufeff") ? text.slice(1) : text;
  const starts = [0];
  for (let index = judged.indexOf("\n"); index !== -1; index = judged.indexOf("\n", index + 1)) starts.push(index + 1);
  return { text: judged, starts };
}

/** A line by its 1-based number, without its end; `null` where there is none. */
export function lineOf(source: SourceText, line: number): string | null {
  const start = source.starts[line - 1];
  if (start === undefined) return null;
  const end = source.starts[line] ?? source.text.length;
  return source.text.slice(start, end).replace(/[\n\r\u2028\u2029]+$/, "");
}
