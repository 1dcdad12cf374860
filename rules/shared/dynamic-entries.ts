import { constantHead } from "@agentgate/parsers";
import type { BindingId, ModuleFacts } from "@agentgate/parsers";
import { memberWrites } from "./consumers.ts";
import type { Access } from "./dynamic-members.ts";
import { bare, isApi, originsOf, sourceBindings } from "./expressions.ts";
import { onceFor } from "./indexes.ts";
import { loaderOf } from "./loaders.ts";

/** The variables that name what the module's loaders load. */
const loadedNames = onceFor((facts) => {
  const names = new Set<BindingId>();
  for (const call of facts.calls) {
    if (!call.references.some((reference) => loaderOf(facts.language, reference)?.kind === "module")) continue;
    for (const argument of call.arguments) for (const binding of sourceBindings(facts, argument.value)) names.add(binding);
  }
  return names;
});

/** `__import__(name)` and then `sys.modules[name]`: the import is the finding. */
export function isJustLoaded(facts: ModuleFacts, access: Access, object: string): boolean {
  if (object !== "sys.modules") return false;
  const names = loadedNames(facts);
  return [...sourceBindings(facts, access.key)].some((binding) => names.has(binding));
}

/** A beginning that only a name which was put together for this has. */
const OWN_BEGINNING = /^\w{3,}[_:/-]$/;

/** `sys.modules[name]` of a function that puts its own module there by a name with a beginning of its own. */
export function isOwnEntry(facts: ModuleFacts, access: Access, object: string): boolean {
  const key = facts.values[bare(facts, access.key)];
  if (object !== "sys.modules" || key?.kind !== "name") return false;
  const { values, complete } = originsOf(facts, access.key);
  if (!complete || !values.every((origin) => OWN_BEGINNING.test(constantHead(facts, origin)))) return false;
  return memberWrites(facts).some(({ target }) => {
    const member = facts.values[target];
    const written = member?.kind === "member" && member.key !== null ? facts.values[bare(facts, member.key)] : undefined;
    return member?.kind === "member" && written?.kind === "name" && written.binding === key.binding && isApi(facts, member.object, ["sys.modules"]);
  });
}
