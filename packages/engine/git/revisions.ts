import { readFileSync } from "node:fs";
import path from "node:path";
import { GateError } from "../errors.ts";
import { isObjectId } from "./blob-id.ts";
import { cutOff, objectsMissing, shareNothing } from "./problems.ts";
import { findRevision, headCommit } from "./refs.ts";
import type { Found } from "./refs.ts";
import { fetchWords } from "./remotes.ts";
import type { Repository } from "./repository.ts";

/** The commits of a change, every id in full. */
export interface Revisions {
  /** The base as it was given. */
  readonly ref: string;
  /** The commit that the base is at: the policy comes from here. */
  readonly tip: string;
  /** What the code is compared with: at least one commit; several after a criss-cross merge. Sorted. */
  readonly mergeBases: readonly string[];
  readonly head: { readonly kind: "commit"; readonly id: string } | { readonly kind: "index" } | { readonly kind: "worktree" };
  /** The commit of `head`; for the index and the working tree, the one that they were made from. */
  readonly headCommit: string;
}

export interface ChangeRequest {
  readonly base: string;
  /** A revision to judge instead of the working tree. */
  readonly head?: string | undefined;
  /** Judge the index instead of the working tree. */
  readonly staged?: boolean | undefined;
}

/**
 * Finds what a change is made of. Throws a GateError for every reason why a base cannot be had: the ref is missing or
 * ambiguous or no commit, there is no commit yet, the merge base is or may be cut off by a shallow clone, the histories
 * are unrelated, objects are missing, git is missing or hangs.
 */
export async function resolveChange(repository: Repository, { base, head, staged }: ChangeRequest): Promise<Revisions> {
  if (head !== undefined && staged === true) throw new GateError("A change is judged either at a revision or as it is staged, not both.", "Give --head or --staged.");
  const [tip, end] = await Promise.all([findRevision(repository, base), headOf(repository, head)]);
  const heads = head === undefined ? [end.commit, ...mergedHeads(repository)] : [end.commit];
  const mergeBases = await findMergeBases(repository, tip, end, heads);
  return {
    ref: base,
    tip: tip.commit,
    mergeBases,
    head: head !== undefined ? { kind: "commit", id: end.commit } : staged === true ? { kind: "index" } : { kind: "worktree" },
    headCommit: end.commit,
  };
}

async function headOf(repository: Repository, head: string | undefined): Promise<Found> {
  return head === undefined ? { given: "HEAD", name: "HEAD", commit: await headCommit(repository) } : findRevision(repository, head);
}

/**
 * The other parents that a commit would get now, in the middle of a merge: what they bring along came from them and is
 * compared with them too. Git keeps them in a file, one id a line.
 */
function mergedHeads(repository: Repository): string[] {
  try {
    const lines = readFileSync(path.join(repository.gitFolder, "MERGE_HEAD"), "latin1").split("\n");
    return lines.filter((line) => isObjectId(line, repository.format));
  } catch {
    return [];
  }
}

/** Of more than one head, the bases with the commit that would merge them (git-merge-base manual page). */
async function findMergeBases(repository: Repository, tip: Found, end: Found, heads: readonly string[]): Promise<string[]> {
  const output = await repository.git(["merge-base", "--all", tip.commit, ...heads]);
  const found = output.stdout.toString("latin1").split("\n").filter((line) => line !== "").sort();
  const names = [tip.given, end.given] as const;
  if (output.status > 1) throw objectsMissing(`The history of ${names[0]} and ${names[1]}`, repository.promisor);
  const ends = [tip.commit, ...heads];
  if (found.length === 0) {
    if (repository.shallow) throw cutOff(names, "none", fetchWords(repository, tip.name));
    // Some versions of git say "none" as well where a commit on the way is missing.
    if (!await isComplete(repository, ends)) throw objectsMissing(`The history of ${names[0]} and ${names[1]}`, repository.promisor);
    throw shareNothing(names);
  }
  if (repository.shallow && await mayHideNewer(repository, ends, found)) throw cutOff(names, "unsure", fetchWords(repository, tip.name));
  return found;
}

async function isComplete(repository: Repository, ends: readonly string[]): Promise<boolean> {
  return (await repository.git(["rev-list", "--quiet", ...ends])).status === 0;
}

/**
 * Whether a commit whose parents were left out of a shallow clone is newer than the merge bases: a common ancestor that
 * is newer too could lie behind it. Behind the merge bases, none can.
 */
async function mayHideNewer(repository: Repository, ends: readonly string[], mergeBases: readonly string[]): Promise<boolean> {
  const output = await repository.git(["rev-list", ...ends, "--not", ...mergeBases]);
  if (output.status !== 0) return true;
  const cut = new Set(readFileSync(path.join(repository.commonFolder, "shallow"), "latin1").split("\n"));
  return output.stdout.toString("latin1").split("\n").some((commit) => commit !== "" && cut.has(commit));
}
