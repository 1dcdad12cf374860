import type { RuleContext, Tree } from "../rule.ts";

/** A tree of which nothing is known. */
export const NO_TREE: Tree = { resolve: () => null, facts: () => null, covers: () => false, definersOf: () => [], importersOf: () => [] };

/** The context of a module that is judged by itself, with no policy but what is given. */
export function aloneContext(path: string, given: Partial<RuleContext> = {}): RuleContext {
  return {
    path, tree: NO_TREE, strict: false, ports: [], portsFor: () => [], capabilities: [], options: {},
    gates: [], models: { policy: "pinned", inRegistry: false, allow: [] }, loopCeiling: 100, tools: [], denyHosts: [], ...given,
  };
}
