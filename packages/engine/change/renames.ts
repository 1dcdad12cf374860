import { baseName, comparePaths, endingOf, folderOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";

/** A file that is on one side only. `text` is null where it is no text or too large to compare. */
export interface Loose {
  readonly path: TreePath;
  readonly blob: string;
  readonly text: string | null;
}

/** Two files are one renamed where at least half of the larger one is kept: git's own measure (git-diff manual page, `-M`). */
const SIMILAR = 0.5;
/** More pairs than these are compared by content and name only, as git does past its rename limit. */
const MOST_PAIRS = 40_000;

/**
 * Pairs files that a change deleted with files that it added: those with the same bytes, then the most similar ones.
 * Each file is in one pair at most, and pairs have one language. Returns the old path by the new one.
 */
export function renamesBetween(deleted: readonly Loose[], added: readonly Loose[]): ReadonlyMap<TreePath, TreePath> {
  const renames = new Map<TreePath, TreePath>();
  const gone = new Set<TreePath>();
  const pair = (from: Loose, to: Loose): void => {
    renames.set(to.path, from.path);
    gone.add(from.path);
  };
  for (const to of inOrder(added)) {
    const same = deleted.filter((from) => from.blob === to.blob && !gone.has(from.path) && to.text !== "");
    const from = inOrder(same).sort((one, other) => Number(baseName(other.path) === baseName(to.path)) - Number(baseName(one.path) === baseName(to.path)))[0];
    if (from !== undefined) pair(from, to);
  }
  for (const { from, to } of similarPairs(deleted.filter((one) => !gone.has(one.path)), added.filter((one) => !renames.has(one.path)))) {
    if (!gone.has(from.path) && !renames.has(to.path)) pair(from, to);
  }
  return renames;
}

function inOrder(files: readonly Loose[]): Loose[] {
  return [...files].sort((left, right) => comparePaths(left.path, right.path));
}

interface Pair {
  readonly from: Loose;
  readonly to: Loose;
  readonly score: number;
}

function similarPairs(deleted: readonly Loose[], added: readonly Loose[]): Pair[] {
  const named = deleted.length * added.length > MOST_PAIRS;
  const pairs: Pair[] = [];
  const lines = new Map([...deleted, ...added].map((file) => [file, linesOf(file.text)]));
  for (const from of deleted) {
    for (const to of added) {
      if (languageOf(from.path) !== languageOf(to.path) || (named && stemOf(from.path) !== stemOf(to.path))) continue;
      const kept = similarity(lines.get(from)!, lines.get(to)!);
      // `a.js` that became `a.mjs` is the module that it was, however much of it was written anew.
      const score = isSameModule(from.path, to.path) ? Math.max(kept, SIMILAR) : kept;
      if (score >= SIMILAR) pairs.push({ from, to, score });
    }
  }
  return pairs.sort((one, other) =>
    other.score - one.score || Number(keepsName(other)) - Number(keepsName(one)) || Number(keepsStem(other)) - Number(keepsStem(one)) ||
    comparePaths(one.to.path, other.to.path) || comparePaths(one.from.path, other.from.path));
}

function keepsName({ from, to }: Pair): boolean {
  return baseName(from.path) === baseName(to.path);
}

function keepsStem({ from, to }: Pair): boolean {
  return stemOf(from.path) === stemOf(to.path);
}

const ECMASCRIPT = /^\.[cm]?[jt]sx?$/;

/** The ending; one for JavaScript and TypeScript in all their forms, as a file goes from one to the other with its code. */
function languageOf(path: TreePath): string {
  const ending = endingOf(path);
  return ECMASCRIPT.test(ending) ? "ecmascript" : ending;
}

function stemOf(path: TreePath): string {
  const name = baseName(path);
  return name.slice(0, name.length - endingOf(path).length);
}

function isSameModule(one: TreePath, other: TreePath): boolean {
  return folderOf(one) === folderOf(other) && stemOf(one) === stemOf(other);
}

interface Lines {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

function linesOf(text: string | null): Lines {
  const counts = new Map<string, number>();
  let length = 0;
  for (const line of text === null ? [] : text.split(/\r\n|\n|\r/)) {
    const trimmed = line.trim();
    if (trimmed === "") continue;
    counts.set(trimmed, (counts.get(trimmed) ?? 0) + 1);
    length += trimmed.length;
  }
  return { counts, length };
}

/** The share of the larger text that the other one has too, line by line. */
function similarity(one: Lines, other: Lines): number {
  const larger = Math.max(one.length, other.length);
  if (larger === 0 || Math.min(one.length, other.length) < larger * SIMILAR) return 0;
  let common = 0;
  for (const [line, count] of one.counts) common += Math.min(count, other.counts.get(line) ?? 0) * line.length;
  return common / larger;
}
