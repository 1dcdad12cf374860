import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { childrenOf } from "../expressions.ts";
import { methodOf, placeOf } from "./places.ts";

const MOST_PARTS = 80;

/**
 * Whether a variable or attribute is part of what a call is given, in this round: names are followed to what they are
 * given where the loop changes them, and functions that are handed in, or held in a name, to what their calls are
 * given. What is passed is not looked into.
 */
export function isGiven(
  facts: ModuleFacts, id: CallId, isWanted: (place: string) => boolean, isChanged: (place: string) => boolean, isPassed: (place: string) => boolean = () => false,
): boolean {
  const seen = new Set<ValueId>();
  const pending = givenTo(facts, id);
  while (pending.length > 0 && seen.size < MOST_PARTS) {
    const current = pending.pop()!;
    const value = facts.values[current];
    if (value === undefined || seen.has(current)) continue;
    seen.add(current);
    if (value.kind === "name" || value.kind === "member") {
      const place = placeOf(facts, current);
      if (place !== null && isPassed(place)) continue;
      if (place !== null && isWanted(place)) return true;
      const held = value.kind === "name" && place !== null ? facts.bindings[value.binding]?.values ?? [] : [];
      pending.push(...(place !== null && isChanged(place) ? held : held.filter((each) => facts.values[each]?.kind === "function")));
    }
    // `limiter.run(() => list(token))`.
    if (value.kind === "function") for (const statement of facts.functions[value.function]?.body ?? []) if (statement.kind === "call") pending.push(...givenTo(facts, statement.call));
    pending.push(...childrenOf(facts, value));
  }
  return false;
}

function givenTo(facts: ModuleFacts, id: CallId): ValueId[] {
  const call = facts.calls[id]!;
  const method = methodOf(facts, call);
  return [...call.arguments.map((argument) => argument.value), ...(method === null ? [] : [method.object])];
}
