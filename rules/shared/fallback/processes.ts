import type { FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import listed from "../../data/deny-hosts.json" with { type: "json" };
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { callsIn } from "../effects/links.ts";
import { onceFor } from "../indexes.ts";

const STARTS = new Set(listed.starts.calls);

/** Whether the function around an address starts a process that runs on: a server of the program's own, which the address reaches. */
export function isOwnProcess(facts: ModuleFacts, context: RuleContext, address: ValueId): boolean {
  const [start, end] = facts.values[address]!.span;
  return facts.functions.some(({ span }, id) => id > 0 && span[0] <= start && end <= span[1] && startsProcess(facts, context, id));
}

const known = onceFor(() => new Map<FunctionId, boolean>());

/** Whether a function starts a process by itself or through functions that it calls. */
function startsProcess(facts: ModuleFacts, context: RuleContext, id: FunctionId): boolean {
  const effects = effectsOf(facts, context);
  let starts = known(facts).get(id);
  if (starts === undefined) {
    starts = callsIn(facts, id).some((call) => effects.reachedBy(call)
      .some(({ effect }) => effect.capability === "proc" && STARTS.has(/[^.]*$/.exec(effect.api)![0])));
    known(facts).set(id, starts);
  }
  return starts;
}
