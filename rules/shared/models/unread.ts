import { valuesReturned } from "@agentgate/parsers";
import type { BindingId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { usesOf } from "../consumers.ts";
import { onceFor } from "../indexes.ts";
import { textOf } from "./targets.ts";
import { namesDefaultModel } from "./words.ts";

/** The values of constants of the module that nothing in it reads: they are there for others. */
export const unreadConstants = onceFor((facts): ReadonlySet<ValueId> => new Set(facts.bindings.flatMap(({ name, scope, kind, values }, id) => {
  const isConstant = facts.scopes[scope]?.function === 0 && (kind === "variable" || kind === "constant") && values.length === 1;
  return isConstant && namesDefaultModel(name) && !isRead(facts, id) ? values : [];
})));

function isRead(facts: ModuleFacts, binding: BindingId): boolean {
  const { name } = facts.bindings[binding]!;
  return usesOf(facts, binding).some((use) => !isExport(facts, use, name));
}

/** Whether a use of a constant only passes it on: `export { NAME }`, `module.exports = { NAME }`, and `{ NAME: () => NAME }`, which bundlers write. */
export function isExport(facts: ModuleFacts, use: ValueId, name: string): boolean {
  if (facts.exports.some((entry) => entry.value === use)) return true;
  return entriesNamed(facts, name).some((value) => {
    const getter = facts.values[value];
    return value === use || (getter?.kind === "function" && valuesReturned(facts, getter.function).includes(use));
  }) || isExportOf(facts, use, name);
}

/** `exports.NAME = NAME`. */
function isExportOf(facts: ModuleFacts, use: ValueId, name: string): boolean {
  const target = facts.functions[0]!.body.find((statement) => statement.kind === "assign" && statement.value === use);
  if (target?.kind !== "assign") return false;
  return target.targets.some((each) => {
    const value = facts.values[each];
    return value?.kind === "member" && value.property === name;
  });
}

const entriesByName = onceFor((facts): ReadonlyMap<string, readonly ValueId[]> => {
  const found = new Map<string, ValueId[]>();
  for (const value of facts.values) {
    if (value.kind !== "table") continue;
    for (const entry of value.entries) {
      const name = entry.key === null ? "" : textOf(facts, entry.key);
      const known = found.get(name);
      if (known === undefined) found.set(name, [entry.value]);
      else known.push(entry.value);
    }
  }
  return found;
});

function entriesNamed(facts: ModuleFacts, name: string): readonly ValueId[] {
  return entriesByName(facts).get(name) ?? [];
}
