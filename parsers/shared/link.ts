import type { ModuleFacts, TypedValue } from "../facts.ts";
import { releaseLists } from "./builder.ts";
import type { FactsBuilder } from "./builder.ts";
import { freshResolver } from "./resolver.ts";
import { lookUpNames } from "./scopes.ts";
import { typedReceivers } from "./typed.ts";
import type { TypeOf } from "./typed.ts";
import { fillUses } from "./uses.ts";

/**
 * Finishes a draft: looks every name up by scope, fills `Call.references` and `uses`. Called once by each front end.
 * Linear in the size of the tables; never recursive in the depth of the source. `typeOf` is asked about receivers.
 */
export function finishFacts(builder: FactsBuilder, typeOf?: TypeOf): ModuleFacts {
  const { draft } = builder;
  lookUpNames(draft);
  if (typeOf !== undefined) (draft.facts as { types?: readonly TypedValue[] }).types = typedReceivers(draft.facts, freshResolver(draft.facts), typeOf);
  fillUses(draft, freshResolver(draft.facts));
  releaseLists(draft);
  return draft.facts;
}
