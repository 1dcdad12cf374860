import { filesHolding, scan } from "../git/grep.ts";
import { filesByWord, filesThatMayDefine } from "../git/matches.ts";
import type { Repository } from "../git/repository.ts";
import type { Reader, Snapshot } from "../snapshot/snapshot.ts";
import { keptSearch } from "./shared-search.ts";
import type { SideGrep } from "./side.ts";

/** `where`: a full commit id, `index` or `worktree`. */
export function grepOf(repository: Repository, where: string, snapshot: Snapshot): SideGrep {
  const named = where === "worktree" ? "index" : where;
  return {
    holding: (words) => filesHolding(repository, where, words, snapshot),
    byWord: keptSearch((words) => filesByWord(repository, named, words)),
    defining: keptSearch((names) => filesThatMayDefine(repository, named, names)),
  };
}

/** For a tree without git: no file has a name for its content, and those are looked into whatever a search says. */
export function grepOfDisk(snapshot: Snapshot, reader: Reader): SideGrep {
  return {
    holding: (words) => scan(reader, snapshot, words),
    byWord: () => Promise.resolve(new Map()),
    defining: () => Promise.resolve(new Map()),
  };
}
