import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare, callsApi } from "../expressions.ts";
import { calledName, methodOf } from "./places.ts";
import { LOOPS } from "./vocabulary.ts";

const FUNCTIONS = new Set(LOOPS.work.functions);
const METHODS = new Set(LOOPS.work.methods);
const QUEUE_METHODS = new Set(LOOPS.work.queueMethods);
const QUEUE_NAMES = LOOPS.work.queueNames;

/**
 * Whether a call waits for work from outside: a queue, a socket, a stream, a person, an iterator of events. A loop that
 * does so in each round goes round as often as there is work.
 */
export function waitsForWork(facts: ModuleFacts, call: Call): boolean {
  if (callsApi(call, LOOPS.work.apis)) return true;
  const name = calledName(facts, call);
  const method = methodOf(facts, call);
  if (method === null) return FUNCTIONS.has(name) && facts.values[call.callee]?.kind === "name";
  if (METHODS.has(name)) return takesLittle(facts, call, name);
  return QUEUE_METHODS.has(name) && isLikeQueue(facts, method.object) && takesNoKey(facts, call);
}

/** `read(path)` and `select(rows)` of other things name what they want; a source of work is at most told how much. */
function takesLittle(facts: ModuleFacts, call: Call, name: string): boolean {
  if (name !== "read" && name !== "next" && name !== "select" && name !== "take" && name !== "accept" && name !== "receive") return true;
  return call.arguments.every((argument) => {
    const value = facts.values[bare(facts, argument.value)];
    return value?.kind !== "string" && value?.kind !== "template" && value?.kind !== "table";
  });
}

/** A queue is asked for the next item, a table for a key. */
function takesNoKey(facts: ModuleFacts, call: Call): boolean {
  return call.arguments.every((argument) => {
    if (argument.name !== undefined) return true;
    const value = facts.values[bare(facts, argument.value)];
    return value?.kind === "constant" || value?.kind === "number" || value?.kind === "name" || value?.kind === "member";
  });
}

function isLikeQueue(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  const written = value?.kind === "name" ? value.name : value?.kind === "member" ? value.property ?? "" : "";
  const last = written.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase().split(/[_#]+/).filter((word) => word !== "").at(-1) ?? "";
  return QUEUE_NAMES.includes(last) || QUEUE_NAMES.includes(last.replace(/s$/, ""));
}

/** Whether work that was taken is put back where it came from. */
export function putsBack(facts: ModuleFacts, call: Call): boolean {
  const method = methodOf(facts, call);
  return method !== null && LOOPS.putBack.includes(method.name) && isLikeQueue(facts, method.object);
}
