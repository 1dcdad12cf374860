import type { ModuleFacts, Statement } from "@agentgate/parsers";
import { callsApi } from "../expressions.ts";
import { LOOPS } from "./vocabulary.ts";

/** Whether one of the statements around the loop limits its time: `async with asyncio.timeout(60)`. */
export function isTimeLimited(facts: ModuleFacts, around: readonly Statement[]): boolean {
  return around.some((statement) => statement.kind === "with" && statement.items.some((item) => {
    const value = facts.values[item];
    const call = value?.kind === "call" ? facts.calls[value.call] : undefined;
    if (call === undefined || !callsApi(call, LOOPS.limits.contexts)) return false;
    const limit = facts.values[call.arguments[0]?.value ?? -1];
    return limit !== undefined && !(limit.kind === "constant" && limit.value === null);
  }));
}

/** Whether the loop lies in a `try` that waits for the end of an iterator: `except StopIteration`. */
export function endsWithIterator(facts: ModuleFacts, around: readonly Statement[]): boolean {
  return around.some((statement) => statement.kind === "try" && statement.handlers.some((handler) => handler.types.some((type) => {
    const value = facts.values[type];
    return value?.kind === "name" && (value.name === "StopIteration" || value.name === "StopAsyncIteration");
  })));
}
