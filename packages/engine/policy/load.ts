import { lstatSync } from "node:fs";
import path from "node:path";
import { GateError } from "../errors.ts";
import { POLICY_FILE } from "../discovery/root.ts";
import { DEFAULT_POLICY, readPolicy } from "./policy.ts";
import type { Policy } from "./policy.ts";
import { readText } from "./text.ts";
import type { PolicyProblem } from "./validate.ts";

export interface LoadedPolicy {
  readonly policy: Policy;
  readonly problems: readonly PolicyProblem[];
  /** Relative to the root, forward slashes; with `../` where `--config` names a file outside. */
  readonly path: string;
  /** The text, or null where there is no policy file. */
  readonly text: string | null;
  /** Why the policy in force could not be read; then `policy` is the default. */
  readonly error: GateError | null;
}

/** Reads the policy in force: the file that `--config` names (absolute), else the root's, else the default. */
export function loadPolicy(root: string, config: string | null): LoadedPolicy {
  const file = config ?? path.join(root, POLICY_FILE);
  const shown = path.relative(root, file).split(path.sep).join("/");
  if (config === null && lstatSync(file, { throwIfNoEntry: false }) === undefined) {
    return noPolicy(shown);
  }
  const text = readText(file, config === null ? root : null);
  if (typeof text !== "string") return failed({ file, shown }, null, text.reason);
  const read = readPolicy(text);
  if ("failure" in read) return failed({ file, shown }, text, read.failure);
  return { policy: read.policy, problems: read.problems, path: shown, text, error: null };
}

/** As `loadPolicy`, from the bytes of a policy file of the tree in whatever revision. `where` says which, for messages. */
export function loadedPolicy(bytes: Uint8Array, shown: string, where: string): LoadedPolicy {
  const place = { file: shown, shown };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return failed(place, null, `of ${where} is not encoded in UTF-8`, CORRECT_THERE);
  }
  const read = readPolicy(text);
  if ("failure" in read) return failed(place, text, `of ${where} ${read.failure}`, CORRECT_THERE);
  return { policy: read.policy, problems: read.problems, path: shown, text, error: null };
}

/** A policy that cannot be in force, with why. `reason` is the end of a sentence that begins with the file's name. */
export function failedPolicy(shown: string, reason: string): LoadedPolicy {
  return failed({ file: shown, shown }, null, reason, CORRECT_THERE);
}

/** What is in force where there is no policy file. */
export function noPolicy(shown: string): LoadedPolicy {
  return { policy: DEFAULT_POLICY, problems: [], path: shown, text: null, error: null };
}

const CORRECT_HERE = "Correct the file, or name another one with --config; agentgate init writes one to begin with.";
const CORRECT_THERE = "Correct the file on the base branch first: a change is judged by the policy there.";

function failed({ file, shown }: { file: string; shown: string }, text: string | null, reason: string, hint = CORRECT_HERE): LoadedPolicy {
  const name = shown === "" || shown.startsWith("../") || shown === ".." ? file : shown;
  const error = new GateError(`${name} ${reason}.`, hint);
  return { policy: DEFAULT_POLICY, problems: [], path: shown, text, error };
}
