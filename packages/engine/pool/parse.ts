import * as parsers from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import { encodeFacts } from "../facts-json.ts";
import type { ParseJob, ParseOutcome } from "./protocol.ts";

interface Readers {
  readonly parsePython?: (text: string) => ModuleFacts;
  readonly parseEcmascript?: (text: string, options: { readonly dialect: ParseJob["dialect"] }) => ModuleFacts;
}

/** Reads one text. A failure of the parser itself costs only this text. */
export function readText(job: ParseJob): ModuleFacts | { readonly reason: string } {
  const readers = parsers as unknown as Readers;
  try {
    if (job.language === "python") return readers.parsePython?.(job.text) ?? { reason: "this version reads no Python" };
    return readers.parseEcmascript?.(job.text, { dialect: job.dialect }) ?? { reason: "this version reads no ECMAScript" };
  } catch {
    return { reason: "reading it crashed the parser" };
  }
}

/** As `readText`, for a pipe. */
export function parseText(job: ParseJob): ParseOutcome {
  const read = readText(job);
  return "reason" in read ? { kind: "failed", reason: read.reason } : { kind: "facts", facts: encodeFacts(read) };
}
