import { referencesOf } from "@agentgate/parsers";
import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { modulesAbove } from "../modules-above.ts";
import { unreadConstants } from "./unread.ts";

/**
 * Whether a value is that of a constant which no module of the tree reads, though some load the module: it makes nothing run.
 * A module that none loads may be one that a framework reads its settings from.
 */
export function isReadNowhere(facts: ModuleFacts, context: RuleContext, value: ValueId): boolean {
  if (!unreadConstants(facts).has(value)) return false;
  const names = facts.bindings.flatMap(({ name, values }) => (values.includes(value) ? [name] : []));
  if (names.length === 0) return false;
  const above = modulesAbove(facts, context)?.slice(1) ?? [];
  return above.length > 0 && !above.some((module) => reads(module.facts, new Set(names)));
}

/** Whether a module uses something of that name, also under another name that it imported it by. */
function reads(facts: ModuleFacts, names: ReadonlySet<string>): boolean {
  return facts.values.some((value, id) => {
    if (value.kind === "member") return value.property === null ? isModule(facts, value.object) : names.has(value.property);
    if (value.kind !== "name") return false;
    return names.has(value.name) || referencesOf(facts, id).some(({ path }) => path.some((part) => names.has(part)));
  });
}

/** `names[key]` of a whole module may read each of its constants. */
function isModule(facts: ModuleFacts, id: ValueId): boolean {
  return referencesOf(facts, id).some(({ path }) => path.length === 0 || path[0] === "*");
}
