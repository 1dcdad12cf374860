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
