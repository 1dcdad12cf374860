import type { BindingId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { bindingsGiven, readsOf } from "../consumers.ts";
import { takesMember } from "../indexes.ts";

/** Whether a client is given a name that nothing reads: no request can be sent through it. */
export function isUnused(facts: ModuleFacts, context: RuleContext, made: ValueId): boolean {
  const bindings = bindingsGiven(facts, made);
  return bindings.length > 0 && bindings.every((binding) => isUnread(facts, context, binding));
}

function isUnread(facts: ModuleFacts, { path, tree }: RuleContext, binding: BindingId): boolean {
  const { name, scope } = facts.bindings[binding]!;
  if (readsOf(facts, binding).length > 0) return false;
  if (scope !== facts.functions[0]!.scope) return true;
  // A Python module offers each of its names.
  const isOffered = facts.language === "python" ? !name.startsWith("_") : facts.exports.some((entry) => entry.name === name);
  if (isOffered) return false;
  return tree.importersOf(path)?.every((importer) => {
    const module = tree.facts(importer);
    return module !== null && !takesMember(module, [name]) && !module.imports.some(({ names }) => names.some(({ imported }) => imported === name || imported === "*"));
  }) === true;
}
