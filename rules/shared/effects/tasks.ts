import type { Call, ModuleFacts } from "@agentgate/parsers";
import { originsOf } from "../expressions.ts";
import { chainEnd, receiverOf } from "./chain.ts";

/** What starts work and gives a handle of it; sources: asyncio's and concurrent.futures' own documentation. */
const STARTERS: ReadonlySet<string> = new Set(["create_task", "ensure_future", "run_coroutine_threadsafe", "submit", "run_in_executor"]);
/** What the handle itself does; its result is that of the work. */
const OWN: ReadonlySet<string> = new Set(["cancel", "cancelled", "cancelling", "uncancel", "done", "running", "exception", "add_done_callback", "remove_done_callback", "get_name", "set_name", "get_coro", "get_stack", "print_stack", "get_loop"]);

/** Whether a call is made on the handle of work that was started, not on what the work gives: `task.cancel()`. */
export function isOnTask(facts: ModuleFacts, call: Call): boolean {
  if (facts.language !== "python" || !OWN.has(chainEnd(facts, call.callee))) return false;
  const receiver = receiverOf(facts, call);
  if (receiver === null) return false;
  return originsOf(facts, receiver).values.some((origin) => {
    const value = facts.values[origin]!;
    return value.kind === "call" && STARTERS.has(chainEnd(facts, facts.calls[value.call]!.callee));
  });
}
