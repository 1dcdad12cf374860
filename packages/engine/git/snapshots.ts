import { createHash } from "node:crypto";
import { nameOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { Snapshot, SnapshotEntry } from "../snapshot/snapshot.ts";
import { blobId } from "./blob-id.ts";
import { DiskFolder } from "./disk.ts";
import { blobEntry, SnapshotBuilder, splitEntries } from "./listing.ts";
import type { Listed, Split } from "./listing.ts";
import { gitFailed, objectsMissing } from "./problems.ts";
import type { Repository } from "./repository.ts";
import { splitAtNul } from "./run.ts";

/**
 * Every file of a commit (its full id), without opening any. Throws a GateError where its folders are missing from the
 * clone, or git is missing or hangs.
 */
export async function commitSnapshot(repository: Repository, commit: string): Promise<Snapshot> {
  const output = await repository.git(["ls-tree", "-r", "-z", "--full-tree", commit]);
  if (output.status !== 0) throw objectsMissing(`The commit ${commit}`, repository.promisor);
  const builder = new SnapshotBuilder();
  for (const { words, path } of splitEntries(output.stdout)) builder.add(blobEntry({ path, mode: words[0]!, id: words[2]! }));
  return builder.build();
}

/** What a commit of the index would hold, without opening any file. Of an unmerged path, the version of this branch. */
export async function indexSnapshot(repository: Repository): Promise<Snapshot> {
  const index = await listIndex(repository);
  const empty = blobId(Buffer.alloc(0), repository.format);
  const committed = index.some((entry) => entry.id === empty) ? await committedPaths(repository) : null;
  const builder = new SnapshotBuilder();
  for (const entry of mergeStages(index, builder)) {
    if (committed === null || committed.has(entry.path)) builder.add(blobEntry(entry));
  }
  return builder.build();
}

/**
 * The working tree: what git tracks and what it would not ignore. A file that the index knows to be untouched keeps its
 * blob; every other one has a target on disk. What is absent because of a sparse checkout is read from its blob.
 */
export async function worktreeSnapshot(repository: Repository): Promise<Snapshot> {
  const [index, touched, untracked] = await Promise.all([listIndex(repository), listTouched(repository), listUntracked(repository)]);
  const builder = new SnapshotBuilder();
  const disk = new DiskFolder(repository.root);
  for (const entry of mergeStages(index, builder)) {
    const found = entryInTree(entry, touched, disk);
    if (found !== null) builder.add(found);
  }
  for (const bytes of untracked.names) addUntracked(builder, disk, bytes);
  for (const { path, reason } of untracked.closed) builder.close(path, reason);
  return builder.build();
}

/** The entry of a tracked path in the working tree; null where it is gone. */
function entryInTree(entry: IndexEntry, touched: Touched, disk: DiskFolder): SnapshotEntry | null {
  const mode = touched.modes.get(entry.path);
  if (mode === undefined && entry.tag === "H" && touched.complete) return blobEntry(entry);
  // Of what git does not look at, the disk decides; what a sparse checkout left out is still part of the tree.
  const found = disk.entry(entry.split.bytes, entry.path, mode);
  if (found === null) return entry.tag === "S" ? blobEntry(entry) : null;
  if (found.type !== "folder" || entry.mode === SUBMODULE) return found;
  // Where a folder took the place of a file, the untracked names say what is in it, but not where it is a repository.
  return disk.entry(Buffer.concat([entry.split.bytes, Buffer.from("/.git")]), entry.path, mode) === null ? null : found;
}

/** A nested repository is listed with a slash behind its name. */
function addUntracked(builder: SnapshotBuilder, disk: DiskFolder, name: Buffer): void {
  const isRepository = name.at(-1) === 0x2f;
  const bytes = isRepository ? name.subarray(0, -1) : name;
  const path = nameOf(bytes);
  if (isRepository && builder.has(path)) return;
  const entry = disk.entry(bytes, path, undefined);
  if (entry !== null) builder.add(entry);
}

interface IndexEntry extends Listed {
  /** For the bytes of its name, which few need. */
  readonly split: Split;
  /** `H` tracked, `S` left out of the working tree, `h` or `s` not looked at by git. */
  readonly tag: string;
  /** 0; or in a merge 1 the common ancestor, 2 this branch, 3 the other. */
  readonly stage: number;
}

async function listIndex(repository: Repository): Promise<IndexEntry[]> {
  const output = await repository.git(["ls-files", "-s", "-v", "-z"]);
  if (output.status !== 0) throw gitFailed("ls-files", output.stderr, repository.promisor);
  return splitEntries(output.stdout).map((split) => ({
    split, path: split.path, tag: tagOf(split.words[0]!), mode: split.words[1]!, id: split.words[2]!, stage: Number(split.words[3]),
  }));
}

/** `S` wherever git left the file out; a lower-case letter says that it was told not to look, whatever else holds. */
function tagOf(tag: string): string {
  return tag.toUpperCase() === "S" ? "S" : tag;
}

/** One entry a path: of several stages this branch's, else the other's. Says which paths had several. */
function mergeStages(index: readonly IndexEntry[], builder: SnapshotBuilder): IndexEntry[] {
  const chosen = new Map<TreePath, IndexEntry>();
  const ORDER = [0, 2, 3, 1];
  for (const entry of index) {
    if (entry.stage !== 0) builder.markUnmerged(entry.path);
    const known = chosen.get(entry.path);
    if (known?.stage === 0) builder.markUnmerged(entry.path);
    else if (known === undefined || ORDER.indexOf(entry.stage) < ORDER.indexOf(known.stage)) chosen.set(entry.path, entry);
  }
  return [...chosen.values()];
}

const SUBMODULE = "160000";
/** The disk has to be asked. */
const UNKNOWN = "";

interface Touched {
  /** The mode of every tracked file that may differ from the index; `000000` where it is gone. */
  readonly modes: ReadonlyMap<TreePath, string>;
  /** False where git could not look at every file, and passed over those. */
  readonly complete: boolean;
}

/** Git compares contents only where times cannot tell, and with no content filter. */
async function listTouched(repository: Repository): Promise<Touched> {
  const args = ["diff-files", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
  const output = await repository.git(args);
  if (output.status !== 0) throw gitFailed("diff-files", output.stderr, repository.promisor);
  const pieces = splitAtNul(output.stdout);
  const modes = new Map<TreePath, string>();
  for (let index = 0; index + 1 < pieces.length; index += 2) {
    const [, mode, , , status] = pieces[index]!.toString("latin1").split(" ");
    const path = nameOf(pieces[index + 1]!);
    // An unmerged path has a line of its own that says nothing about the file.
    if (status === "U") modes.set(path, modes.get(path) ?? UNKNOWN);
    else modes.set(path, mode!);
  }
  return { modes, complete: output.stderr === "" };
}

async function listUntracked(repository: Repository): Promise<{ names: Buffer[]; closed: { path: TreePath; reason: string }[] }> {
  const output = await repository.git(["ls-files", "-o", "--exclude-standard", "-z"]);
  if (output.status !== 0) throw gitFailed("ls-files", output.stderr, repository.promisor);
  const closed = [...output.stderr.matchAll(/^warning: could not open directory '(.*?)\/?': (.*)$/gm)];
  return { names: splitAtNul(output.stdout), closed: closed.map((match) => ({ path: match[1]!, reason: match[2]!.toLowerCase() })) };
}

/**
 * The paths that a commit of the index would hold. `git add --intent-to-add` lists a file as if it were empty, and only
 * a comparison tells it from one that is.
 */
async function committedPaths(repository: Repository): Promise<Set<TreePath>> {
  const emptyTree = createHash(repository.format).update("tree 0\0").digest("hex");
  const args = ["diff-index", "--cached", "--name-only", "-z", "--no-renames", "--ita-invisible-in-index", emptyTree];
  const output = await repository.git(args);
  if (output.status !== 0) throw gitFailed("diff-index", output.stderr, repository.promisor);
  return new Set(splitAtNul(output.stdout).map(nameOf));
}
