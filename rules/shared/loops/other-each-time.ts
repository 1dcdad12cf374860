import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { ReachedEffect } from "../effects/index.ts";
import { callsApi, someIngredient } from "../expressions.ts";
import { statementsIn } from "../statements.ts";
import { isClock } from "./clocks.ts";
import { advancedBy, goesOnAfterErrors } from "./drains.ts";
import type { Escape } from "./escape.ts";
import { isFromAnswer } from "./effects.ts";
import type { Looked } from "./loops.ts";
import { handlerAt } from "./flow.ts";
import { movesOf } from "./moves.ts";
import { LOOPS } from "./vocabulary.ts";

/** A name, number or port that is tried with the next one each time until it is free. */
export function isUniqueName({ facts, moves, isGivenTo }: Looked, calls: readonly CallId[], reached: readonly ReachedEffect[]): boolean {
  if (!reached.every(({ effect }) => effect.capability === "db.write" || effect.capability === "proc" || effect.capability.startsWith("fs."))) return false;
  const counters = new Set(advancedBy(facts, moves));
  return calls.every((call) => isGivenTo(call, (place) => counters.has(place)));
}

/** A name that is made from a clock or by chance in each round, or anew in the handler of the error that it was taken, is tried again. */
export function isRenamed({ facts, site, isGivenTo }: Looked, calls: readonly CallId[], { way }: Escape): boolean {
  const { handler } = way.state;
  if (handler === null) return false;
  const body = handlerAt(site.inside, handler)?.body ?? [];
  const named = site.inside.filter((statement) => statement.kind !== "try");
  const renamed = new Set([...statementsIn(body), ...named].flatMap((statement) => movesOf(facts, statement).flatMap(({ place, value }) => (value !== undefined && isMadeUp(facts, value) ? [place] : []))));
  return renamed.size > 0 && calls.every((call) => isGivenTo(call, (place) => renamed.has(place)));
}

function isMadeUp(facts: ModuleFacts, id: ValueId): boolean {
  return someIngredient(facts, id, (value) => value.kind === "call" && (isClock(facts, value.call) || callsApi(facts.calls[value.call]!, LOOPS.random.apis)), 40);
}

const STORES: ReadonlySet<string> = new Set(["db.write", "cloud.write"]);

/**
 * A walk over a store in which a function of the tree does one piece and answers where the next one starts:
 * `while walk.cursor is not None: walk = reset_page(walk.cursor)`. What an error interrupts is not done again.
 */
export function isOwnWalk({ facts, site, moves, isGivenTo }: Looked, calls: readonly CallId[], reached: readonly ReachedEffect[]): boolean {
  if (!reached.every(({ effect, steps }) => STORES.has(effect.capability) && steps.length > 0) || goesOnAfterErrors(facts, site)) return false;
  return calls.every((call) => {
    const own = new Set([call]);
    const answered = new Set(moves.flatMap(({ place, how, value }) => (how === "given" && value !== undefined && isFromAnswer(facts, value, own) ? [place] : [])));
    return isGivenTo(call, (place) => [...answered].some((each) => place === each || place.startsWith(`${each}.`)));
  });
}
