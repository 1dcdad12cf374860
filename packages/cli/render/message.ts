import type { Finding, RelatedPlace } from "@agentgate/engine";
import { printable } from "./printable.ts";

/** A message in two: what and why, and what to do. */
export interface MessageParts {
  readonly told: string;
  readonly next: string | null;
}

const SENTENCE_START = /[.?] (?=[A-Z`"])/g;

/**
 * Messages say what, why and what to do, one sentence each. The last one of several is set apart, so that a reader
 * sees the next step; nothing is lost when a message is built otherwise.
 */
export function partsOf(message: string): MessageParts {
  const text = printable(message);
  const ends = [...text.matchAll(SENTENCE_START)].map((match) => match.index);
  const last = ends.at(-1);
  if (last === undefined) return { told: text, next: null };
  return { told: text.slice(0, last + 1), next: text.slice(last + 2) };
}

/** `41:11` in the finding's own file, `src/a.py:41:11` elsewhere. */
export function placeOf(finding: Finding, related: RelatedPlace): string {
  const position = `${related.start.line}:${related.start.column}`;
  return related.path === finding.path ? position : `${printable(related.path)}:${position}`;
}

/** `3 errors`, `1 error`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const FULL_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** A ref as people name it: of a commit's full id, as much as tells it from others. */
export function shownRef(ref: string): string {
  return FULL_ID.test(ref) ? ref.slice(0, 7) : ref;
}
