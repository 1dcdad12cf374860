import type { Span } from "@agentgate/parsers";
import type { RuleInfluence, View } from "./view.ts";

/**
 * Where a module differs, at head, in what the verdict on its importers may depend on: what it has that a merge base
 * lacked first, then what stands for what it lost. Null where nothing differs; empty where no place at head tells.
 */
export function influenceChange(head: View, bases: readonly (View | null)[]): readonly Span[] | null {
  let differs = false;
  const spans: Span[] = [];
  for (const base of bases) {
    const [now, before] = [counted(head.influences), counted(base?.influences ?? [])];
    const more = head.influences.filter((one) => (now.get(keyOf(one)) ?? 0) > (before.get(keyOf(one)) ?? 0));
    const lost = (base?.influences ?? []).filter((one) => (before.get(keyOf(one)) ?? 0) > (now.get(keyOf(one)) ?? 0));
    differs ||= more.length > 0 || lost.length > 0;
    spans.push(...more.map(({ span }) => span), ...lost.flatMap(({ name }) => spanOf(head, name) ?? []));
  }
  return differs ? spans : null;
}

function counted(influences: readonly RuleInfluence[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of influences) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
}

function keyOf({ rule, name, key }: RuleInfluence): string {
  return `${rule}\0${name}\0${key}`;
}

/** Where a name stands at head: an influence of it, its export, or the function that it names. */
function spanOf({ influences, module: { facts } }: View, name: string): readonly Span[] | null {
  const last = name.slice(name.lastIndexOf(".") + 1);
  const span = influences.find((one) => one.name === name)?.span ?? facts.functions.find((one) => one.name === last)?.nameSpan ?? facts.exports.find((one) => one.name === name)?.span;
  return span === undefined ? null : [span];
}
