import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";

/** Something that a call is given by a name. */
export interface Option {
  readonly name: string;
  readonly value: ValueId;
}

/** Keywords, and the entries of tables that are given in place. */
export function optionsOf(facts: ModuleFacts, call: Call): readonly Option[] {
  return call.arguments.flatMap(({ name, value }): readonly Option[] => [...(name === undefined ? [] : [{ name, value }]), ...entriesOf(facts, value)]);
}

/** The entries of a table whose keys are written. */
export function entriesOf(facts: ModuleFacts, id: ValueId): readonly Option[] {
  const table = facts.values[bare(facts, id)];
  if (table?.kind !== "table") return [];
  return table.entries.flatMap((entry): readonly Option[] => {
    const key = entry.key === null ? undefined : facts.values[entry.key];
    return key?.kind === "string" ? [{ name: key.value, value: entry.value }] : [];
  });
}
