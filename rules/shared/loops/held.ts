import type { CallId, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare, callsApi } from "../expressions.ts";
import { callPlaces, statementsIn } from "../statements.ts";
import { movesOf } from "./moves.ts";
import { placeOf } from "./places.ts";

/**
 * Places that hold something wherever a call stands, because the branches around it are only entered then:
 * `if found: return main(argv, found)`. One that the branch itself gives another value is left out.
 */
export function heldAt(facts: ModuleFacts, id: FunctionId, call: CallId): ReadonlySet<string> {
  return unchangedAt(facts, id, call, (value) => placeOf(facts, value));
}

/** Places whose kind the branches around a call ask for: `isinstance(x, State)`, `x instanceof State`. */
export function kindsAt(facts: ModuleFacts, id: FunctionId, call: CallId): ReadonlySet<string> {
  return unchangedAt(facts, id, call, (id_) => {
    const value = facts.values[id_];
    if (value?.kind === "binary" && value.operator === "instanceof") return placeOf(facts, value.left);
    const asked = value?.kind === "call" ? facts.calls[value.call]! : undefined;
    return asked === undefined || !callsApi(asked, ["builtins.isinstance"]) || asked.arguments[0] === undefined ? null : placeOf(facts, asked.arguments[0].value);
  });
}

function unchangedAt(facts: ModuleFacts, id: FunctionId, call: CallId, told: (value: ValueId) => string | null): ReadonlySet<string> {
  const held = new Set<string>();
  for (let place = callPlaces(facts, id).get(call) ?? null; place !== null; place = place.above) {
    const around = place.above?.body[place.above.index];
    if (around?.kind !== "test") continue;
    const places = truthyParts(facts, around.test, place.body === around.then).map(told).filter((each) => each !== null);
    if (places.length === 0) continue;
    const changed = new Set(statementsIn(place.body).flatMap((statement) => movesOf(facts, statement).map((move) => move.place)));
    for (const each of places) if (!changed.has(each)) held.add(each);
  }
  return held;
}

/** The parts of a test that are true where it comes out as `outcome`. */
export function truthyParts(facts: ModuleFacts, test: ValueId, outcome: boolean): ValueId[] {
  const parts: ValueId[] = [];
  const pending: (readonly [ValueId, boolean])[] = [[test, outcome]];
  for (let steps = 0; pending.length > 0 && steps < 32; steps++) {
    const [current, wanted] = pending.pop()!;
    const id = bare(facts, current);
    const value = facts.values[id];
    if (value?.kind === "unary" && value.operator === "not") pending.push([value.value, !wanted]);
    else if (value?.kind === "logical" && (value.operator === "and") === wanted) pending.push([value.left, wanted], [value.right, wanted]);
    else if (wanted) parts.push(id);
  }
  return parts;
}
