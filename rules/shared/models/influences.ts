import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import type { Influence } from "../../rule.ts";
import { modelId } from "./ids.ts";
import { textOf } from "./targets.ts";

/** Exported names that stand for a model: what importers take as a default changes with them. */
export function exportedModels(facts: ModuleFacts): readonly Influence[] {
  return facts.exports.flatMap(({ name, value, span }): Influence[] => {
    if (value === null) return [];
    const texts = textsUnder(facts, value).filter((text) => modelId(text).standing !== "unknown").sort();
    return texts.length === 0 ? [] : [{ name, key: `${name}\0${texts.join("\0")}`, span }];
  });
}

const MOST_TEXTS = 100;

/** The texts of a name, of its table or of its class. */
function textsUnder(facts: ModuleFacts, id: ValueId): readonly string[] {
  const texts: string[] = [];
  const pending = [id];
  const seen = new Set<ValueId>();
  for (let current = pending.pop(); current !== undefined && seen.size < MOST_TEXTS; current = pending.pop()) {
    if (seen.has(current)) continue;
    seen.add(current);
    const value = facts.values[current];
    if (value?.kind === "string") texts.push(textOf(facts, current));
    else if (value?.kind === "name") pending.push(...(facts.bindings[value.binding]?.values ?? []));
    else if (value?.kind === "table") pending.push(...value.entries.map((entry) => entry.value));
    else if (value?.kind === "class") pending.push(...Object.values(facts.classes[value.class]!.attributes).flat());
  }
  return texts;
}
