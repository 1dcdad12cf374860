import { printable } from "../render/printable.ts";
import { writeTo } from "../sink.ts";
import type { Surroundings } from "../terminal.ts";

/** One sentence on one line: messages may hold names from the judged tree. */
function sentence(text: string): string {
  const line = printable(text.trim());
  return /[.!?:]$/.test(line) ? line : `${line}.`;
}

/** The two lines of exit code 2: why, and what to do. */
export function sayFailure(around: Surroundings, { hint, message }: { readonly message: string; readonly hint: string }): Promise<void> {
  return writeTo(around.stderr, `agentgate: ${sentence(message)}\n${printable(hint.trim())}\n`);
}

/** What a person should know and no report has a place for, one line each. */
export function sayNotes(around: Surroundings, notes: readonly string[]): Promise<void> {
  return writeTo(around.stderr, notes.map((note) => `agentgate: ${sentence(note)}\n`).join(""));
}
