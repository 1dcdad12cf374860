import type { BindingId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { usesOf } from "../consumers.ts";
import { parentsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { writesName } from "../names.ts";
import { textOf } from "./targets.ts";
import { isExport } from "./unread.ts";

/** The name of a table that is given nothing else, by that table. */
const tables = onceFor((facts): ReadonlyMap<ValueId, BindingId> => new Map(facts.bindings.flatMap(({ values }, id) => {
  const [value] = values;
  return value !== undefined && values.length === 1 && facts.values[value]?.kind === "table" ? [[value, id] as const] : [];
})));

/** Whether a literal is an entry that nobody takes out of its table, of which the module takes others by their names. */
export function isUnreadEntry(facts: ModuleFacts, { path, tree }: Pick<RuleContext, "path" | "tree">, literal: ValueId): boolean {
  const id = parentsOf(facts)[literal] ?? -1;
  const table = facts.values[id];
  const binding = tables(facts).get(id);
  if (table?.kind !== "table" || binding === undefined) return false;
  const { name } = facts.bindings[binding]!;
  const key = table.entries.find((entry) => entry.value === literal)?.key ?? null;
  const uses = usesOf(facts, binding).filter((use) => !isExport(facts, use, name));
  if (key === null || textOf(facts, key) === "" || uses.length === 0 || !uses.every((use) => takesAnother(facts, use, textOf(facts, key)))) return false;
  return tree.importersOf(path)?.every((importer) => {
    const other = tree.facts(importer);
    return other !== null && !writesName(other, (written) => written === name);
  }) === true;
}

/** `defaults.temperature`, `DEFAULTS["temperature"]`. */
function takesAnother(facts: ModuleFacts, use: ValueId, key: string): boolean {
  const around = facts.values[parentsOf(facts)[use] ?? -1];
  if (around?.kind !== "member" || around.object !== use) return false;
  const taken = around.property ?? (around.key === null ? "" : textOf(facts, around.key));
  return taken !== "" && taken !== key;
}
