import type { BindingId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { bindingsGiven, readsOf } from "../consumers.ts";
import { takesMember } from "../indexes.ts";

/** Whether a client is given a name that nothing reads: no request can be sent through it. */
export function isUnused(facts: ModuleFacts, context: RuleContext, made: ValueId): boolean {
  const bindings = bindingsGiven(facts, made);
  return bindings.length > 0 && bindings.every((binding) => isUnread(facts, context, binding));
}

/** Modules that stand for their folder: what they offer is for those outside the tree. */
const FOLDERS = /(?:^|\/)(?:__init__|index)\.[^/]*$/;

function isUnread(facts: ModuleFacts, { path, tree }: RuleContext, binding: BindingId): boolean {
  const { name, scope } = facts.bindings[binding]!;
  if (readsOf(facts, binding).length > 0) return false;
  if (scope !== facts.functions[0]!.scope) return true;
  // A Python module offers each of its names.
  const isOffered = facts.language === "python" ? !name.startsWith("_") : facts.exports.some((entry) => entry.name === name);
  const importers = tree.importersOf(path);
  // What a module offers that nothing of the tree loads is there for others.
  if (importers === null || (isOffered && (importers.length === 0 || FOLDERS.test(path)))) return false;
  return importers.every((importer) => {
    const module = tree.facts(importer);
    return module !== null && !takesMember(module, [name]) && !passesOn(module, name) && !module.imports.some(({ names }) => names.some(({ imported }) => imported === name || imported === "*"));
  });
}

/** `export * from "./pools"`, `export { pool } from "./pools"`. */
function passesOn(facts: ModuleFacts, name: string): boolean {
  return facts.exports.some((entry) => entry.import !== undefined && [name, "*"].includes(entry.imported ?? entry.name));
}
