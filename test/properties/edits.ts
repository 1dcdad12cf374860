import type { ModuleFacts, Span } from "@agentgate/parsers";

/** A source as the properties see it. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly facts: ModuleFacts;
}

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with all edits made. Of two that overlap the later one is left out; of equal ones one is made. */
export function edited(text: string, edits: readonly Edit[]): string {
  const sorted = [...edits].sort((one, other) => one.start - other.start || one.end - other.end);
  const parts: string[] = [];
  let at = 0;
  let last: Edit | null = null;
  for (const edit of sorted) {
    const isSame = last !== null && last.start === edit.start && last.end === edit.end;
    if (isSame || edit.start < at) continue;
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
    last = edit;
  }
  return parts.join("") + text.slice(at);
}

/** The 0-based line that holds an offset. */
export function lineAt({ lines }: ModuleFacts, offset: number): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lines[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The lines, 0-based, whose beginning lies inside a text: layout there is content. */
export function linesInsideTexts({ facts }: Source): ReadonlySet<number> {
  const inside = new Set<number>();
  for (const value of facts.values) {
    if (value.kind !== "string" && value.kind !== "template") continue;
    const [start, end] = value.span;
    for (let line = lineAt(facts, start) + 1; line <= lineAt(facts, Math.max(start, end - 1)); line++) inside.add(line);
  }
  return inside;
}

/** The offsets from the beginning of a span's first line to the beginning of the line after its last. */
export function wholeLines({ facts, text }: Source, [start, end]: Span): Span {
  const last = lineAt(facts, Math.max(start, end - 1));
  return [facts.lines[lineAt(facts, start)]!, facts.lines[last + 1] ?? text.length];
}
