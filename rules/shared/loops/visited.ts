import type { ModuleFacts, Value } from "@agentgate/parsers";
import { someIngredient } from "../expressions.ts";
import type { Move } from "./moves.ts";
import { methodOf, placeOf } from "./places.ts";
import type { LoopSite } from "./sites.ts";
import { testsOf } from "./witnesses.ts";

const MEMBERSHIP = new Set(["in", "not in"]);
const ASKS = new Set(["has", "includes", "contains", "__contains__"]);
const MOST_PARTS = 40;

/** A walk over what links to each other: what is found goes on a list, each round takes one off, and what was seen is passed over. */
export function isVisiting(facts: ModuleFacts, site: LoopSite, moves: readonly Move[]): boolean {
  const taken = new Set(moves.flatMap(({ place, how }) => (how === "shrinks" ? [place] : [])));
  const grown = new Set(moves.flatMap(({ place, how }) => (how === "grows" ? [place] : [])));
  if (![...taken].some((place) => grown.has(place))) return false;
  const isSeen = (place: string | null): boolean => place !== null && grown.has(place) && !taken.has(place);
  return testsOf(site.loop.test, site.inside).some((test) => someIngredient(facts, test, (value) => isSeen(collectionOf(facts, value)), MOST_PARTS));
}

/** What is asked whether it holds something: `url in seen`, `seen.has(url)`. */
function collectionOf(facts: ModuleFacts, value: Value): string | null {
  if (value.kind === "binary") return MEMBERSHIP.has(value.operator) ? placeOf(facts, value.right) : null;
  const method = value.kind === "call" ? methodOf(facts, facts.calls[value.call]!) : null;
  return method !== null && ASKS.has(method.name) ? placeOf(facts, method.object) : null;
}
