import { constantsOf } from "@agentgate/parsers";
import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { argumentOf } from "../arguments.ts";
import { bare } from "../expressions.ts";
import { callersInTree } from "../tree-callers.ts";
import { isLimitedAround } from "./around.ts";
import type { TimeoutDefault } from "./defaults.ts";
import { addressesOf } from "./local.ts";

/** Whether each call of the function in the tree stands inside a limit, in the modules that load it too. */
export function isLimitedInTree(facts: ModuleFacts, context: RuleContext, id: CallId): boolean {
  const callers = callersInTree(facts, context, facts.calls[id]!.function);
  return callers !== null && callers.length > 0 && callers.every((caller) => isLimitedAround(caller.facts, caller.id));
}

/** Whether the host is a parameter for which each caller in the tree gives this machine. */
export function isGivenLocalHost(facts: ModuleFacts, context: RuleContext, id: CallId, { local }: TimeoutDefault): boolean {
  const hosts = local?.hosts;
  if (hosts === undefined) return false;
  return addressesOf(facts, facts.calls[id]!).some((address) => {
    const value = facts.values[bare(facts, address)];
    const [first, ...others] = value?.kind === "name" ? facts.bindings[value.binding]?.values ?? [] : [];
    const parameter = first === undefined || others.length > 0 ? undefined : facts.values[first];
    if (value?.kind !== "name" || parameter?.kind !== "parameter") return false;
    const callers = callersInTree(facts, context, parameter.function);
    return callers !== null && callers.length > 0 && callers.every((caller) => {
      const given = argumentOf(caller.facts, caller.call, parameter.index, value.name);
      return typeof given === "number" && isOneOf(caller.facts, given, hosts);
    });
  });
}

function isOneOf(facts: ModuleFacts, id: ValueId, hosts: readonly string[]): boolean {
  const constants = constantsOf(facts, id);
  return constants !== null && constants.length > 0 && constants.every(({ value }) => hosts.includes(String(value)));
}
