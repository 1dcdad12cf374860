import type { ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { bare, someIngredient } from "../expressions.ts";
import type { Atom } from "./atoms.ts";
import { isClock } from "./clocks.ts";
import { movesOf } from "./moves.ts";
import type { Move } from "./moves.ts";
import { placeOf } from "./places.ts";
import type { Repetition } from "./witnesses.ts";

/** The variable or attribute of this file that a number is compared to as it is; null where the limit is anything else. */
export function limitPlace(facts: ModuleFacts, { kind, place, constant, bound }: Atom): string | null {
  // What a function decides about a counter is told with the counter itself.
  if ((kind !== "up" && kind !== "down") || constant !== undefined || bound?.facts !== facts || bound.path !== null) return null;
  const limit = placeOf(facts, bound.value);
  return limit === place ? null : limit;
}

/** Whether a move takes the limit as far away as the counter came nearer: `tries += 1`, and `limit += 1` after an error. */
export function movesAway({ kind }: Atom, { how }: Move): boolean {
  return how === kind;
}

const MOST_PARTS = 40;

/**
 * The deadline that each round sets anew from the clock, where a test of the round compares a clock to it: it never comes.
 * One that is only moved in a branch is moved for a reason, such as that something was received.
 */
export function movedDeadline(facts: ModuleFacts, what: Repetition): string | null {
  if (what.loop === null) return null;
  const moved = new Set(eachRound(what.body).flatMap((statement) => movesOf(facts, statement).flatMap(({ place, how, value }) => (how === "given" && value !== undefined && isOfClock(facts, value) ? [place] : []))));
  if (moved.size === 0) return null;
  let found: string | null = null;
  for (const test of what.tests) {
    someIngredient(facts, test, (value) => {
      if (value.kind !== "binary" || !ORDERED.has(value.operator)) return false;
      for (const [side, other] of [[value.left, value.right], [value.right, value.left]] as const) {
        const place = placeOf(facts, side);
        if (place !== null && moved.has(place) && isReadOfClock(facts, other)) found = place;
      }
      return found !== null;
    }, MOST_PARTS);
  }
  return found;
}

const ORDERED: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

/** The statements that each round comes by, in no branch and no loop. */
function eachRound(body: readonly Statement[]): readonly Statement[] {
  return body.flatMap((statement) => (statement.kind === "with" || statement.kind === "block" ? eachRound(statement.body) : [statement]));
}

function isOfClock(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "binary" && value.operator === "+" && someIngredient(facts, id, (part) => part.kind === "call" && isClock(facts, part.call), MOST_PARTS);
}

function isReadOfClock(facts: ModuleFacts, id: ValueId): boolean {
  return someIngredient(facts, id, (part) => part.kind === "call" && isClock(facts, part.call), MOST_PARTS);
}
