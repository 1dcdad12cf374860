import type { BindingId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { bindingsGiven, usesOf } from "../consumers.ts";
import { onceFor } from "../indexes.ts";
import { callsModelWith } from "./calls.ts";
import { exportedValue } from "./exported.ts";
import { isExport } from "./unread.ts";

/** Modules that are asked what they do with one constant. */
const MOST_READERS = 100;

/**
 * Whether all that a constant is read for, here and in the modules that load this one, is to be handed to a model's
 * call: a name at a call then, whatever the constant is called, and no default that a setting falls back to.
 */
export function isOnlyHanded(facts: ModuleFacts, context: RuleContext, literal: ValueId): boolean {
  const [binding, ...others] = bindingsGiven(facts, literal);
  if (binding === undefined || others.length > 0 || facts.bindings[binding]!.values.length > 1) return false;
  const { name } = facts.bindings[binding]!;
  let reads = 0;
  for (const use of usesOf(facts, binding)) {
    if (isExport(facts, use, name)) continue;
    if (!callsModelWith(facts, context, use)) return false;
    reads++;
  }
  const elsewhere = readsElsewhere(facts, context, name, literal);
  return elsewhere !== null && reads + elsewhere > 0;
}

/** How often other modules hand the constant to a call; null where one does anything else with it, or nobody can tell. */
function readsElsewhere(home: ModuleFacts, context: RuleContext, name: string, literal: ValueId): number | null {
  const readers = readersOf(context, context.path);
  if (readers === null) return null;
  let reads = 0;
  for (const path of readers) {
    const facts = context.tree.facts(path);
    if (facts === null || looseNames(facts).has(name)) return null;
    for (const binding of importsOf(facts)) {
      const uses = usesOf(facts, binding);
      const [first] = uses;
      if (first === undefined) continue;
      const placed = exportedValue(facts, context, path, first);
      if (placed?.facts !== home || placed.value !== literal) continue;
      const taken = uses.filter((use) => !isExport(facts, use, facts.bindings[binding]!.name));
      if (!taken.every((use) => callsModelWith(facts, { ...context, path }, use))) return null;
      reads += taken.length;
    }
  }
  return reads;
}

/** The modules that load one, and those that load it by way of one that passes everything on. */
function readersOf(context: RuleContext, path: string): readonly string[] | null {
  const found = new Set<string>();
  const pending = [path];
  while (pending.length > 0) {
    const importers = context.tree.importersOf(pending.pop()!);
    if (importers === null || found.size + importers.length > MOST_READERS) return null;
    for (const importer of importers) {
      if (found.has(importer)) continue;
      found.add(importer);
      if (context.tree.facts(importer)?.exports.some((entry) => entry.import !== undefined) === true) pending.push(importer);
    }
  }
  return [...found];
}

const importsOf = onceFor((facts): readonly BindingId[] => facts.bindings.flatMap(({ kind }, id) => (kind === "import" ? [id] : [])));

/** Names that may be the constant and are not followed: members, and names that come by `import *`. */
const looseNames = onceFor((facts): ReadonlySet<string> => new Set(facts.values.flatMap((value) => {
  if (value.kind === "member" && value.property !== null) return [value.property];
  return value.kind === "name" && value.binding < 0 ? [value.name] : [];
})));
