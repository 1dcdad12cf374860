import type { Located } from "../../policy/located.ts";
import { dataUnits } from "./units.ts";
import type { Unit } from "./units.ts";

/** Ours, as a registry has them. */
const PACKAGES = new Set(["@agentgate/cli", "eslint-plugin-agentgate"]);
const DEPENDENCIES = /^\.(?:dependencies|devDependencies|optionalDependencies|peerDependencies)\.(.+)$/;

/** What a package manifest says of the gate; where it lies and what it is called does not matter. */
export function manifestUnits(root: Located): Unit[] {
  return dataUnits(root, () => false).filter(({ path }) => !/^\.(?:name|description|keywords|homepage|repository|bugs|author|license)\b/.test(path));
}

/** Keys whose entries run programs: one that runs the gate adds a run. */
const RUNNING = /^\.(?:scripts|lint-staged|husky|simple-git-hooks|pre-commit|pre-push)\b/;

/** What only a registry answers: versions, ranges of them, and the tags that it keeps itself. `file:`, `npm:` and URLs lead elsewhere. */
const VERSION = String.raw`(?:[~^=]|[<>]=?)?\s?v?(?:\d+|[xX*])(?:\.(?:\d+|[xX*])){0,2}(?:[-+][\w.+-]+)?`;
const OF_REGISTRY = new RegExp(String.raw`^"(?:latest|next|${VERSION}(?:(?: - | \|\| | )${VERSION}){0,7})"$`);

/**
 * Whether a line that is new may put something else in the place of the gate: anything but our own packages by a
 * version of the registry, and further runs of the gate that shadow none.
 */
export function isForeign({ path, text }: Unit): boolean {
  const name = DEPENDENCIES.exec(path)?.[1];
  if (name !== undefined) return !(PACKAGES.has(name) && OF_REGISTRY.test(text));
  return !RUNNING.test(path) || /^\.scripts\.(?:agentgate|npx)$/.test(path);
}

/** Why a dependency that is new is reported, as the end of a sentence; null for any other line. */
export function foreignSource({ path }: Unit): string | null {
  const name = DEPENDENCIES.exec(path)?.[1];
  if (name === undefined) return null;
  return PACKAGES.has(name) ? "does not come from the registry by a version" : "is a package of its own that carries the gate's name";
}
