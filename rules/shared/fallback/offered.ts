import { referencesOf } from "@agentgate/parsers";
import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { someIngredient } from "../expressions.ts";
import { addressSlots, addressesBehind } from "./addresses.ts";
import type { Address } from "./addresses.ts";
import { standsInFor } from "./settings.ts";

/** An address that a module exports and another module sends requests to. */
export interface OfferedAddress extends Address {
  readonly user: { readonly path: string; readonly facts: ModuleFacts; readonly call: CallId };
}

/** Addresses among a module's exports that its importers give to requests or clients. */
export function offeredAddresses(facts: ModuleFacts, context: RuleContext): readonly OfferedAddress[] {
  const offered = new Map<string, readonly Address[]>();
  for (const { name, value, typeOnly } of facts.exports) {
    if (value === null || typeOnly === true || name === "*") continue;
    const addresses = addressesBehind(facts, context, value, -1);
    if (addresses.length > 0) offered.set(name, addresses);
  }
  if (offered.size === 0) return [];
  return (context.tree.importersOf(context.path) ?? []).flatMap((path) => usedBy(path, context, offered));
}

function usedBy(path: string, context: RuleContext, offered: ReadonlyMap<string, readonly Address[]>): readonly OfferedAddress[] {
  const facts = context.tree.facts(path);
  if (facts === null) return [];
  const importer = { ...context, path };
  return facts.calls.flatMap((call, id) => addressSlots(facts, importer, call, id).flatMap((slot) => [...namesTaken(facts, importer, slot, context.path)]
    .flatMap(([name, setting]) => (offered.get(name) ?? []).map((address): OfferedAddress => ({ ...address, setting: address.setting ?? setting, user: { path, facts, call: id } })))));
}

/** The exports of a module that an expression is made from, each with the setting that it stands in for there. */
function namesTaken(facts: ModuleFacts, { tree, path }: RuleContext, slot: ValueId, from: string): ReadonlyMap<string, string | null> {
  const names = new Map<string, string | null>();
  someIngredient(facts, slot, (value, id) => {
    if (value.kind !== "name" && value.kind !== "member") return false;
    // What a variable of the file is given is looked at itself, where it stands.
    if (value.kind === "name" && facts.bindings[value.binding]?.kind !== "import") return false;
    for (const reference of referencesOf(facts, id)) {
      const [name] = reference.path;
      const found = name === undefined ? null : tree.resolve(path, reference.module);
      if (found !== null && found !== "missing" && "path" in found && found.path === from) {
        const { setting, weak } = standsInFor(facts, id);
        // What a caller may give otherwise is the caller's choice.
        if (!weak) names.set(name!, setting);
      }
    }
    return false;
  }, 60);
  return names;
}
