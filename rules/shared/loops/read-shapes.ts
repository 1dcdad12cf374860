import type { CallId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { bare, someIngredient } from "../expressions.ts";
import { isClock } from "./clocks.ts";
import { pauses } from "./effects.ts";
import type { Escape } from "./escape.ts";
import { isGiven } from "./given.ts";
import type { Move } from "./moves.ts";
import { calledName, placeOf } from "./places.ts";
import type { LoopSite } from "./sites.ts";
import { LOOPS, SIZES } from "./vocabulary.ts";
import { testsOf } from "./witnesses.ts";
import { wordsOf } from "./words.ts";

/**
 * Whether a loop that only reads is one of the two that are known to go on for as long as somebody else likes: pages by
 * the cursor of the last one, or a state that is asked for again after a pause. What reads otherwise, such as a stream,
 * a handshake or the next chunk, comes to its own end.
 */
export function isPagesOrPoll(facts: ModuleFacts, context: RuleContext, site: LoopSite, escape: Escape, calls: readonly CallId[], moves: readonly Move[], isPaging: boolean): boolean {
  // A number of results that is reached within a page, or a state whose attempts begin anew.
  if (escape.kind === "path" && (isPaging || escape.way.state.handler === null)) return false;
  if (isPaging) return !comparesCursor(facts, site, calls) && !readsStream(facts, site) && !comparesResults(facts, site, moves);
  // A time that is measured anew when a first state was reached is a deadline for each.
  if (escape.kind === "none" && asksClock(facts, site)) return false;
  // What a helper waits for between its own attempts is no pause of the loop.
  const rest = site.inside.filter((statement) => statement.kind !== "call" || !calls.includes(statement.call));
  return pauses(facts, context, rest) && !followsEvents(facts, site) && !readsStream(facts, site);
}

const STREAM_WORDS = new Set(LOOPS.streams.words);

/** `for line in response.iter_lines()`: a stream that is opened again when the other side closed it. */
function readsStream(facts: ModuleFacts, { inside }: LoopSite): boolean {
  return inside.some((statement) => statement.kind === "loop" && statement.form === "each" && statement.iterable !== null
    && someIngredient(facts, statement.iterable, (value) => value.kind === "call" && wordsOf(calledName(facts, facts.calls[value.call]!)).some((word) => STREAM_WORDS.has(word)), 20));
}

const ORDERED: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

/** `len(found) < limit` of what the rounds add to: results are counted, and whether somebody set the limit is another matter. */
function comparesResults(facts: ModuleFacts, site: LoopSite, moves: readonly Move[]): boolean {
  const collected = new Set(moves.flatMap(({ place, how }) => (how === "grows" || how === "any" ? [place] : [])));
  const isCollected = (id: ValueId): boolean => {
    const sized = sizedBy(facts, id);
    return sized !== null && collected.has(placeOf(facts, sized) ?? "");
  };
  return testsOf(site.loop.test, site.inside).some((test) => someIngredient(facts, test, (value) => value.kind === "binary" && ORDERED.has(value.operator)
    && (isCollected(value.left) || isCollected(value.right)), 40));
}

/** The list of `len(list)` or `list.length`. */
function sizedBy(facts: ModuleFacts, id: ValueId): ValueId | null {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "member") return value.property !== null && SIZES.has(value.property) ? value.object : null;
  const call = value?.kind === "call" ? facts.calls[value.call]! : undefined;
  return call !== undefined && calledName(facts, call) === "len" ? call.arguments[0]?.value ?? null : null;
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
