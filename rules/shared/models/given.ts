import type { Call, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import { argumentOf } from "../arguments.ts";
import { onceFor } from "../indexes.ts";
import { textOf } from "./targets.ts";

/** What a call is given as its model, and under which name. */
export interface Given {
  readonly value: ValueId;
  readonly name: string;
}

/** A deployment decides what runs: a model beside it only tells what that one can do. */
const NAMES = [...words.deploymentArguments, ...words.modelArguments];
const RANKS = new Map(NAMES.map((name, rank) => [name, rank]));

/** Of each table the entry that decides, under one of the names by which clients take a model. */
export const modelEntries = onceFor((facts): ReadonlyMap<ValueId, Given> => {
  const found = new Map<ValueId, Given>();
  facts.values.forEach((table, id) => {
    const entry = table.kind === "table" ? entryIn(facts, table) : null;
    if (entry !== null) found.set(id, entry);
  });
  return found;
});

function entryIn(facts: ModuleFacts, table: Extract<Value, { kind: "table" }>): Given | null {
  let best: Given | null = null;
  for (const { key, value } of table.entries) {
    const name = key === null ? "" : textOf(facts, key);
    const rank = RANKS.get(name);
    if (rank !== undefined && !isNothing(facts, value) && (best === null || rank < RANKS.get(best.name)!)) best = { value, name };
  }
  return best;
}

/** The argument of a call that decides, under one of the names by which clients take a model. */
export function modelArgument(facts: ModuleFacts, call: Call): Given | null {
  if (!call.arguments.some(({ name, value }) => (name === undefined ? modelEntries(facts).has(value) : RANKS.has(name)))) return null;
  for (const name of NAMES) {
    const given = argumentOf(facts, call, null, name);
    if (typeof given === "number" && !isNothing(facts, given)) return { value: given, name };
  }
  return null;
}

/** `None`, `null`, `undefined`: the argument is left out. */
function isNothing(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  return value?.kind === "constant" && value.value !== true && value.value !== false;
}
