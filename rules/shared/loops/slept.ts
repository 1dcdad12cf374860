import { constantsOf, functionsOf } from "@agentgate/parsers";
import type { CallId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { bare, someIngredient } from "../expressions.ts";
import { isPause } from "./effects.ts";
import type { Move } from "./moves.ts";
import { placeOf } from "./places.ts";

const MOST_PARTS = 20;

/**
 * Whether a counter adds up what the rounds have slept, as `spent += pause` beside `sleep(pause)` does: what it is
 * compared to is a time, and no number of attempts.
 */
export function addsUpPauses(facts: ModuleFacts, inside: readonly Statement[], steps: readonly Move[]): boolean {
  const slept = inside.flatMap((statement) => (statement.kind === "call" && isPause(facts, statement.call) ? pausesOf(facts, statement.call) : []));
  return slept.length > 0 && steps.length > 0 && steps.every((step) => {
    const amount = amountOf(facts, step);
    return amount !== null && slept.some((pause) => isMadeFrom(facts, pause, amount));
  });
}

/** What a call that pauses is given, or the timer inside `new Promise((resolve) => setTimeout(resolve, pause))`. */
function pausesOf(facts: ModuleFacts, id: CallId): readonly ValueId[] {
  return facts.calls[id]!.arguments.flatMap(({ value }) => {
    const inner = functionsOf(facts, value);
    if (inner.length === 0) return [value];
    return inner.flatMap((each) => facts.functions[each]?.body ?? []).flatMap((statement) => (statement.kind === "call" ? facts.calls[statement.call]!.arguments.map((argument) => argument.value) : []));
  });
}

/** By how much a counter is moved on: `spent += pause`, `spent = spent + pause`. */
function amountOf(facts: ModuleFacts, { value, place }: Move): ValueId | null {
  if (value === undefined) return null;
  const written = facts.values[bare(facts, value)];
  if (written?.kind !== "binary") return value;
  if (written.operator !== "+") return value;
  return placeOf(facts, written.left) === place ? written.right : placeOf(facts, written.right) === place ? written.left : value;
}

/** A pause in other units is made from the same name, or is a thousand times as much. One each time may be a number of attempts. */
function isMadeFrom(facts: ModuleFacts, pause: ValueId, amount: ValueId): boolean {
  const place = placeOf(facts, amount);
  if (place !== null && someIngredient(facts, pause, (part, id) => (part.kind === "name" || part.kind === "member") && placeOf(facts, id) === place, MOST_PARTS)) return true;
  const [slept, counted] = [numberOf(facts, pause), numberOf(facts, amount)];
  return slept !== null && counted !== null && [counted, counted * 1000, counted / 1000].includes(slept);
}

function numberOf(facts: ModuleFacts, id: ValueId): number | null {
  const constants = constantsOf(facts, id);
  const only = constants?.length === 1 ? constants[0]!.value : undefined;
  return typeof only === "number" && only !== 1 ? only : null;
}
