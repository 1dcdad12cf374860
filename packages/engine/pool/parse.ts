import { parseEcmascript, parsePython } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import { encodeFacts } from "../facts-code.ts";
import { specifiersOf } from "../judging/specifiers.ts";
import type { ParseJob, ParseOutcome } from "./protocol.ts";

/** Reads one text, of Python with `python`. A failure of the parser itself costs only this text. */
export function readText(job: ParseJob, python: (text: string) => ModuleFacts = parsePython): ModuleFacts | { readonly reason: string } {
  const { dialect, text, moduleKind } = job;
  try {
    if (dialect === "python") return python(text);
    return parseEcmascript(text, moduleKind === undefined ? { dialect } : { dialect, moduleKind });
  } catch {
    return { reason: "reading it crashed the parser" };
  }
}

/** As `readText`, for a pipe. */
export function parseText(job: ParseJob): ParseOutcome {
  const read = readText(job);
  return "reason" in read ? { kind: "failed", reason: read.reason } : { kind: "facts", facts: encodeFacts(read), specifiers: specifiersOf(read), clean: read.problems.length === 0 };
}
