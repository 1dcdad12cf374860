import { referencesOf } from "@agentgate/parsers";
import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { unreadConstants } from "./unread.ts";

const MOST_MODULES = 500;

/**
 * Whether a value is that of a constant which no module of the tree reads, though some load the module: it makes nothing run.
 * A module that none loads may be one that a framework reads its settings from.
 */
export function isReadNowhere(facts: ModuleFacts, context: RuleContext, value: ValueId): boolean {
  if (!unreadConstants(facts).has(value)) return false;
  const names = facts.bindings.flatMap(({ name, values }) => (values.includes(value) ? [name] : []));
  return names.length > 0 && areReadNowhere(new Set(names), context);
}

/** Looks in the modules that load this one, and in those that load them. */
function areReadNowhere(names: ReadonlySet<string>, { path, tree }: RuleContext): boolean {
  const seen = new Set([path]);
  for (const at of seen) {
    const importers = tree.importersOf(at);
    if (importers === null || seen.size > MOST_MODULES) return false;
    const facts = at === path ? undefined : tree.facts(at);
    if (facts === null || (facts !== undefined && reads(facts, names))) return false;
    for (const importer of importers) seen.add(importer);
  }
  return seen.size > 1;
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
