import type { Reference } from "@agentgate/parsers";
import type { Capability, CapabilityEntry } from "./capability.ts";

/** What is known of a call's arguments when an API's capability depends on them (`open` by its mode). */
export interface ArgumentsView {
  /**
   * The constant alternatives of the argument at `index` or with keyword or option `name`;
   * `"absent"` where it is not given, `null` where it does not fold.
   */
  constants(index: number | null, name: string | null): readonly (string | number | boolean | null)[] | "absent" | null;
}

export interface Classified {
  readonly kind: "capability";
  readonly capabilities: readonly Capability[];
  /** The API root: top-level package, `node:` dropped, `/promises` folded. */
  readonly root: string;
  /** As shown to people: `httpx.post`, `node:fs.writeFile`. */
  readonly api: string;
  /** True where importing the module says nothing, its members decide. */
  readonly mixed: boolean;
  /** True where exactly this path (not only its module) is in the catalogue. */
  readonly exact: boolean;
}

export type Classification =
  | Classified
  /** In the catalogue, and does no I/O; `mixed`: the module has members that do. */
  | { readonly kind: "pure"; readonly root: string; readonly mixed: boolean }
  /** A third-party package that the catalogue does not hold. */
  | { readonly kind: "unclassified"; readonly root: string };

/**
 * What an API is. `additions` (from agentgate.yml) win over the shipped data, longer names over shorter ones.
 * `call` is given where the reference is called.
 */
export function classify(
  language: "python" | "ecmascript",
  reference: Reference,
  additions: readonly CapabilityEntry[] = [],
  call?: ArgumentsView,
): Classification {
  void language; void additions; void call;
  return { kind: "unclassified", root: reference.module };
}
