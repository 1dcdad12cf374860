import type { ModuleFacts } from "@agentgate/parsers";
import { decodeFacts } from "../facts-json.ts";
import type { TreePath } from "../paths.ts";

/**
 * Characters of JSON whose facts are kept as objects. Objects take some three times the memory of their text, and
 * most modules are looked at once: a whole tree of them would not fit, and keeping them costs more than reading again.
 */
const KEPT_CHARACTERS = 160 * 1024 * 1024;

/** The facts of a tree's modules: as text, and as objects for those looked at last. */
export class FactsStore {
  readonly #texts = new Map<TreePath, string>();
  /** The one looked at longest ago first. */
  readonly #kept = new Map<TreePath, ModuleFacts>();
  #characters = 0;

  /** Keeps what a child sent. */
  addText(path: TreePath, text: string): void {
    this.#texts.set(path, text);
  }

  /** Keeps facts that were made here, for good. */
  addFacts(path: TreePath, facts: ModuleFacts): void {
    this.#kept.set(path, facts);
  }

  get(path: TreePath): ModuleFacts | null {
    const kept = this.#kept.get(path);
    const text = this.#texts.get(path);
    if (text === undefined) return kept ?? null;
    const facts = kept ?? decodeFacts(text);
    if (kept === undefined) this.#characters += text.length;
    this.#kept.delete(path);
    this.#kept.set(path, facts);
    if (this.#characters > KEPT_CHARACTERS) this.#forget(path);
    return facts;
  }

  #forget(current: TreePath): void {
    for (const path of this.#kept.keys()) {
      const text = this.#texts.get(path);
      if (path === current || text === undefined) continue;
      this.#kept.delete(path);
      this.#characters -= text.length;
      if (this.#characters <= KEPT_CHARACTERS) return;
    }
  }
}
