import type { Span } from "../facts.ts";

/** 1-based line and column, the column in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Offset of the first character of each line. A line ends at LF, CRLF or a lone CR, and in ECMAScript also at
 * U+2028 and U+2029.
 */
export function lineStarts(text: string, language: "python" | "ecmascript"): number[] {
  const starts = [0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 13 && text.charCodeAt(index + 1) !== 10) starts.push(index + 1);
    else if (code === 10) starts.push(index + 1);
    else if (language === "ecmascript" && (code === 0x2028 || code === 0x2029)) starts.push(index + 1);
  }
  return starts;
}

/** Line and column of an offset. Offsets past the end give the last line. */
export function positionAt(lines: readonly number[], offset: number): Position {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lines[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - lines[low]! + 1 };
}

/** A span cut to the line on which it starts, since a finding starts and ends on one line. */
export function onOneLine(lines: readonly number[], span: Span, text?: string): Span {
  const { line } = positionAt(lines, span[0]);
  const next = lines[line];
  if (next === undefined || span[1] < next) return span;
  let end = next - 1;
  if (text?.charCodeAt(end) === 10 && text.charCodeAt(end - 1) === 13) end--;
  return [span[0], Math.max(span[0], end)];
}
