import { indexSnapshot, worktreeSnapshot } from "../git/snapshots.ts";
import type { TreePath } from "../paths.ts";
import type { Overlay } from "../types/laid.ts";
import type { Listed } from "./open.ts";

/** What a compiler reads of a tree. */
const READ = /\.(?:[cm]?[jt]sx?|json)$/;
/** Bytes of one such file. */
const MOST_BYTES = 8_388_608;

/** How head differs from what lies on the disk; null where it is the working tree. What git does not track is no part of it. */
export async function overlayOf({ repository, revisions, reader, head }: Pick<Listed, "repository" | "revisions" | "reader" | "head">): Promise<Overlay | null> {
  if (revisions.head.kind === "worktree") return null;
  const [disk, index] = await Promise.all([worktreeSnapshot(repository), indexSnapshot(repository)]);
  const other = head.entries.filter(({ path, type, blob }) => type === "file" && READ.test(path) && (blob === null || disk.byPath.get(path)?.blob !== blob));
  const reads = await reader.read(other.map(({ target }) => target), MOST_BYTES);
  const texts = new Map<TreePath, string>();
  const gone = new Set(index.entries.filter(({ path }) => !head.byPath.has(path)).map(({ path }) => path));
  other.forEach(({ path }, place) => {
    const read = reads[place]!;
    if (read.kind === "bytes") texts.set(path, read.bytes.toString("utf8"));
    else gone.add(path);
  });
  return { texts, gone };
}
