import type { ModuleFacts } from "../facts.ts";
import type { FactsBuilder } from "./builder.ts";
import { lookUpNames } from "./scopes.ts";

/**
 * Finishes a draft: looks every name up by scope, fills `Call.references` and `uses`. Called once by each front end.
 * Linear in the size of the tables; never recursive in the depth of the source.
 */
export function finishFacts(builder: FactsBuilder): ModuleFacts {
  lookUpNames(builder.draft);
  return builder.draft.facts;
}
