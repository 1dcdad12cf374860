import { functionsOf, valuesReturned } from "@agentgate/parsers";
import type { Call, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { bare, parentsOf } from "../expressions.ts";
import type { Origin } from "./origins.ts";
import { textOf } from "./targets.ts";

/** Choices and brackets around a key. */
const MAX_STEPS = 8;

/**
 * A default that is only a key: `MODELS[model || "large"]`, also in the function that it is handed to
 * (`resolve(model || "large")`). What a constant table has under it is what runs.
 */
export function asTabled(facts: ModuleFacts, origin: Origin): Origin {
  if (origin.facts !== facts || origin.at !== origin.literal) return origin;
  const value = entryChosen(facts, origin.literal, origin.text);
  return value === null ? origin : { ...origin, text: value, isDirect: false };
}

function entryChosen(facts: ModuleFacts, literal: ValueId, key: string): string | null {
  let current = literal;
  for (let step = 0; step < MAX_STEPS; step++) {
    const parent = parentsOf(facts)[current] ?? -1;
    const value = facts.values[parent];
    if (value?.kind === "member") return value.key === current ? entryOf(facts, value.object, key) : null;
    if (value?.kind === "call") {
      const call = facts.calls[value.call]!;
      return tableAsked(facts, call, current, key) ?? resolvedBy(facts, call, current, key);
    }
    if (value?.kind !== "logical" || value.operator === "and") return null;
    current = parent;
  }
  return null;
}

/** `MODELS.get(model or "large")`. */
function tableAsked(facts: ModuleFacts, call: Call, argument: ValueId, key: string): string | null {
  const callee = facts.values[call.callee];
  return callee?.kind === "member" && callee.property === "get" && call.arguments[0]?.value === argument ? entryOf(facts, callee.object, key) : null;
}

/** What a function of the file returns for the key: it looks its parameter up in a table, wherever that has it. */
function resolvedBy(facts: ModuleFacts, call: Call, argument: ValueId, key: string): string | null {
  const [target, ...others] = functionsOf(facts, call.callee);
  const index = call.arguments.findIndex((given) => given.value === argument && given.name === undefined);
  if (target === undefined || others.length > 0 || index < 0) return null;
  const own = facts.functions[target]!;
  const bound = facts.language === "python" && own.class !== -1 && own.static !== true ? 1 : 0;
  for (const returned of valuesReturned(facts, target)) {
    const value = facts.values[bare(facts, returned)];
    const asked = value?.kind === "call" ? calledTable(facts, facts.calls[value.call]!) : value?.kind === "member" && value.key !== null ? { table: value.object, key: value.key } : null;
    if (asked !== null && isParameter(facts, asked.key, target, index + bound)) return entryOf(facts, asked.table, key);
  }
  return null;
}

function calledTable(facts: ModuleFacts, call: Call): { readonly table: ValueId; readonly key: ValueId } | null {
  const callee = facts.values[call.callee];
  const [first] = call.arguments;
  return callee?.kind === "member" && callee.property === "get" && first !== undefined ? { table: callee.object, key: first.value } : null;
}

function isParameter(facts: ModuleFacts, id: ValueId, target: number, index: number): boolean {
  const value = givenTo(facts, id);
  return value?.kind === "parameter" && value.function === target && value.index === index;
}

/** The text that a table which is written out once has under a key. */
function entryOf(facts: ModuleFacts, id: ValueId, key: string): string | null {
  const table = givenTo(facts, id);
  const entry = table?.kind === "table" ? table.entries.findLast((each) => each.key !== null && textOf(facts, each.key) === key) : undefined;
  const text = entry === undefined ? "" : textOf(facts, entry.value);
  return text === "" ? null : text;
}

function givenTo(facts: ModuleFacts, id: ValueId): Value | undefined {
  const first = bare(facts, id);
  const name = facts.values[first];
  if (name?.kind !== "name") return name;
  const binding = facts.bindings[name.binding];
  const [given, ...others] = binding?.values ?? [];
  return given === undefined || others.length > 0 || binding?.rebound === true ? undefined : facts.values[bare(facts, given)];
}
