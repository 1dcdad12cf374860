import { occurrencesOf } from "@agentgate/parsers";
import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { parentsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { Resolver } from "../tree.ts";
import type { Origin } from "./origins.ts";
import { textOf } from "./targets.ts";

/** As long as the shortest digest that files are checked by. */
const DIGEST = /(?:^|[^0-9a-z])[0-9a-f]{32,128}(?:$|[^0-9a-z])/i;
const MAX_IMPORTS = 100;

/** The names that the tables of a module give a digest, or a URL that holds one, where code looks names up in them. */
const pinnedNames = onceFor((facts): ReadonlySet<string> => new Set(facts.bindings.flatMap(({ values }, binding) => {
  const [table] = values.map((value) => facts.values[value]);
  if (table?.kind !== "table" || values.length !== 1) return [];
  const names = table.entries.flatMap(({ key, value }) => (key !== null && holdsDigest(facts, value) ? [textOf(facts, key)] : []));
  return names.length > 0 && occurrencesOf(facts, binding).some((use) => isLookedUp(facts, use)) ? names : [];
})));

/** A digest by itself, or beside other things that are said of one file. */
function holdsDigest(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  if (value?.kind === "string") return DIGEST.test(value.value);
  if (value?.kind === "list") return value.items.some((item) => DIGEST.test(textOf(facts, item)));
  return value?.kind === "table" && value.entries.some((entry) => DIGEST.test(textOf(facts, entry.value)));
}

/** `TABLE[name]`, `TABLE.get(name)`: asked by a name that only running tells. */
function isLookedUp(facts: ModuleFacts, use: ValueId): boolean {
  const around = facts.values[parentsOf(facts)[use] ?? -1];
  return around?.kind === "member" && around.object === use && (around.property === null || around.property === "get");
}

/** Whether the module that holds a name, or one that it imports, has a table that says which file the name stands for. */
export function isPinnedByDigest({ facts, path, literal }: Origin, context: RuleContext): boolean {
  const name = textOf(facts, literal);
  if (name === "") return false;
  if (pinnedNames(facts).has(name)) return true;
  const resolver = new Resolver(context);
  return facts.imports.slice(0, MAX_IMPORTS).some(({ specifier }) => {
    const destination = resolver.destination(path, specifier);
    const home = destination.kind === "inside" ? resolver.tree.facts(destination.path) : null;
    return home !== null && pinnedNames(home).has(name);
  });
}
