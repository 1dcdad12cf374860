import { isAlias, isCollection, isPair, isScalar } from "yaml";
import type { Alias, Document, Node } from "yaml";

/**
 * The node that each alias stands for: the last one before it with its anchor. The library looks through the whole document
 * for every alias, which takes minutes for 20,000.
 */
export function aliasTargets(document: Document): ReadonlyMap<Alias, Node> {
  const anchored = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const open: unknown[] = [document.contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isAlias(node)) {
      const target = anchored.get(node.source);
      if (target !== undefined) targets.set(node, target);
    } else if (isPair(node)) open.push(node.value, node.key);
    else if (isScalar(node) || isCollection(node)) {
      if (node.anchor !== undefined) anchored.set(node.anchor, node);
      if (isCollection(node)) for (const item of node.items.toReversed()) open.push(item);
    }
  }
  return targets;
}
