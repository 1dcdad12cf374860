import { functionsOf } from "@agentgate/parsers";
import type { CallId, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { consumerOf } from "../consumers.ts";
import { callsWrittenIn, resultOf } from "../indexes.ts";
import { parentsOf } from "../expressions.ts";
import { isLogger } from "../keys/names.ts";
import { isLimitedAround } from "./around.ts";
import { lastName } from "./options.ts";
import { treatmentOf } from "./made.ts";

/** Whether the client that a call makes is used in the file, and something around each of its calls limits that: `wait_for(client.generate(…), 5)`. */
export function areCallsLimitedAround(facts: ModuleFacts, id: CallId): boolean {
  const made = treatmentOf(facts).calls.get(resultOf(facts, id)) ?? [];
  return made.length > 0 && made.every(({ call }) => isLimitedAround(facts, call));
}

const CHAINED = new Set(["then", "catch", "finally"]);
const MOST_STEPS = 16;

/**
 * Whether nothing waits for what a call gives: a promise that the statement drops, and of which no more is done than to log
 * how it went (`post(…).catch((error) => log.debug(error))`).
 */
export function isLetGo(facts: ModuleFacts, id: CallId): boolean {
  // A function among the arguments waits for the answer.
  if (facts.language !== "ecmascript" || facts.calls[id]!.arguments.some(({ value }) => functionsOf(facts, value).length > 0)) return false;
  let current = id;
  for (let step = 0; step < MOST_STEPS; step++) {
    if (facts.calls[current]!.awaited === true) return false;
    const result = resultOf(facts, current);
    const parent = parentsOf(facts)[result] ?? -1;
    if (parent === -1) return consumerOf(facts, result)?.kind === "expression";
    const next = chainedCall(facts, parent, result);
    if (next === null || !facts.calls[next]!.arguments.every(({ value }) => onlyLogs(facts, value))) return false;
    current = next;
  }
  return false;
}

/** The call of `then` on a promise. */
function chainedCall(facts: ModuleFacts, member: ValueId, promise: ValueId): CallId | null {
  const value = facts.values[member];
  if (value?.kind !== "member" || value.object !== promise || !CHAINED.has(value.property ?? "")) return null;
  const around = facts.values[parentsOf(facts)[member] ?? -1];
  return around?.kind === "call" && facts.calls[around.call]!.callee === member ? around.call : null;
}

function onlyLogs(facts: ModuleFacts, handler: ValueId): boolean {
  const functions = functionsOf(facts, handler);
  return functions.length === 0 ? isLogger(lastName(facts, handler)) : functions.every((each) => logsOnly(facts, each));
}

function logsOnly(facts: ModuleFacts, id: FunctionId): boolean {
  const { body } = facts.functions[id]!;
  const isPlain = body.every(({ kind }) => kind === "call" || kind === "expression" || kind === "test" || kind === "return");
  return isPlain && callsWrittenIn(facts, id).every((call) => isLogger(lastName(facts, facts.calls[call]!.callee)));
}
