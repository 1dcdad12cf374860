import type { Directive } from "../facts.ts";
import type { FactsBuilder } from "../shared/builder.ts";
import { positionAt } from "../shared/positions.ts";

/** A comment as oxc, espree and @typescript-eslint/parser give it; `value` is the text between the marks. */
export interface Comment {
  readonly type: string;
  readonly value: string;
  readonly start?: number;
  readonly end?: number;
  readonly range?: readonly [number, number];
}

const ESLINT = /^[\s*]*eslint(?:-|\s)/;

/** Records the comments that speak to a tool: to agentgate anywhere in them, to ESLint at their start. */
export function readComments(builder: FactsBuilder, comments: readonly Comment[], text: string): void {
  const { lines } = builder.draft.facts;
  for (const comment of comments) {
    if (comment.type !== "Line" && comment.type !== "Block") continue;
    if (!comment.value.includes("agentgate:") && !ESLINT.test(comment.value)) continue;
    builder.directive(directiveOf(comment, lines, text));
  }
}

function directiveOf(comment: Comment, lines: readonly number[], text: string): Directive {
  const start = comment.range?.[0] ?? comment.start ?? 0;
  const end = comment.range?.[1] ?? comment.end ?? start;
  const { line } = positionAt(lines, start);
  return { text: comment.value, span: [start, end], line, ownLine: isFirstOnLine(text, start, lines[line - 1]!) };
}

/** Looks back over blanks only: a line may hold a hundred thousand comments. */
function isFirstOnLine(text: string, start: number, lineStart: number): boolean {
  let index = start;
  while (index > lineStart && text.slice(index - 1, index).trim() === "") index--;
  return index === lineStart;
}
