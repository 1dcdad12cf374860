import { comparePaths, endingOf, folderOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";

/**
 * The path with the fewest folders between it and another one, one of the same ending first: of all modules that lost
 * what one gained, the likeliest source. A package that is built twice has each of its modules twice. Null of none.
 */
export function nearestPath(path: TreePath, candidates: readonly TreePath[]): TreePath | null {
  const order = (one: TreePath, other: TreePath): number =>
    foldersBetween(path, one) - foldersBetween(path, other) || Number(endingOf(path) !== endingOf(one)) - Number(endingOf(path) !== endingOf(other)) || comparePaths(one, other);
  return [...candidates].sort(order)[0] ?? null;
}

function foldersBetween(one: TreePath, other: TreePath): number {
  const [left, right] = [foldersOf(one), foldersOf(other)];
  let common = 0;
  while (common < left.length && left[common] === right[common]) common++;
  return left.length + right.length - 2 * common;
}

function foldersOf(path: TreePath): readonly string[] {
  const folder = folderOf(path);
  return folder === "" ? [] : folder.split("/");
}
