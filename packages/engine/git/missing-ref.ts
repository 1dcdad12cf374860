import { GateError } from "../errors.ts";
import { defaultRemote, remoteOfTracking } from "./remotes.ts";
import type { Ref } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { commandLine, shown } from "./words.ts";

const WHAT = "HEAD, a branch such as origin/main, a tag or a full id";

/** For text that git may well understand, but that is no name. */
export function noRefName(given: string): GateError {
  const message = `${given === "" ? "An empty name" : shown(given)} is no name of a branch or tag and no full id.`;
  if (given === "@") return new GateError(message, "Give HEAD.");
  if (given === "" || given.startsWith("-") || given.includes("..") || /\s/.test(given)) return new GateError(message, `Give ${WHAT}.`);
  return new GateError(message, `Give ${WHAT}; this prints the id: ${commandLine(["git", "rev-parse", "--verify", given])}`);
}

export function idMissing(repository: Repository, id: string): GateError {
  const remote = defaultRemote(repository);
  const message = `The object ${id} is not in this clone.`;
  return new GateError(message, remote === null ? `Give ${WHAT} that this clone has.` : `Run: ${commandLine(["git", "fetch", remote, id])}`);
}

/** For a name that nothing has. `refs`: all that the clone has. */
export function refMissing(repository: Repository, given: string, refs: readonly Ref[]): GateError {
  const short = refs.map(({ name }) => shortName(name));
  const alike = lookAlikes(given, short);
  const also = alike.length === 0 ? "" : `; it has ${alike.map(shown).join(" and ")}`;
  const message = `No branch, tag or full id is called ${shown(given)} in this clone${repository.shallow ? ", which is shallow" : ""}${also}.`;
  return new GateError(message, repairOf(repository, given, alike, refs));
}

function repairOf(repository: Repository, given: string, alike: readonly string[], refs: readonly Ref[]): string {
  const full = refs.find(({ name }) => name === given);
  if (full !== undefined) return `Give ${shown(shortName(given))}.`;
  if (given.startsWith("refs/") || given.endsWith("_HEAD") || /^[0-9a-f]{4,63}$/i.test(given)) return `Give the full id, which this prints: ${commandLine(["git", "rev-parse", "--verify", given])}`;
  const tracking = remoteOfTracking(repository, `refs/remotes/${given}`);
  if (tracking !== null) return `Run: ${fetchCommand(tracking.remote, tracking.branch)}`;
  const [first] = alike;
  if (first !== undefined) return `Give ${shown(first)}, if that is the one meant.`;
  const remote = defaultRemote(repository);
  if (remote === null) return `Give ${WHAT}; this lists them: git branch --all`;
  return `Run: ${fetchCommand(remote, given)} and give ${shown(`${remote}/${given}`)}.`;
}

/** Names the ref that is made, since a clone of a single branch would make none. */
function fetchCommand(remote: string, branch: string): string {
  return commandLine(["git", "fetch", remote, `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`]);
}

function shortName(name: string): string {
  return name.replace(/^refs\/(?:heads|remotes|tags)\//, "");
}

/** At most two names: first those that differ only in the remote before them, then those with a letter or two amiss. */
function lookAlikes(given: string, names: readonly string[]): string[] {
  const last = lastPart(given);
  const ranked = [...new Set(names)].flatMap((name) => {
    if (name.toLowerCase() === given.toLowerCase()) return [{ name, rank: 0 }];
    if (name.endsWith(`/${given}`) || given.endsWith(`/${name}`)) return [{ name, rank: 1 }];
    if (lastPart(name) === last) return [{ name, rank: 2 }];
    return isNear(name, given) ? [{ name, rank: 3 }] : [];
  });
  return ranked.sort((left, right) => left.rank - right.rank).slice(0, 2).map(({ name }) => name);
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** Whether one letter was left out, added or changed, or two neighbours changed places. */
function isNear(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 1 || Math.min(left.length, right.length) < 3) return false;
  let start = 0;
  while (start < left.length && left[start] === right[start]) start++;
  const [a, b] = [left.slice(start), right.slice(start)];
  if (a.slice(1) === b || b.slice(1) === a || a.slice(1) === b.slice(1)) return true;
  return left[start] === right[start + 1] && left[start + 1] === right[start] && a.slice(2) === b.slice(2);
}
