import type { ModuleFacts } from "@agentgate/parsers";
import type { Influence, RuleContext, Tree } from "../../rule.ts";
import { memberWrites } from "../consumers.ts";
import { callsApi, isApi } from "../expressions.ts";
import { GLOBAL_SETTINGS } from "./defaults.ts";

/** As many modules are looked at, the nearest first. */
const MOST_MODULES = 200;

/** Answers by tree, names and module: many calls of a module ask the same. */
const known = new WeakMap<Tree, Map<string, boolean>>();

/**
 * Whether a limit for the whole library is set in the module, or in one that it is connected with by imports in either
 * direction: `socket.setdefaulttimeout(5)`, `axios.defaults.timeout = 5000`. At most 200 modules are asked.
 */
export function isSetForAll(facts: ModuleFacts, context: RuleContext, names: readonly string[]): boolean {
  if (names.length === 0) return false;
  const answers = known.get(context.tree) ?? new Map<string, boolean>();
  known.set(context.tree, answers);
  const key = [context.path, ...names].join("\0");
  let answer = answers.get(key);
  if (answer === undefined) answers.set(key, (answer = isSetNearby(facts, context, names)));
  return answer;
}

function isSetNearby(facts: ModuleFacts, { path, tree }: RuleContext, names: readonly string[]): boolean {
  const seen = new Set([path]);
  for (const at of seen) {
    const module = at === path ? facts : tree.facts(at);
    if (module === null) continue;
    if (isSetIn(module, names)) return true;
    for (const next of [...importedBy(module, at, tree), ...(tree.importersOf(at) ?? [])]) {
      if (seen.size >= MOST_MODULES) break;
      seen.add(next);
    }
  }
  return false;
}

function importedBy(facts: ModuleFacts, path: string, tree: Tree): readonly string[] {
  return facts.imports.flatMap(({ specifier }) => {
    const found = tree.resolve(path, specifier);
    return found !== null && found !== "missing" && "path" in found ? [found.path] : [];
  });
}

/** Limits for a whole library that a module sets: modules that import it have them too. */
export function limitsForAll(facts: ModuleFacts): readonly Influence[] {
  return GLOBAL_SETTINGS[facts.language].flatMap((name) => (isSetIn(facts, [name]) ? [{ name, key: name, span: [0, 0] as const }] : []));
}

function isSetIn(facts: ModuleFacts, names: readonly string[]): boolean {
  const members = names.map((name) => name.slice(name.lastIndexOf(".") + 1));
  return facts.calls.some((call) => callsApi(call, names))
    || memberWrites(facts).some(({ target }) => {
      const value = facts.values[target];
      return value?.kind === "member" && members.includes(value.property ?? "") && isApi(facts, target, names);
    });
}
