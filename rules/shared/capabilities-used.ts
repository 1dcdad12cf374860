import type { Call, ModuleFacts, Reference } from "@agentgate/parsers";
import type { Capability } from "../catalogue/capability.ts";
import type { RuleContext } from "../rule.ts";
import { keptWithFacts } from "./indexes.ts";
import { lookupFor } from "./lookup.ts";
import type { Api, Lookup } from "./lookup.ts";

const kept = keptWithFacts<{ readonly lookup: Lookup; readonly capabilities: ReadonlySet<Capability> }>();

/**
 * What the names that a module takes from outside the tree can do, in whatever role they are used. Wider than what its
 * calls do: a cheap question before each call is asked. What only a receiver's name tells is not in it.
 */
export function capabilitiesUsed(facts: ModuleFacts, context: RuleContext): ReadonlySet<Capability> {
  const lookup = lookupFor(facts, context);
  const known = kept.get(facts);
  if (known?.lookup === lookup) return known.capabilities;
  const capabilities = new Set<Capability>();
  for (const { role, references } of facts.uses) if (role !== "call") note(lookup, references, undefined, capabilities);
  for (const call of facts.calls) note(lookup, call.references, call, capabilities);
  kept.set(facts, { lookup, capabilities });
  return capabilities;
}

function note(lookup: Lookup, references: readonly Reference[], call: Call | undefined, capabilities: Set<Capability>): void {
  for (const reference of references) {
    for (const api of lookup.of(reference).apis) for (const capability of capabilitiesOf(lookup, api, call)) capabilities.add(capability);
  }
}

function capabilitiesOf(lookup: Lookup, api: Api, call: Call | undefined): readonly Capability[] {
  const uncalled = api.uncalled?.capabilities ?? [];
  return call === undefined || !api.asksCall ? uncalled : [...uncalled, ...lookup.called(api, call)?.capabilities ?? []];
}
