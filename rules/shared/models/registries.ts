import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import { parentsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { modelId } from "./ids.ts";
import { textOf } from "./targets.ts";

/** Keys that make a table a registry. */
const LEAST_KEYS = 3;

const registries = onceFor((facts): ReadonlySet<ValueId> => {
  const found = new Set<ValueId>();
  facts.values.forEach((value, id) => {
    if (value.kind !== "table") return;
    let keys = 0;
    for (const { key } of value.entries) {
      if (key === null || modelId(textOf(facts, key)).provider === null) continue;
      keys++;
      if (keys === LEAST_KEYS) break;
    }
    if (keys >= LEAST_KEYS) found.add(id);
  });
  return found;
});

/** Whether an expression stands in a table that is keyed by three or more models: prices, sizes, families. */
export function isInRegistry(facts: ModuleFacts, id: ValueId): boolean {
  const parents = parentsOf(facts);
  let current = id;
  for (let step = 0; step < 100 && current >= 0; step++) {
    if (registries(facts).has(current)) return true;
    current = parents[current] ?? -1;
  }
  return false;
}
