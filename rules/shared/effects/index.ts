import type { ModuleFacts } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import type { Effects } from "./effect.ts";

export type * from "./effect.ts";

/** What the calls of a module do outside the process; kept with the facts for each tree. */
export function effectsOf(_facts: ModuleFacts, _context: RuleContext): Effects {
  return { own: [], ofCall: () => [], reachedBy: () => [], reachedByFunction: () => [], callees: () => [], recursionOf: () => [], cutOff: [] };
}
