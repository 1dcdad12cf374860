import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare, someIngredient } from "../expressions.ts";
import type { Move } from "./moves.ts";
import { methodOf, placeOf } from "./places.ts";
import type { LoopSite } from "./sites.ts";

const MOST_PARTS = 20;

/**
 * Whether a loop goes down in what it was given until there is nothing further, one level each round: what its condition
 * asks for is given a part of what one of its own methods picked. `question = option.question` after
 * `option = question.pick(answer)`.
 */
export function isDescent(facts: ModuleFacts, { loop }: LoopSite, calls: readonly CallId[], moves: readonly Move[]): boolean {
  if (loop.test === null) return false;
  const acts = new Set(calls);
  return someIngredient(facts, loop.test, (part, id) => {
    const place = part.kind === "name" || part.kind === "member" ? placeOf(facts, id) : null;
    const own = place === null ? [] : moves.filter((move) => move.place === place);
    return place !== null && own.length > 0 && own.every(({ how, value }) => how === "given" && value !== undefined && isPartPickedBy(facts, value, place, acts));
  }, MOST_PARTS);
}

function isPartPickedBy(facts: ModuleFacts, id: ValueId, place: string, acts: ReadonlySet<CallId>): boolean {
  const value = facts.values[bare(facts, id)];
  if (value?.kind !== "member") return false;
  const object = facts.values[bare(facts, value.object)];
  const made = object?.kind === "name" ? facts.bindings[object.binding]?.values ?? [] : [value.object];
  return made.length > 0 && made.every((each) => {
    const call = facts.values[bare(facts, each)];
    const method = call?.kind === "call" && !acts.has(call.call) ? methodOf(facts, facts.calls[call.call]!) : null;
    return method !== null && placeOf(facts, method.object) === place;
  });
}
