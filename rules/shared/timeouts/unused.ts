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
  // A Python module offers each of its names, but hardly one that its own functions give something else.
  const isOffered = facts.language === "python" ? !name.startsWith("_") && !isGivenAgain(facts, binding) : facts.exports.some((entry) => entry.name === name);
  if (isOffered) return false;
  return tree.importersOf(path)?.every((importer) => {
    const module = tree.facts(importer);
    return module !== null && !takesMember(module, [name]) && !module.imports.some(({ names }) => names.some(({ imported }) => imported === name || imported === "*"));
  }) === true;
}

/** Whether another scope of the file has a variable of the same name. */
function isGivenAgain(facts: ModuleFacts, binding: BindingId): boolean {
  const { name } = facts.bindings[binding]!;
  return facts.bindings.some((other, id) => id !== binding && other.name === name && other.kind !== "parameter");
}
