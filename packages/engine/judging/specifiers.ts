import type { ModuleFacts } from "@agentgate/parsers";
// The worker starts with every run: it must not read the catalogue.
import { listedSubmodules, loadedSpecifiers, searchedSpecifiers } from "@agentgate/rules/loaded";

/** The specifiers by which a module may load others when it runs. */
export interface Specifiers {
  /** Of imports, and of what it refers to in other ways; with `*` or `**` for a part that is chosen at run time. */
  readonly all: readonly string[];
  /** Those that `require` takes, which runs a file of any ending as JavaScript. */
  readonly required: readonly string[];
}

export function specifiersOf(facts: ModuleFacts): Specifiers {
  const required = facts.imports.filter((entry) => entry.form === "require").map((entry) => entry.specifier);
  return { all: allSpecifiers(facts), required: [...new Set(required)] };
}

function allSpecifiers(facts: ModuleFacts): string[] {
  const specifiers = new Set<string>();
  for (const entry of facts.imports) {
    if (entry.typeOnly === true || entry.typeChecking === true) continue;
    specifiers.add(entry.specifier);
    if (facts.language === "python") for (const name of entry.names) if (name.imported !== "*") specifiers.add(submodule(entry.specifier, name.imported));
  }
  for (const specifier of searchedSpecifiers(facts, [...specifiers])) specifiers.add(specifier);
  for (const call of facts.calls) for (const reference of call.references) specifiers.add(reference.module);
  for (const use of facts.uses) {
    for (const reference of use.role === "type" ? [] : use.references) specifiers.add(reference.module);
  }
  for (const specifier of [...loadedSpecifiers(facts), ...listedSubmodules(facts)]) specifiers.add(specifier);
  return [...specifiers];
}

/** `from pkg import name` may name a module `pkg.name`. */
function submodule(specifier: string, name: string): string {
  return specifier.endsWith(".") ? specifier + name : `${specifier}.${name}`;
}
