import { definitionsOf, instancesOf } from "@agentgate/parsers";
import type { Call, ClassId, ModuleFacts } from "@agentgate/parsers";
import { onceFor } from "../indexes.ts";
import type { TimeoutDefault } from "./defaults.ts";

/** A class of the file, or one that it derives from, that derives from the library's and sends in its own way. */
export function isOverridden(facts: ModuleFacts, call: Call, { settings }: TimeoutDefault): boolean {
  const callee = facts.values[call.callee];
  if (callee?.kind !== "member") return false;
  const names = [callee.property ?? "", ...(settings?.attributes ?? [])];
  return [...withBases(facts, instancesOf(facts, callee.object))].some((id) => names.some((name) => methodNames(facts).get(id)?.has(name) === true));
}

/** Classes and those of the file that they derive from, however far up. */
function withBases(facts: ModuleFacts, classes: readonly ClassId[]): ReadonlySet<ClassId> {
  const found = new Set(classes);
  for (const id of found) {
    for (const base of facts.classes[id]?.bases ?? []) {
      for (const definition of definitionsOf(facts, base)) if (definition.kind === "class") found.add(definition.id);
    }
  }
  return found;
}

const methodNames = onceFor((facts) => {
  const names = new Map<ClassId, Set<string>>();
  for (const { class: id, name } of facts.functions) {
    const known = names.get(id);
    if (known === undefined) names.set(id, new Set([name]));
    else known.add(name);
  }
  return names;
});
