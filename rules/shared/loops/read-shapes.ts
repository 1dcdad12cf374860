import type { CallId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { bare, someIngredient } from "../expressions.ts";
import { isClock } from "./clocks.ts";
import { pauses } from "./effects.ts";
import type { Escape } from "./escape.ts";
import { isGiven } from "./given.ts";
import { placeOf } from "./places.ts";
import type { LoopSite } from "./sites.ts";
import { testsOf } from "./witnesses.ts";

/**
 * Whether a loop that only reads is one of the two that are known to go on for as long as somebody else likes: pages by
 * the cursor of the last one, or a state that is asked for again after a pause. What reads otherwise, such as a stream,
 * a handshake or the next chunk, comes to its own end.
 */
export function isPagesOrPoll(facts: ModuleFacts, context: RuleContext, site: LoopSite, escape: Escape, calls: readonly CallId[], isPaging: boolean): boolean {
  // A number of results that is reached within a page, or a state whose attempts begin anew.
  if (escape.kind === "path" && (isPaging || escape.way.state.handler === null)) return false;
  if (isPaging) return !comparesCursor(facts, site, calls);
  // A time that is measured anew when a first state was reached is a deadline for each.
  if (escape.kind === "none" && asksClock(facts, site)) return false;
  // What a helper waits for between its own attempts is no pause of the loop.
  const rest = site.inside.filter((statement) => statement.kind !== "call" || !calls.includes(statement.call));
  return pauses(facts, context, rest) && !followsEvents(facts, site);
}

/** `if (page.next === cursor) throw …`: a cursor that comes back is looked for. */
function comparesCursor(facts: ModuleFacts, site: LoopSite, calls: readonly CallId[]): boolean {
  const isAsked = (id: ValueId): boolean => {
    const cursor = placeOf(facts, id);
    return cursor !== null && calls.some((call) => isGiven(facts, call, (place) => place === cursor, () => true));
  };
  return testsOf(site.loop.test, site.inside).some((test) => someIngredient(facts, test, (value) => value.kind === "binary" && EQUAL.has(value.operator)
    && !isWritten(facts, value.left) && !isWritten(facts, value.right) && (isAsked(value.left) || isAsked(value.right)), 40));
}

const EQUAL: ReadonlySet<string> = new Set(["==", "===", "is"]);
const WRITTEN: ReadonlySet<string> = new Set<Value["kind"]>(["constant", "number", "string"]);

function isWritten(facts: ModuleFacts, id: ValueId): boolean {
  return WRITTEN.has(facts.values[bare(facts, id)]?.kind ?? "");
}

function asksClock(facts: ModuleFacts, site: LoopSite): boolean {
  return testsOf(site.loop.test, site.inside).some((test) => someIngredient(facts, test, (value) => value.kind === "call" && isClock(facts, value.call), 60));
}

/** `async for event in messages(response)`: the round ends when the other side ends it. */
function followsEvents(facts: ModuleFacts, { inside }: LoopSite): boolean {
  return inside.some((statement) => statement.kind === "loop" && statement.form === "each" && statement.iterable !== null && facts.values[statement.iterable]?.kind === "await");
}
