import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import type { Elsewhere } from "./bounds.ts";

/** What a name or attribute of another module of the tree is given there. */
export function elsewhereIn(_facts: ModuleFacts, _context: RuleContext): Elsewhere {
  return (_of: ModuleFacts, _id: ValueId) => [];
}
