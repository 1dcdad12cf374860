import { constantsOf, referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { apiName, originsOf } from "../expressions.ts";
import { receiverOf } from "./chain.ts";
import { optionOf } from "./verbs.ts";
import { BARE_MEMORY, MEMORY_PACKAGES, MEMORY_PLACES } from "./vocabulary.ts";

const PLACE_OPTIONS = ["url", "location", "path", "filename"];
/** A client, a collection of it, a cursor, and what that gives. */
const MOST_STEPS = 6;

/** Whether all that a call can be made on comes of a store that was made in memory: `sqlite3.connect(":memory:")`. */
export function isOnMemoryStore(facts: ModuleFacts, call: Call): boolean {
  const receiver = receiverOf(facts, call);
  return receiver !== null && isOfMemoryStore(facts, receiver, MOST_STEPS);
}

function isOfMemoryStore(facts: ModuleFacts, id: ValueId, depth: number): boolean {
  const { values, complete } = originsOf(facts, id);
  // `self.client = None` is no client yet.
  const given = values.filter((origin) => facts.values[origin]!.kind !== "constant");
  return depth > 0 && complete && given.length > 0 && given.every((origin) => {
    const value = facts.values[origin]!;
    if (value.kind === "member") return isOfMemoryStore(facts, value.object, depth - 1);
    if (value.kind !== "call") return false;
    const made = facts.calls[value.call]!;
    const receiver = receiverOf(facts, made);
    return isMadeInMemory(facts, made) || (receiver !== null && isOfMemoryStore(facts, receiver, depth - 1));
  });
}

function isMadeInMemory(facts: ModuleFacts, call: Call): boolean {
  const references = referencesOf(facts, call.callee);
  if (references.some(({ module }) => MEMORY_PACKAGES.has(module.split(".")[0]!))) return true;
  if (call.arguments.length === 0) return references.some((reference) => BARE_MEMORY.has(apiName(reference)));
  const named = PLACE_OPTIONS.flatMap((option) => optionOf(facts, call, option) ?? []);
  return [...call.arguments.map(({ value }) => value), ...named].some((value) => {
    const constants = constantsOf(facts, value);
    return constants !== null && constants.length > 0 && constants.every((constant) => typeof constant.value === "string" && MEMORY_PLACES.has(constant.value));
  });
}
