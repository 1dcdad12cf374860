import type { BindingId, ModuleFacts, ValueId } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import type { RuleContext } from "../../rule.ts";
import { bindingsGiven, usesOf } from "../consumers.ts";
import { parentsOf } from "../expressions.ts";
import { writesName } from "../names.ts";
import { textOf } from "./targets.ts";
import { isExport } from "./unread.ts";

const TOLD = new Set(words.catalogueKeys);
const LEAST_TOLD = 2;

/**
 * Whether a literal is that of a constant which is no more than the `id` of an entry that tells what a model is: its
 * name, its price, how much it holds. What is offered to choose from does not run by that.
 */
export function isOnlyEntry(facts: ModuleFacts, context: Pick<RuleContext, "path" | "tree">, literal: ValueId): boolean {
  const [binding, ...others] = bindingsGiven(facts, literal);
  if (binding === undefined || others.length > 0) return false;
  const { name, values, scope } = facts.bindings[binding]!;
  if (values.length !== 1 || facts.scopes[scope]?.function !== 0) return false;
  const uses = usesOf(facts, binding);
  const own = uses.filter((use) => !isExport(facts, use, name));
  return own.length > 0 && own.every((use) => isId(facts, use)) && (!isOffered(facts, binding, uses.length > own.length) || isNamedNowhere(context, name));
}

function isId(facts: ModuleFacts, use: ValueId): boolean {
  const around = facts.values[parentsOf(facts)[use] ?? -1];
  const entries = around?.kind === "table" ? around.entries.map(({ key, value }) => ({ name: key === null ? "" : textOf(facts, key), value }))
    : around?.kind === "call" ? facts.calls[around.call]!.arguments.map(({ name, value }) => ({ name: name ?? "", value })) : [];
  return entries.some(({ name, value }) => name === "id" && value === use) && entries.filter(({ name }) => TOLD.has(name)).length >= LEAST_TOLD;
}

/** Whether other modules can have it. */
function isOffered(facts: ModuleFacts, binding: BindingId, isPassedOn: boolean): boolean {
  const { name, values } = facts.bindings[binding]!;
  return isPassedOn || facts.language === "python" || facts.exports.some((entry) => entry.name === name || (entry.value !== null && values.includes(entry.value)));
}

function isNamedNowhere({ path, tree }: Pick<RuleContext, "path" | "tree">, name: string): boolean {
  return tree.importersOf(path)?.every((importer) => {
    const other = tree.facts(importer);
    return other !== null && !writesName(other, (written) => written === name);
  }) === true;
}
