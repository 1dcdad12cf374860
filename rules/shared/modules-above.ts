import type { ModuleFacts } from "@agentgate/parsers";
import type { RuleContext } from "../rule.ts";

/** Beyond so many modules nobody looks for what they do with one of them. */
const MOST_MODULES = 500;

export interface ModuleAbove {
  readonly path: string;
  readonly facts: ModuleFacts;
}

/** The module of a context and those that load it, or load what loads it, itself first; null where nobody can tell. */
export function modulesAbove(facts: ModuleFacts, { path, tree }: Pick<RuleContext, "path" | "tree">): readonly ModuleAbove[] | null {
  const seen = new Set([path]);
  const modules: ModuleAbove[] = [];
  for (const at of seen) {
    const module = at === path ? facts : tree.facts(at);
    const importers = tree.importersOf(at);
    if (module === null || importers === null || seen.size > MOST_MODULES) return null;
    modules.push({ path: at, facts: module });
    for (const each of importers) seen.add(each);
  }
  return modules;
}
