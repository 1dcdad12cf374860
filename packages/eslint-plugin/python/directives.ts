import type { PythonToken } from "@agentgate/parsers";
import { ConfigCommentParser, Directive } from "@eslint/plugin-kit";

/** What `getDisableDirectives` of a language answers. */
export interface Directives {
  readonly directives: Directive[];
  readonly problems: { ruleId: null; message: string; loc: PythonToken["loc"] }[];
}

const TYPES = new Map([["eslint-disable", "disable"], ["eslint-enable", "enable"], ["eslint-disable-line", "disable-line"], ["eslint-disable-next-line", "disable-next-line"]] as const);

const parser = new ConfigCommentParser();

/** Python stacks pragmas in one comment (`# type: ignore  # eslint-disable-line x`): each part behind a `#` speaks for itself. */
export function piecesOf(comment: PythonToken): PythonToken[] {
  const pieces: PythonToken[] = [];
  let start = comment.range[0];
  for (const value of comment.value.split("#")) {
    const range: [number, number] = [start, start + 1 + value.trimEnd().length];
    const { line, column } = comment.loc.start;
    const first = column + start - comment.range[0];
    pieces.push({ type: comment.type, value: value.trimEnd(), range, loc: { start: { line, column: first }, end: { line, column: first + range[1] - range[0] } } });
    start += 1 + value.length;
  }
  return pieces;
}

export function directivesIn(comments: readonly PythonToken[]): Directives {
  const directives: Directive[] = [];
  for (const piece of comments.flatMap((comment) => (comment.value.includes("eslint-") ? piecesOf(comment) : []))) {
    const read = parser.parseDirective(piece.value);
    const type = read === undefined ? undefined : TYPES.get(read.label as Parameters<typeof TYPES.get>[0]);
    if (read !== undefined && type !== undefined) directives.push(new Directive({ type, node: piece, value: read.value, justification: read.justification }));
  }
  return { directives, problems: [] };
}
