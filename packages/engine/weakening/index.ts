import { BASELINE_FILE } from "../policy/baseline.ts";
import { baselineWeakenings } from "./baseline-change.ts";
import { contractFileWeakenings, hasDefaultContract } from "./contract-files.ts";
import { excludedMoveWeakenings } from "./excluded-moves.ts";
import { lineWeakenings } from "./gate/line-change.ts";
import { workflowWeakenings } from "./gate/workflow-change.ts";
import { gateWeakenings } from "./gate-change.ts";
import { GlobWidth } from "./globs.ts";
import type { WeakeningInput } from "./input.ts";
import { policyChanges } from "./policy-change.ts";
import { NO_KEYS, policyOf } from "./policy-document.ts";
import type { Keys, PolicyDocument } from "./policy-document.ts";
import { FIRST_LINE, compareWeakenings, fileWeakening } from "./record.ts";
import type { Change } from "./record.ts";
import { suppressionWeakenings } from "./suppression-change.ts";
import type { Weakening } from "./weakening.ts";

export { weakeningDigest, WEAKENING_KINDS } from "./record.ts";
export type { WeakeningKind } from "./record.ts";
export type { Suppressed, WeakeningInput } from "./input.ts";

/**
 * Every way of the closed list of `gate-weakened` in which head makes the gate judge less than one merge base did,
 * sorted by path and place. Reads changed files only, and never rejects for what they hold: what cannot be read counts
 * as the loosest that it could say.
 */
export async function weakeningsOf(input: WeakeningInput): Promise<readonly Weakening[]> {
  const { difference, policyPath } = input;
  const policy = await policyOf(difference.base, policyPath);
  const keys = policy.state === "read" ? policy.keys : NO_KEYS;
  const found = [
    ...await policyWeakenings(input, policy),
    ...await baselineWeakenings(input),
    ...await contractFileWeakenings(input, keys),
    ...excludedMoveWeakenings(input),
    ...await workflowWeakenings(input),
    ...await lineWeakenings(input),
    ...gateWeakenings(input, keys),
  ];
  for (const file of difference.files) found.push(...await suppressionWeakenings(input, file));
  const told = difference.base.blob(BASELINE_FILE) === null ? adoption(found) : found;
  return bounded(told.sort(compareWeakenings));
}

/** A first policy with its first baseline is one step, and one thing to accept: its record covers both. */
function adoption(found: readonly Weakening[]): Weakening[] {
  const introduced = found.find(({ kind }) => kind === "policy-introduced");
  const grown = introduced === undefined ? [] : found.filter(({ kind }) => kind === "baseline-grown");
  if (introduced === undefined || grown.length === 0) return [...found];
  const message = introduced.message.replace("all that it licenses is new", "all that it and its baseline license is new");
  const record = [introduced.record, ...new Set(grown.map((one) => one.record))].join("\0");
  return [{ ...introduced, record, message }, ...found.filter((one) => one !== introduced && !grown.includes(one))];
}

/** More of one kind in one file than a reviewer reads one by one. */
const MOST_OF_A_KIND = 50;

/** Counts what is beyond the bound. Those of one kind and file have one record, so the digest stands for all; suppressions have their own. */
function bounded(found: readonly Weakening[]): Weakening[] {
  const counts = new Map<string, number>();
  const kept: Weakening[] = [];
  const further = new Map<string, Weakening>();
  for (const one of found) {
    const count = (counts.get(one.record) ?? 0) + 1;
    counts.set(one.record, count);
    if (count <= MOST_OF_A_KIND || one.kind.startsWith("suppression-")) kept.push(one);
    else if (!further.has(one.record)) further.set(one.record, one);
  }
  for (const [record, first] of further) {
    const message = `${counts.get(record)! - MOST_OF_A_KIND} further differences of this kind in ${first.path}. Take them back, or have an owner of the file accept them.`;
    kept.push({ ...first, message, key: `${first.key}\0further` });
  }
  return kept;
}

async function policyWeakenings({ difference, policyPath }: WeakeningInput, base: PolicyDocument): Promise<Weakening[]> {
  const file = difference.files.find((one) => one.path === policyPath) ?? difference.files.find((one) => one.basePath === policyPath);
  if (file === undefined) return [];
  const head = await policyOf(difference.head, policyPath);
  // A policy that moved away is reported where it lay.
  const at = file.path === policyPath ? file : { ...file, path: policyPath, headBlob: null };
  return documentChanges(base, head, policyPath, (old, now) => policyChanges({
    base: old,
    head: now,
    path: policyPath,
    globs: new GlobWidth(new Set([...difference.base.paths, ...difference.head.paths])),
    hasDefaultContract: (name) => hasDefaultContract(difference.base, name),
  })).map((change) => fileWeakening(at, change));
}

function documentChanges(base: PolicyDocument, head: PolicyDocument, path: string, compare: (old: Keys, now: Keys) => Change[]): Change[] {
  const accept = `Take it back, or have an owner of ${path} accept it.`;
  if (base.state === "absent") {
    if (head.state === "absent") return [];
    const message = `The base has no ${path}, and the change brings one: all that it licenses is new. Have the owners of the code read and accept it.`;
    return [{ kind: "policy-introduced", at: FIRST_LINE, message, subject: path }];
  }
  if (head.state === "read") return base.state === "read" ? compare(base.keys, head.keys) : [];
  if (base.state === "unreadable" && head.state === "unreadable") return [];
  const what = head.state === "absent" ? "is deleted" : head.reason;
  const message = `${path} was in force and now ${what}: nothing that it asks for would hold. ${accept}`;
  return [{ kind: "policy-unreadable", at: FIRST_LINE, message, subject: head.state }];
}
