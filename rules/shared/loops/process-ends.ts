import type { CallId, ModuleFacts, Statement } from "@agentgate/parsers";
import { bare, callsApi } from "../expressions.ts";
import { alwaysLeaves } from "../statements.ts";
import { LOOPS } from "./vocabulary.ts";

type Body = readonly Statement[];

/** Whether nothing is run after a call. */
export type Ends = (call: CallId) => boolean;

/** Whether a call ends the process: `sys.exit(1)`, `process.exit(1)`. */
export function endsProcess(facts: ModuleFacts, id: CallId): boolean {
  return callsApi(facts.calls[id]!, LOOPS.processEnds.apis);
}

/** Whether each run of a body leaves it: by a jump, a return, or a call that nothing is run after. */
export function leavesAlways(facts: ModuleFacts, body: Body, ends: Ends = (call) => endsProcess(facts, call)): boolean {
  return alwaysLeaves(body, (statement) => {
    const value = statement.kind === "expression" ? facts.values[bare(facts, statement.value)] : undefined;
    return value?.kind === "call" && ends(value.call);
  });
}

/** Whether each run of a body leaves the loop around it, and not for the next round. */
export function leavesForGood(facts: ModuleFacts, body: Body, ends?: Ends): boolean {
  const last = body.at(-1);
  return leavesAlways(facts, body, ends) && !(last?.kind === "jump" && last.to === "continue");
}
