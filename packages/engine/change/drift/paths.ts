import type { TreePath } from "../../paths.ts";
import type { ChangeSide } from "../side.ts";

export function leadsTo(side: ChangeSide, from: TreePath, specifier: string, path: TreePath): boolean {
  return fileOf(side, from, specifier) === path;
}

/** The file of a side that a specifier names; null where that is none of its. */
export function fileOf(side: ChangeSide, from: TreePath, specifier: string): TreePath | null {
  const found = side.linker.resolve(from, specifier);
  return found !== null && found !== "missing" && "path" in found ? found.path : null;
}
