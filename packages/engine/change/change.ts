import type { ModuleFacts } from "@agentgate/parsers";
import type { TreePath } from "../paths.ts";

/** What became of one file between a merge base and head. */
export interface ChangedFile {
  /** At head; the path at the base where it was deleted. */
  readonly path: TreePath;
  /** At the base; null where it was added. Differs from `path` where it was renamed. */
  readonly basePath: TreePath | null;
  readonly status: "added" | "modified" | "renamed" | "deleted";
  /** Ids of the blobs on the two sides; null where the file is not there. */
  readonly baseBlob: string | null;
  readonly headBlob: string | null;
}

/** One side of a change, as far as it can be asked. */
export interface Side {
  /** Every file of the side. */
  readonly paths: ReadonlySet<TreePath>;
  /** The id of the blob at a path; null where there is none. */
  blob(path: TreePath): string | null;
  /** Reads a file as text (UTF-8, byte order mark dropped); null where it is absent, no regular file, larger than 1 MiB or no text. */
  text(path: TreePath): Promise<string | null>;
  /** Facts of a changed source file; null where the side has none or it could not be parsed. */
  facts(path: TreePath): ModuleFacts | null;
}

/** Two sides and what differs between them, sorted by path. */
export interface Difference {
  readonly base: Side;
  readonly head: Side;
  readonly files: readonly ChangedFile[];
}
