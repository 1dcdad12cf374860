import { commonFolders, comparePaths, endingOf, foldersOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";

/**
 * The path with the fewest folders between it and another one, one of the same ending first: of all modules that lost
 * what one gained, the likeliest source. A package that is built twice has each of its modules twice. Null of none.
 */
export function nearestPath(path: TreePath, candidates: readonly TreePath[]): TreePath | null {
  const folders = foldersOf(path);
  const ranked = candidates.map((one) => ({ path: one, distance: foldersBetween(folders, foldersOf(one)), isOther: Number(endingOf(path) !== endingOf(one)) }));
  const order = (one: Ranked, other: Ranked): number => one.distance - other.distance || one.isOther - other.isOther || comparePaths(one.path, other.path);
  return ranked.length === 0 ? null : ranked.reduce((best, one) => (order(one, best) < 0 ? one : best)).path;
}

interface Ranked {
  readonly path: TreePath;
  readonly distance: number;
  readonly isOther: number;
}

function foldersBetween(left: readonly string[], right: readonly string[]): number {
  return left.length + right.length - 2 * commonFolders(left, right);
}
