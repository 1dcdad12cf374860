import type { ModuleFacts, ValueId } from "@agentgate/parsers";

const MOST_PARTS = 100;

/** What an assignment gives its value to: of a pattern (`a, b = …`, `{ a, b } = …`) the names and members in it. */
export function partsOf(facts: ModuleFacts, target: ValueId): readonly ValueId[] {
  const parts: ValueId[] = [];
  const pending = [target];
  while (pending.length > 0 && parts.length < MOST_PARTS) {
    const id = pending.pop()!;
    const value = facts.values[id];
    if (value?.kind === "list") pending.push(...value.items);
    else if (value?.kind === "table") pending.push(...value.entries.map((entry) => entry.value));
    else if (value?.kind === "spread") pending.push(value.value);
    else parts.push(id);
  }
  return parts;
}
