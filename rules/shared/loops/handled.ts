import type { CallId, ModuleFacts, Statement } from "@agentgate/parsers";
import { alwaysLeaves, callPlaces, statementsIn } from "../statements.ts";
import { handlerAt } from "./flow.ts";
import type { Turn } from "./flow.ts";

/** What the handler on the way does with the error where the function comes back to itself in it, as a phrase; null where it does not. */
export function comingBackIn(facts: ModuleFacts, inside: readonly Statement[], turn: Turn | null, call: CallId, isTimer: boolean): string | null {
  const handler = turn === null ? undefined : handlerAt(inside, turn);
  if (handler === undefined || !statementsIn(handler.body).some((statement) => statement.kind === "call" && statement.call === call)) return null;
  const { function: id } = facts.calls[call]!;
  const name = facts.functions[id]?.name ?? "";
  const subject = name === "" ? "the function" : name;
  return `${isTimer ? `has ${subject} called again` : `calls ${subject} again`}${raisesAfter(facts, call, handler.body) ? " and raises an error after that" : ""}`;
}

/** Whether what stands after the call, up to the end of the handler, ends in an error. */
function raisesAfter(facts: ModuleFacts, call: CallId, handler: readonly Statement[]): boolean {
  for (let place = callPlaces(facts, facts.calls[call]!.function).get(call) ?? null; place !== null; place = place.above) {
    const rest = place.body.slice(place.index + 1);
    if (alwaysLeaves(rest)) {
      const last = rest.at(-1);
      return last?.kind === "jump" && last.to === "raise" && !statementsIn(rest).some((statement) => statement.kind === "return");
    }
    if (place.body === handler) return false;
  }
  return false;
}
