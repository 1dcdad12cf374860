import { codeOf, GateError } from "../errors.ts";
import { commandLine, firstLine, shown } from "./words.ts";

/** Every way in which git cannot answer, each with the line that says what to do. */

export function gitMissing(): GateError {
  return new GateError("git was not found on the PATH outside of the judged tree, and a change cannot be judged without it.", "Install git, or judge the whole tree: leave out --base, --staged and --head.");
}

export function gitTimedOut(command: string, milliseconds: number): GateError {
  return new GateError(`git ${shown(command)} gave no answer within ${milliseconds / 1000} seconds.`, "See whether the disk is busy or another git holds the repository, then run the gate again.");
}

/** `promisor`: see `Repository`; left out where no object is asked for. */
export function gitFailed(command: string, stderr: string, promisor: string | null = null): GateError {
  if (lacksPromised(stderr)) return objectsMissing(`What git ${shown(command)} lists`, promisor);
  return new GateError(`git ${shown(command)} failed: ${firstLine(stderr)}.`.replace(/\.\.$/, "."), "Run git status and git fsck here, and repair what they report.");
}

/** `error`: what starting git threw. */
export function startProblem(error: unknown): GateError {
  if (codeOf(error) === "ENOENT") return gitMissing();
  return new GateError(`git could not be started (${shown(codeOf(error) || "unknown error")}).`, "See that git can be run here: git --version");
}

export function noRepository(root: string, stderr: string): GateError {
  return new GateError(`${shown(root)} is no git repository, and a change cannot be judged without one (${firstLine(stderr)}).`, "Run the gate inside of a clone, or judge the whole tree: leave out --base, --staged and --head.");
}

export function foreignOwner(root: string): GateError {
  return new GateError(`${shown(root)} belongs to another user, so git does not read its repository.`, `If you trust it, run: ${commandLine(["git", "config", "--global", "--add", "safe.directory", root])}`);
}

export function noWorkTree(root: string): GateError {
  return new GateError(`The repository of ${shown(root)} has no working tree there: it is bare, or core.worktree names another folder.`, "Run the gate in a clone or a worktree that has the files: git worktree add <folder>");
}

export function unknownFilter(): GateError {
  return new GateError("The configuration of git has a content filter whose name or command is no UTF-8, and it could not be kept from running.", "Rename or remove the filter; this lists them: git config --show-origin --get-regexp '^filter'");
}

export function oldGit(): GateError {
  return new GateError("This git is too old to say which object format the repository has.", "Install git 2.31 or later.");
}

/** `remote`: the one that the objects can come from, where the clone is partial. */
export function objectsMissing(what: string, remote: string | null): GateError {
  const message = `${shown(what)} cannot be read: objects are missing from this clone`;
  if (remote === null) return new GateError(`${message}, or damaged.`, "Run: git fsck --full, and clone again if it reports objects");
  return new GateError(`${message}, which is partial.`, `Run: ${commandLine(["git", "fetch", "--refetch", "--no-filter", remote])}`);
}

/** Whether git lacked an object that the remote of a partial clone has, and was not let to fetch it. */
export function lacksPromised(stderr: string): boolean {
  return /promisor remote|lazy fetching disabled/.test(stderr);
}

export function readerEnded(stderr: string): GateError {
  return new GateError(`git cat-file ended while objects were being read: ${firstLine(stderr)}.`.replace(/\.\.$/, "."), "Run: git fsck --full, and clone again if it reports objects");
}

export function ambiguousRef(given: string, names: readonly string[]): GateError {
  const message = `${shown(given)} can mean several things: ${names.map(shown).join(", ")}.`;
  return new GateError(message, `Give the full id of the one meant; this prints one: ${commandLine(["git", "rev-parse", "--verify", `${names[0] ?? given}^{commit}`])}`);
}

export function noCommit(given: string, type: string): GateError {
  return new GateError(`${shown(given)} names a ${shown(type)} and no commit.`, "Give HEAD, a branch such as origin/main, a tag of a commit or the full id of a commit.");
}

export function noCommitYet(): GateError {
  return new GateError("HEAD has no commit yet, so there is nothing that the change could be compared with.", "Make the first commit, or judge the whole tree: leave out --base, --staged and --head.");
}

/** `names`: base and head as they were given. */
export function shareNothing(names: readonly [string, string]): GateError {
  const message = `${shown(names[0])} and ${shown(names[1])} share no commit: their histories are unrelated, and no fetch can change that.`;
  return new GateError(message, "Give a base that the change was made from.");
}

/**
 * For a shallow clone that holds no merge base, or one that a newer one may stand behind. `words`: what to name to
 * `git fetch`; null where the clone has no remote.
 */
export function cutOff(names: readonly [string, string], found: "none" | "unsure", words: readonly string[] | null): GateError {
  const pair = `${shown(names[0])} and ${shown(names[1])}`;
  const message = found === "none"
    ? `${pair} share no commit in this clone, which is shallow.`
    : `The merge base of ${pair} may be cut off: this clone is shallow, and ends within the history that they do not share.`;
  if (words === null) return new GateError(message, "Add the remote that this clone was made from, and run: git fetch --unshallow <remote>");
  return new GateError(message, `Run: ${commandLine(["git", "fetch", found === "none" ? "--deepen=200" : "--unshallow", ...words])}`);
}
