import type { Capability, CapabilityEntry } from "./capability.ts";
import type { Classification } from "./classify.ts";
import type { CatalogueName } from "./names.ts";

/**
 * What agentgate.yml says of a name, or null. The longest addition that covers the name wins. A package of which only
 * members were added is mixed: importing it says nothing and what was not added is pure.
 */
export function additionFor(
  name: CatalogueName,
  additions: readonly CapabilityEntry[],
  root: string,
  api: string,
): Classification | null {
  const covering = longestCovering(name, additions);
  if (covering !== null) {
    if (covering.capability === "pure") return { kind: "pure", root, mixed: false };
    const exact = name.spellings.includes(covering.api);
    return { kind: "capability", capabilities: [covering.capability], root, api, mixed: false, exact };
  }
  return null;
}

/** What a package is by additions of its members alone, where the shipped catalogue does not hold it. */
export function describedPackage(
  name: CatalogueName,
  additions: readonly CapabilityEntry[],
  root: string,
  api: string,
): Classification | null {
  const below = (prefix: string): CapabilityEntry[] => additions.filter((entry) => plain(entry.api).startsWith(`${prefix}.`));
  if (below(root).length === 0) return null;
  const members = name.spellings.flatMap(below);
  const capabilities = [...new Set(members.map((entry) => entry.capability))].filter((one): one is Capability => one !== "pure");
  if (capabilities.length === 0) return { kind: "pure", root, mixed: true };
  return { kind: "capability", capabilities, root, api, mixed: true, exact: false };
}

function longestCovering(name: CatalogueName, additions: readonly CapabilityEntry[]): CapabilityEntry | null {
  let best: CapabilityEntry | null = null;
  for (const entry of additions) {
    const api = plain(entry.api);
    const covers = name.spellings.some((spelling) => spelling === api || spelling.startsWith(`${api}.`));
    if (covers && (best === null || api.length >= plain(best.api).length)) best = entry;
  }
  return best;
}

function plain(api: string): string {
  return api.startsWith("node:") ? api.slice(5) : api;
}
