import type { ModuleFacts } from "../facts.ts";
import { releaseLists } from "./builder.ts";
import type { FactsBuilder } from "./builder.ts";
import { freshResolver } from "./resolver.ts";
import { lookUpNames } from "./scopes.ts";
import { fillUses } from "./uses.ts";

/**
 * Finishes a draft: looks every name up by scope, fills `Call.references` and `uses`. Called once by each front end.
 * Linear in the size of the tables; never recursive in the depth of the source.
 */
export function finishFacts(builder: FactsBuilder): ModuleFacts {
  const { draft } = builder;
  lookUpNames(draft);
  fillUses(draft, freshResolver(draft.facts));
  releaseLists(draft);
  return draft.facts;
}
