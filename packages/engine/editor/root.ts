import { statSync } from "node:fs";
import path from "node:path";
import { findRoot } from "../discovery/root.ts";
import type { Root } from "../discovery/root.ts";

/** The root of the tree that a file belongs to, whether the file and its folders exist or not. */
export function rootOfFile(file: string): Root {
  let folder = path.dirname(file);
  while (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) folder = path.dirname(folder);
  return findRoot(folder);
}
