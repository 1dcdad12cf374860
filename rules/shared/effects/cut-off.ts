import type { CallId, ModuleFacts } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "./index.ts";

/**
 * Says that what some calls do was not searched to its end, as a sentence to put behind a message; empty where it was. The
 * first of the calls that was cut off is named.
 */
export function cutOffNote(facts: ModuleFacts, context: RuleContext, calls: readonly CallId[]): string {
  const effects = effectsOf(facts, context);
  // Only what was asked about is known to be cut off.
  for (const call of calls) effects.reachedBy(call);
  const cut = new Set(effects.cutOff);
  const call = calls.find((each) => cut.has(each));
  return call === undefined ? "" : ` The search for effects behind ${nameOf(facts, call)} stopped at its bound, so that it may do more than this.`;
}

function nameOf(facts: ModuleFacts, call: CallId): string {
  const callee = facts.values[facts.calls[call]!.callee];
  const name = callee?.kind === "name" ? callee.name : callee?.kind === "member" ? callee.property ?? "" : "";
  return name === "" ? "a call" : name;
}
