import type { TreePath } from "../paths.ts";
import type { ChangeSide } from "./side.ts";

/** The links that show something else at head than at the base, whatever of the change did that. */
export function movedLinks(base: Pick<ChangeSide, "discovery">, head: Pick<ChangeSide, "discovery">): TreePath[] {
  const [before, now] = [base.discovery.links, head.discovery.links];
  return [...new Set([...before.keys(), ...now.keys()])].filter((path) => before.get(path) !== now.get(path));
}
