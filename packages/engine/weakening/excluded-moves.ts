import type { ChangedFile } from "../change/change.ts";
import { excluder } from "../discovery/exclude.ts";
import { kindOfName } from "../discovery/kind.ts";
import type { TreePath } from "../paths.ts";
import { basePathOf } from "./input.ts";
import type { WeakeningInput } from "./input.ts";
import { FIRST_LINE, fileWeakening } from "./record.ts";
import type { Weakening } from "./weakening.ts";

/** Source files that the change moves from where they are judged to where the policy excludes them. */
export function excludedMoveWeakenings({ difference, policy }: Pick<WeakeningInput, "difference" | "policy">): Weakening[] {
  const excludedBy = excluder(policy.exclude);
  const isSource = (path: TreePath): boolean => {
    const { kind } = kindOfName(path);
    return kind === "judged" || (kind === "unknown" && difference.base.facts(path) !== null);
  };
  return difference.files.flatMap((file) => {
    const glob = excludedBy(file.path);
    if (glob === null || file.status === "deleted") return [];
    const from = cameFrom(file, difference.files).find((path) => excludedBy(path) === null && isSource(path));
    if (from === undefined) return [];
    const message = `${from} was judged and is now ${file.path}, which ${glob} excludes. Leave it where it is judged, or have the owner of the code accept it.`;
    return [fileWeakening(file, { kind: "moved-into-excluded", at: FIRST_LINE, message, subject: from })];
  });
}

/** Where a file lay: git's rename, or files of the same content that went, since git may not have looked for renames. */
function cameFrom(file: ChangedFile, files: readonly ChangedFile[]): TreePath[] {
  if (file.status === "renamed") return [basePathOf(file)];
  if (file.status !== "added" || file.headBlob === null) return [];
  return files.filter((one) => one.status === "deleted" && one.baseBlob === file.headBlob).map((one) => one.path);
}
