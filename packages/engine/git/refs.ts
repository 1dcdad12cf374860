import { isObjectId } from "./blob-id.ts";
import { ambiguousRef, gitFailed, noCommit, noCommitYet, objectsMissing } from "./problems.ts";
import { idMissing, noRefName, refMissing } from "./missing-ref.ts";
import type { Repository } from "./repository.ts";

/** What a name on the command line stands for. */
export interface Found {
  /** As it was given. */
  readonly given: string;
  /** `HEAD`, a full name (`refs/remotes/origin/main`) or a full id. */
  readonly name: string;
  /** Full id of the commit. */
  readonly commit: string;
}

/** Where a name is looked up, in the order in which messages name the places. */
const PLACES = ["refs/remotes/", "refs/heads/", "refs/tags/"];

/**
 * Looks up a revision: `HEAD` itself, else a branch of a remote, a branch, a tag or a full id. Nothing else that git
 * would understand: a name that only some of git's rules find can be made to mean another commit. Throws a GateError
 * where there is none, where there are several, or where it names no commit.
 */
export async function findRevision(repository: Repository, given: string): Promise<Found> {
  if (given === "HEAD") return { given, name: "HEAD", commit: await headCommit(repository) };
  if (!isRefName(given)) throw noRefName(given);
  const candidates = await listRefs(repository, PLACES.map((place) => place + given));
  const id = given.toLowerCase();
  if (isObjectId(id, repository.format) && await typeOf(repository, id) !== null) candidates.push({ name: id, id });
  if (candidates.length > 1) throw ambiguousRef(given, candidates.map(({ name }) => name));
  const [found] = candidates;
  if (found !== undefined) return { given, name: found.name, commit: await commitOf(repository, given, found.id) };
  if (isObjectId(id, repository.format)) throw idMissing(repository, given);
  throw refMissing(repository, given, await listRefs(repository, PLACES));
}

/** The commit that HEAD is at. Throws a GateError where there is none yet. */
export async function headCommit(repository: Repository): Promise<string> {
  const output = await repository.git(["rev-parse", "--verify", "--quiet", "HEAD"]);
  const id = output.stdout.toString("latin1").trim();
  if (output.status !== 0 || !isObjectId(id, repository.format)) throw noCommitYet();
  return commitOf(repository, "HEAD", id);
}

/** Names that git allows for a branch or a tag (git-check-ref-format manual page), and none that looks like an option. */
function isRefName(name: string): boolean {
  if (name === "" || name === "@" || /^[-/.]|[/.]$|\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)/.test(name)) return false;
  return !/[\p{Cc} ~^:?*[\\]/u.test(name);
}

export interface Ref {
  readonly name: string;
  readonly id: string;
}

/** Refs with these full names, or below them where they end in a slash. */
async function listRefs(repository: Repository, names: readonly string[]): Promise<Ref[]> {
  const output = await repository.git(["for-each-ref", "--format=%(objectname) %(refname)", ...names]);
  if (output.status !== 0) throw gitFailed("for-each-ref", output.stderr, repository.promisor);
  return output.stdout.toString("utf8").split("\n").flatMap((line) => {
    const space = line.indexOf(" ");
    const ref = { id: line.slice(0, space), name: line.slice(space + 1) };
    // A name also matches what lies below it as if it were a folder.
    return space !== -1 && names.some((name) => (name.endsWith("/") ? ref.name.startsWith(name) : ref.name === name)) ? [ref] : [];
  });
}

async function commitOf(repository: Repository, given: string, id: string): Promise<string> {
  const peeled = await peel(repository, `${id}^{commit}`);
  if (peeled !== null) return peeled;
  const target = await peel(repository, `${id}^{}`);
  const type = target === null ? null : await typeOf(repository, target);
  if (type === null || type === "commit") throw objectsMissing(given, repository.promisor);
  throw noCommit(given, type);
}

async function peel(repository: Repository, expression: string): Promise<string | null> {
  const output = await repository.git(["rev-parse", "--verify", "--quiet", expression]);
  return output.status === 0 ? output.stdout.toString("latin1").trim() : null;
}

async function typeOf(repository: Repository, id: string): Promise<string | null> {
  const output = await repository.git(["cat-file", "-t", id]);
  return output.status === 0 ? output.stdout.toString("latin1").trim() : null;
}
