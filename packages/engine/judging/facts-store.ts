import type { ModuleFacts } from "@agentgate/parsers";
import { decodeFacts } from "../facts-code.ts";
import type { TreePath } from "../paths.ts";

/**
 * Encoded bytes whose facts are kept as objects. Objects take some twenty times the memory of their bytes, and most
 * modules are looked at once: a whole tree of them would not fit, and keeping them costs more than reading again.
 */
const KEPT_BYTES = 20 * 1024 * 1024;

/** The facts of a tree's modules: encoded, and as objects for those looked at last. */
export class FactsStore {
  readonly #encoded = new Map<TreePath, Uint8Array>();
  /** The one looked at longest ago first. */
  readonly #kept = new Map<TreePath, ModuleFacts>();
  #bytes = 0;

  /** Keeps what a child sent, or a cache held. */
  addBytes(path: TreePath, encoded: Uint8Array): void {
    this.#encoded.set(path, encoded);
  }

  /** Keeps facts that were made here, for good. */
  addFacts(path: TreePath, facts: ModuleFacts): void {
    this.#kept.set(path, facts);
  }

  get(path: TreePath): ModuleFacts | null {
    const kept = this.#kept.get(path);
    const encoded = this.#encoded.get(path);
    if (encoded === undefined) return kept ?? null;
    const facts = kept ?? decodeFacts(encoded);
    if (kept === undefined) this.#bytes += encoded.length;
    this.#kept.delete(path);
    this.#kept.set(path, facts);
    if (this.#bytes > KEPT_BYTES) this.#forget(path);
    return facts;
  }

  #forget(current: TreePath): void {
    for (const path of this.#kept.keys()) {
      const encoded = this.#encoded.get(path);
      if (path === current || encoded === undefined) continue;
      this.#kept.delete(path);
      this.#bytes -= encoded.length;
      if (this.#bytes <= KEPT_BYTES) return;
    }
  }
}
