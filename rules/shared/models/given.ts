import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import { argumentOf } from "../arguments.ts";
import { originsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { isReplacedLater, mayHold, mergedParts } from "./merged.ts";
import type { Part } from "./merged.ts";

/** What a call is given as its model, and under which name. */
export interface Given {
  readonly value: ValueId;
  readonly name: string;
  /** What is put into the options after it may replace it. */
  readonly isDefault?: true;
}

/** A deployment decides what runs: a model beside it only tells what that one can do. */
const NAMES = [...words.deploymentArguments, ...words.modelArguments];
const RANKS = new Map(NAMES.map((name, rank) => [name, rank]));

/** Of options as they are written out the entry that decides, under one of the names by which clients take a model. */
export const modelEntries = onceFor((facts): ReadonlyMap<ValueId, Given> => {
  const found = new Map<ValueId, Given>();
  facts.values.forEach((_, id) => {
    const parts = mergedParts(facts, id);
    const entry = parts === null ? null : entryIn(facts, id, parts);
    if (entry !== null) found.set(id, entry);
  });
  return found;
});

function entryIn(facts: ModuleFacts, options: ValueId, parts: readonly Part[]): Given | null {
  let best: Given | null = null;
  for (const [index, { name, value }] of parts.entries()) {
    const rank = name === null ? undefined : RANKS.get(name);
    if (rank === undefined || isNothing(facts, value) || (best !== null && rank >= RANKS.get(best.name)!)) continue;
    best = replaceable(facts, { value, name: name! }, parts.slice(index + 1), options);
  }
  return best;
}

function replaceable(facts: ModuleFacts, given: Given, later: readonly Part[], options: ValueId): Given {
  const isDefault = later.some(({ name, value }) => name === null && mayHold(facts, value, given.name)) || isReplacedLater(facts, options, given.name);
  return isDefault ? { ...given, isDefault } : given;
}

const DEEPEST = 4;

/** The entry of options that are put together from others, of which the last one that has it decides. */
export function givenIn(facts: ModuleFacts, id: ValueId, depth = 0): Given | null {
  if (depth > DEEPEST) return null;
  for (const origin of originsOf(facts, id).values) {
    const parts = mergedParts(facts, origin) ?? [];
    const entry = modelEntries(facts).get(origin);
    if (entry !== undefined) return entry;
    for (const [index, { name, value }] of [...parts.entries()].toReversed()) {
      const inner = name === null ? givenIn(facts, value, depth + 1) : null;
      if (inner !== null) return inner.isDefault === true ? inner : replaceable(facts, inner, parts.slice(index + 1), origin);
    }
  }
  return null;
}

/** The argument of a call that decides, under one of the names by which clients take a model. */
export function modelArgument(facts: ModuleFacts, call: Call): Given | null {
  if (!call.arguments.some(({ name, value }) => (name === undefined ? modelEntries(facts).has(value) : RANKS.has(name)))) return null;
  for (const name of NAMES) {
    const given = argumentOf(facts, call, null, name);
    if (typeof given === "number" && !isNothing(facts, given)) return entryOf(facts, call, given) ?? { value: given, name };
  }
  return null;
}

function entryOf(facts: ModuleFacts, call: Call, given: ValueId): Given | undefined {
  return call.arguments.map(({ value }) => modelEntries(facts).get(value)).find((entry) => entry?.value === given);
}

/** `None`, `null`, `undefined`: the argument is left out. */
function isNothing(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  return value?.kind === "constant" && value.value !== true && value.value !== false;
}
