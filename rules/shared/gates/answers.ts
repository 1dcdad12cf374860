import type { Tree } from "../../rule.ts";

/**
 * Answers about a tree, kept unless something was lacking when they were worked out: what a change has not read yet is
 * asked for again, so that whoever needs it is seen to need it.
 */
export class Answers<K, T> {
  private readonly known = new Map<K, T>();
  private readonly tree: Pick<Tree, "unanswered">;

  constructor(tree: Pick<Tree, "unanswered">) {
    this.tree = tree;
  }

  of(key: K, work: () => T): T {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const before = this.unanswered();
    const found = work();
    if (this.unanswered() === before) this.known.set(key, found);
    return found;
  }

  private unanswered(): number {
    return this.tree.unanswered?.() ?? 0;
  }
}
