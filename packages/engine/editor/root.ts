import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { POLICY_FILE, exists, findRoot, isBelow } from "../discovery/root.ts";
import type { Root } from "../discovery/root.ts";

/** What stands at the root of a project. */
const MANIFESTS = ["package.json", "pyproject.toml", "setup.py", "setup.cfg", "deno.json"];

/**
 * The root of the tree that a file belongs to, whether the file and its folders exist or not: that of the working
 * directory, unless the file lies outside it. A working directory that is neither a repository nor has a policy may be any
 * folder, a home folder among them; then it is the file's own repository, policy or project, if it has one. Both paths are
 * absolute.
 */
export function rootOfFile(file: string, cwd: string): Root {
  const home = findRoot(nearestFolder(cwd));
  const own = folderOfFile(file);
  if (!isBelow(home.folder, own)) return findRoot(own);
  return isMarked(home) ? home : ownRoot(own, home);
}

/** The root of a file by itself, whatever lies around its folder. */
export function rootOfFolder(file: string): Root {
  return { folder: folderOfFile(file), git: false };
}

function ownRoot(folder: string, home: Root): Root {
  const found = findRoot(folder);
  if (isMarked(found)) return found;
  for (let parent = folder; isBelow(home.folder, parent); parent = path.dirname(parent)) {
    if (MANIFESTS.some((name) => exists(path.join(parent, name)))) return { folder: parent, git: false };
    if (parent === home.folder) break;
  }
  return home;
}

function isMarked({ folder, git }: Root): boolean {
  return git || exists(path.join(folder, POLICY_FILE));
}

function folderOfFile(file: string): string {
  return realpathSync(nearestFolder(path.dirname(file)));
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
