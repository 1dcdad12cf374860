import type { ModuleFacts } from "@agentgate/parsers";

/** Every specifier by which a module may load another when it runs: of imports, and of what it refers to otherwise. */
export function specifiersOf(facts: ModuleFacts): string[] {
  const specifiers = new Set<string>();
  for (const entry of facts.imports) {
    if (entry.typeOnly === true || entry.typeChecking === true) continue;
    specifiers.add(entry.specifier);
    if (facts.language === "python") for (const name of entry.names) specifiers.add(submodule(entry.specifier, name.imported));
  }
  for (const call of facts.calls) for (const reference of call.references) specifiers.add(reference.module);
  for (const use of facts.uses) {
    for (const reference of use.role === "type" ? [] : use.references) specifiers.add(reference.module);
  }
  return [...specifiers];
}

/** `from pkg import name` may name a module `pkg.name`. */
function submodule(specifier: string, name: string): string {
  return specifier.endsWith(".") ? specifier + name : `${specifier}.${name}`;
}
