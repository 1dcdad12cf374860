import type { FsPath, TreePath } from "../paths.ts";
import type { ReadResult } from "../reading/read.ts";

/**
 * Where the bytes of a file lie: below the root (absolute, never followed where it is a link), or in git's objects.
 * `link`: it was listed as a link, and reading it gives the text that it points to.
 */
export type Target =
  | { readonly kind: "disk"; readonly fs: FsPath; readonly link?: true }
  | { readonly kind: "blob"; readonly id: string };

/** A name of one state of the tree, before anything was opened. */
export interface SnapshotEntry {
  readonly path: TreePath;
  /** `folder`: a submodule or a nested repository; `other`: a pipe, socket or device. */
  readonly type: "file" | "link" | "folder" | "other";
  readonly executable: boolean;
  /** What to read; for a link, what holds the text that it points to. */
  readonly target: Target;
  /** Id of the git blob with exactly these bytes (a submodule: its commit); null where only reading them can tell. */
  readonly blob: string | null;
}

/** One state of the tree: a commit, the index, or the working tree with its untracked files. */
export interface Snapshot {
  /** Sorted by path (`comparePaths`), each path once. */
  readonly entries: readonly SnapshotEntry[];
  readonly byPath: ReadonlyMap<TreePath, SnapshotEntry>;
  /** Paths that git holds in several versions at once, in the middle of a merge. */
  readonly unmerged: readonly TreePath[];
  /** Folders that could not be listed, with the reason as the end of a sentence. */
  readonly closed: readonly { readonly path: TreePath; readonly reason: string }[];
}

/** Reads the bytes of targets, each at most `limit` bytes long. */
export interface Reader {
  /** Answers in the order of the targets. Never rejects for what a file is. */
  read(targets: readonly Target[], limit: number): Promise<readonly ReadResult[]>;
  /** The first 256 bytes of each; none where they cannot be read. */
  heads(targets: readonly Target[]): Promise<readonly Buffer[]>;
}
