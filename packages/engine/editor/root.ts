import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { findRoot } from "../discovery/root.ts";
import type { Root } from "../discovery/root.ts";

/**
 * The root of the tree that a file belongs to, whether the file and its folders exist or not: that of the working
 * directory, unless the file lies outside it. Both paths are absolute.
 */
export function rootOfFile(file: string, cwd: string): Root {
  const home = findRoot(nearestFolder(cwd));
  const relative = path.relative(home.folder, realFile(file));
  return relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative) ? findRoot(nearestFolder(path.dirname(file))) : home;
}

/** A file's path with links in its folders resolved, as roots have it. */
export function realFile(file: string): string {
  const folder = nearestFolder(path.dirname(file));
  return path.join(realpathSync(folder), path.relative(folder, file));
}

function nearestFolder(given: string): string {
  let folder = given;
  while (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) folder = path.dirname(folder);
  return folder;
}
