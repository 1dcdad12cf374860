import { grepOf, grepOfDisk } from "../change/grep-of.ts";
import { ChangeSide } from "../change/side.ts";
import type { SideGrep, SideInput } from "../change/side.ts";
import { listTree } from "../discovery/list.ts";
import { GateError } from "../errors.ts";
import type { Root } from "../discovery/root.ts";
import { readerOver } from "../git/reader.ts";
import { openRepository } from "../git/repository.ts";
import type { Repository } from "../git/repository.ts";
import { resolveChange } from "../git/revisions.ts";
import { commitSnapshot, worktreeSnapshot } from "../git/snapshots.ts";
import { comparePaths, joinFs } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { diskReader } from "../snapshot/disk.ts";
import type { Reader, Snapshot, SnapshotEntry } from "../snapshot/snapshot.ts";

/** Files of a folder that is no repository. A home folder, or the root of a disk, is no project. */
const MOST_FILES = 50_000;
/** Milliseconds that git may take to answer an editor. */
const GIT_TIMEOUT = 20_000;

/** Where the files of a tree are listed, searched and read. */
export interface Source {
  readonly repository: Repository | null;
  readonly reader: Reader;
  /** What a person should know about it, a sentence; null: nothing. */
  readonly note: string | null;
  close(): void;
}

/** Where git cannot be asked (it is not installed, or `.git` leads nowhere) the folders are walked, as in every run. */
export async function openSource(root: Root): Promise<Source> {
  if (!root.git) return walked(null);
  try {
    const repository = await openRepository(root.folder, { timeout: GIT_TIMEOUT });
    return { repository, reader: readerOver(repository), note: null, close: () => { repository.close(); } };
  } catch (error) {
    if (error instanceof GateError) return walked(`${error.message} The folders are walked instead, what git ignores among them, and nothing is compared with a base.`);
    throw error;
  }
}

function walked(note: string | null): Source {
  return { repository: null, reader: diskReader, note, close: () => undefined };
}

/** The working tree, with files that the listing lacks: those that are ignored, or only exist in an editor. */
export async function openWorktree(root: Root, source: Source, extra: readonly TreePath[], input: SideInput): Promise<ChangeSide> {
  const listed = source.repository === null ? await diskSnapshot(root) : await worktreeSnapshot(source.repository);
  const snapshot = withFiles(listed, extra, root.folder);
  return ChangeSide.open(snapshot, input, grepFor(source, "worktree", snapshot));
}

/** @throws GateError where there is no such revision, or nothing that it and head have in common */
export async function openBase({ repository, ...source }: Source, ref: string, input: SideInput): Promise<ChangeSide | null> {
  if (repository === null) return null;
  const { mergeBases } = await resolveChange(repository, { base: ref });
  const commit = mergeBases[0]!;
  const snapshot = await commitSnapshot(repository, commit);
  return ChangeSide.open(snapshot, input, grepFor({ ...source, repository }, commit, snapshot));
}

function grepFor({ repository, reader }: Source, where: string, snapshot: Snapshot): SideGrep {
  return repository === null ? grepOfDisk(snapshot, reader) : grepOf(repository, where, snapshot);
}

async function diskSnapshot(root: Root): Promise<Snapshot> {
  const { entries, closed } = await listTree(root, [], MOST_FILES);
  return snapshotOf(entries.map((entry) => ({
    ...entry, executable: false, blob: null, target: entry.type === "link" && entry.target.kind === "disk" ? { ...entry.target, link: true } : entry.target,
  })), closed);
}

function withFiles(snapshot: Snapshot, extra: readonly TreePath[], root: string): Snapshot {
  const lacking = extra.filter((path) => !snapshot.byPath.has(path));
  if (lacking.length === 0) return snapshot;
  const added = lacking.map((path): SnapshotEntry => ({ path, type: "file", executable: false, blob: null, target: { kind: "disk", fs: joinFs(root, path) } }));
  return { ...snapshotOf([...snapshot.entries, ...added].sort((one, other) => comparePaths(one.path, other.path)), snapshot.closed), unmerged: snapshot.unmerged };
}

function snapshotOf(entries: readonly SnapshotEntry[], closed: Snapshot["closed"]): Snapshot {
  return { entries, byPath: new Map(entries.map((entry) => [entry.path, entry])), unmerged: [], closed };
}
