import type { FactsBuilder } from "../shared/builder.ts";
import { positionAt } from "../shared/positions.ts";

const SPEAKS = /agentgate[:/]|eslint-/;

/**
 * Records the comments that speak to a tool. Python stacks them in one comment, so it is split at each inner `#`.
 * `comments` holds the start and end of each comment in turn, the end before the line end.
 */
export function readDirectives(builder: FactsBuilder, comments: readonly number[], text: string): void {
  for (let index = 0; index < comments.length; index += 2) {
    const start = comments[index]!;
    let end = comments[index + 1]!;
    while (end > start && /\s/.test(text[end - 1]!)) end--;
    const comment = text.slice(start, end);
    if (SPEAKS.test(comment)) addPieces(builder, comment, start, text);
  }
}

function addPieces(builder: FactsBuilder, comment: string, start: number, text: string): void {
  const { lines } = builder.draft.facts;
  const { line } = positionAt(lines, start);
  const ownLine = text.slice(lines[line - 1], start).trim() === "";
  let at = start;
  for (const piece of comment.split("#").slice(1)) {
    const kept = piece.trimEnd();
    if (SPEAKS.test(piece)) builder.directive({ text: kept, span: [at, at + 1 + kept.length], line, ownLine });
    at += 1 + piece.length;
  }
}
