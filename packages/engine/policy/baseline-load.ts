import { lstatSync } from "node:fs";
import path from "node:path";
import { GateError } from "../errors.ts";
import { readBounded } from "../reading/read.ts";
import { BASELINE_FILE, Baseline, MAX_BASELINE_BYTES, readBaseline } from "./baseline.ts";
import type { PolicyProblem } from "./validate.ts";

export interface LoadedBaseline {
  /** Empty where there is none, or none that can be read. */
  readonly baseline: Baseline;
  readonly problems: readonly PolicyProblem[];
  /** The text with its byte order mark, or null where there is no baseline. */
  readonly text: string | null;
  /** Why the baseline could not be read. */
  readonly error: GateError | null;
}

const NONE: LoadedBaseline = { baseline: new Baseline([]), problems: [], text: null, error: null };

/** Reads the baseline at the root of a tree as it lies. One that cannot be read is an error: it is policy in force. */
export function loadBaseline(root: string): LoadedBaseline {
  const file = path.join(root, BASELINE_FILE);
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (status === undefined) return NONE;
  if (status.isSymbolicLink()) return failed("is a symbolic link, and the baseline is never read through one", null);
  const read = readBounded(file, MAX_BASELINE_BYTES);
  if (read.kind === "too-large") return failed(`has more than ${MAX_BASELINE_BYTES} bytes`, null);
  if (read.kind === "unreadable") return failed(`cannot be read: ${read.reason}`, null);
  return loadedBaseline(read.bytes);
}

/** As `loadBaseline`, from the bytes of the file in whatever revision. */
export function loadedBaseline(bytes: Uint8Array): LoadedBaseline {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return failed("is not encoded in UTF-8", null);
  }
  const read = readBaseline(text);
  return "failure" in read ? failed(read.failure, text) : { ...read, text, error: null };
}

function failed(reason: string, text: string | null): LoadedBaseline {
  const error = new GateError(`${BASELINE_FILE} ${reason}.`, "Restore the file from git; or delete it, run agentgate baseline, and have the difference reviewed.");
  return { ...NONE, text, error };
}
