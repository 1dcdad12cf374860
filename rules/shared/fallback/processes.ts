import type { ModuleFacts, Span, ValueId } from "@agentgate/parsers";
import listed from "../../data/deny-hosts.json" with { type: "json" };
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { lastName } from "./talks.ts";

const STARTS = new Set(listed.starts.calls);

/** Whether the function around an address starts a process that runs on: a server of the program's own, which the address reaches. */
export function isOwnProcess(facts: ModuleFacts, context: RuleContext, address: ValueId): boolean {
  const [start, end] = facts.values[address]!.span;
  return startersOf(facts, context).some((around) => around[0] <= start && end <= around[1]);
}

function startersOf(facts: ModuleFacts, context: RuleContext): readonly Span[] {
  const starters = new Set(effectsOf(facts, context).own
    .filter(({ capability, call }) => capability === "proc" && STARTS.has(lastName(facts, facts.calls[call]!.callee)))
    .map((effect) => effect.function));
  return [...starters].flatMap((id) => (id === 0 ? [] : [facts.functions[id]!.span]));
}
