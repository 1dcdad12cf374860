import type { CallId, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import { callPlaces, statementsIn } from "../statements.ts";
import { movesOf } from "./moves.ts";
import { placeOf } from "./places.ts";

/**
 * Places that hold something wherever a call stands, because the branches around it are only entered then:
 * `if found: return main(argv, found)`. One that the branch itself gives another value is left out.
 */
export function heldAt(facts: ModuleFacts, id: FunctionId, call: CallId): ReadonlySet<string> {
  const held = new Set<string>();
  for (let place = callPlaces(facts, id).get(call) ?? null; place !== null; place = place.above) {
    const around = place.above?.body[place.above.index];
    if (around?.kind !== "test") continue;
    const places = truthyPlaces(facts, around.test, place.body === around.then);
    if (places.length === 0) continue;
    const changed = new Set(statementsIn(place.body).flatMap((statement) => movesOf(facts, statement).map((move) => move.place)));
    for (const each of places) if (!changed.has(each)) held.add(each);
  }
  return held;
}

/** Places that hold something where a test comes out as `outcome`. */
function truthyPlaces(facts: ModuleFacts, test: ValueId, outcome: boolean): string[] {
  const places: string[] = [];
  const pending: (readonly [ValueId, boolean])[] = [[test, outcome]];
  for (let steps = 0; pending.length > 0 && steps < 32; steps++) {
    const [current, wanted] = pending.pop()!;
    const id = bare(facts, current);
    const value = facts.values[id];
    if (value?.kind === "unary" && value.operator === "not") pending.push([value.value, !wanted]);
    else if (value?.kind === "logical" && (value.operator === "and") === wanted) pending.push([value.left, wanted], [value.right, wanted]);
    else if (wanted) {
      const place = placeOf(facts, id);
      if (place !== null) places.push(place);
    }
  }
  return places;
}
