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

/**
 * Whether a line that is new may put something else in the place of the gate: anything but our own packages by a
 * version of the registry, and further runs of the gate that shadow none.
 */
export function isForeign({ path, text }: Unit): boolean {
  const name = DEPENDENCIES.exec(path)?.[1];
  if (name !== undefined) return !(PACKAGES.has(name) && /^"[~^]?\d+(?:\.[\dx*]+){0,2}(?:-[\w.]+)?"$/.test(text));
  return !RUNNING.test(path) || /^\.scripts\.(?:agentgate|npx)$/.test(path);
}
