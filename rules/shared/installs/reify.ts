import { occurrencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import data from "../../data/package-installs.json" with { type: "json" };
import { callsApi, originsOf, parentsOf } from "../expressions.ts";

type Table = Extract<Value, { kind: "table" }>;

const { apis, adds, removes, locked, readsLock } = data.reifying;

/**
 * Whether a call of a package manager's module brings nothing that is not locked: it only takes packages away, or puts
 * back what a lock file says that the module has read before.
 */
export function bringsNothingNew(facts: ModuleFacts, call: Call): boolean {
  const [given] = call.arguments;
  if (given === undefined || given.name !== undefined || !callsApi(call, apis)) return false;
  const { values, complete } = originsOf(facts, given.value);
  const options = facts.values[values[0] ?? -1];
  if (!complete || values.length !== 1 || options?.kind !== "table" || isAddedTo(facts, given.value)) return false;
  if (adds.some((name) => entryOf(facts, options, name) !== undefined)) return false;
  return removes.some((name) => entryOf(facts, options, name) !== undefined) || isLocked(facts, options);
}

/** The lock file is taken, is not written, and was read before: without one that read fails. */
function isLocked(facts: ModuleFacts, options: Table): boolean {
  const isSet = Object.entries(locked).every(([name, wanted]) => {
    const value = entryOf(facts, options, name);
    return value?.kind === "constant" && value.value === wanted;
  });
  return isSet && facts.calls.some((call) => callsApi(call, readsLock));
}

function entryOf(facts: ModuleFacts, { entries }: Table, name: string): Value | undefined {
  const entry = entries.findLast(({ key }) => {
    const text = key === null ? undefined : facts.values[key];
    return text?.kind === "string" && text.value === name;
  });
  return entry === undefined ? undefined : facts.values[entry.value];
}

/** Whether the options are given more by name: `options.add = …`. */
function isAddedTo(facts: ModuleFacts, id: ValueId): boolean {
  const name = facts.values[id];
  return name?.kind === "name" && occurrencesOf(facts, name.binding).some((use) => {
    const around = facts.values[parentsOf(facts)[use] ?? -1];
    return around?.kind === "member" && (around.property === null || adds.includes(around.property));
  });
}
