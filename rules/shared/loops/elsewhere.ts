import { valuesReturned } from "@agentgate/parsers";
import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { onceFor } from "../indexes.ts";
import type { Elsewhere } from "./bounds.ts";

/** The call whose callee an expression is. */
const callOfCallee = onceFor((facts): ReadonlyMap<ValueId, CallId> => new Map(facts.calls.map((call, id) => [call.callee, id])));

/** What a getter of another module of the tree gives: `config.getMaxTurns()`. */
export function elsewhereIn(facts: ModuleFacts, context: RuleContext): Elsewhere {
  return (of, id) => {
    const call = of === facts ? callOfCallee(of).get(id) : undefined;
    if (call === undefined) return [];
    return effectsOf(facts, context).callees(call).flatMap((callee) => valuesReturned(callee.facts, callee.function).map((value) => ({ facts: callee.facts, value })));
  };
}
