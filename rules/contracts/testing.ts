import type { ContractContext, EvidenceTree } from "./contract.ts";

/** A tree from the files that a test writes down. */
export function memoryTree(files: Readonly<Record<string, string | Uint8Array>> | ReadonlyMap<string, string | Uint8Array>): EvidenceTree {
  const held = new Map<string, string | Uint8Array>(files instanceof Map ? (files as ReadonlyMap<string, string | Uint8Array>) : Object.entries(files));
  return {
    read: (path) => {
      const found = held.get(path);
      return found === undefined ? { kind: "absent" } : { kind: "file", bytes: typeof found === "string" ? Buffer.from(found) : found };
    },
    list: (folder) => [...held.keys()].filter((path) => folder === "" || path.startsWith(`${folder}/`)).sort(),
  };
}

/** A context over such a tree; `given` replaces what a test cares about. */
export function contextOver(tree: EvidenceTree, given: Partial<ContractContext> = {}): ContractContext {
  return { path: "", tree, now: new Date("2026-12-01T12:00:00Z"), head: "5f1d7a84c6e2b0935d4f8e1a7c3b9d2065e4f1a8", pushedAt: null, environment: new Map(), ...given };
}
