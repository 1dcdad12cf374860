import type { Handler, ModuleFacts, Statement } from "@agentgate/parsers";
import { callsApi } from "../expressions.ts";
import type { LoopSite } from "./sites.ts";
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

const ENDS = new Set(LOOPS.ends.names);

/** Whether the loop lies in a `try` that waits for the end of an iterator, or leaves by one: `except StopIteration: break`. */
export function endsWithIterator(facts: ModuleFacts, { around, inside }: LoopSite): boolean {
  const saysEnd = (handler: Handler): boolean => handler.types.some((type) => {
    const value = facts.values[type];
    const name = value?.kind === "name" ? value.name : value?.kind === "member" ? value.property : null;
    return name !== null && ENDS.has(name);
  });
  return around.some((statement) => statement.kind === "try" && statement.handlers.some(saysEnd))
    || inside.some((statement) => statement.kind === "try" && statement.handlers.some((handler) => saysEnd(handler) && leaves(handler.body)));
}

function leaves(body: readonly Statement[]): boolean {
  const last = body.at(-1);
  return last?.kind === "return" || (last?.kind === "jump" && last.to === "break");
}
