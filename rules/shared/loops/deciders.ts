import type { CallId, Handler, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { someIngredient } from "../expressions.ts";
import { alwaysLeaves, bodiesOf, callPlaces, statementsIn } from "../statements.ts";
import { exitsOf, withinWalks } from "./drains.ts";
import type { Escape } from "./escape.ts";
import { changerOf } from "./heads.ts";
import { isFromAnswer, pauses } from "./effects.ts";
import { isGiven } from "./given.ts";
import { movesOf } from "./moves.ts";
import type { Move } from "./moves.ts";
import { onEachRun } from "./person.ts";
import { methodOf, placeOf } from "./places.ts";
import { isLiteral } from "./sites.ts";
import type { LoopSite } from "./sites.ts";

/**
 * Whether a loop goes round because of what its calls did: an error of theirs is swallowed, their answer or nothing at
 * all says when to leave. Where something else does, such as the rows that another call reads or a state that
 * others set, the calls are the work that is done with each round, and not what is tried again.
 */
export function decidesRounds(facts: ModuleFacts, context: RuleContext, site: LoopSite, calls: readonly CallId[], moves: readonly Move[], escape: Escape, onlyReads: boolean): boolean {
  const acts = new Set(calls);
  // `if limit is not None and attempts >= limit: return`, and each round comes by the call: only the limit is off.
  if (SWITCHED_OFF.has(escape.kind) && onEachRun(site.loop.body).some((call) => acts.has(call))) return true;
  // What is read again after an error, and never left when it went well, follows what others send.
  if (isRetriedBy(facts, site.inside, acts, escape) && (!onlyReads || leavesAtOnce(site.loop.body))) return true;
  const exits = exitsOf(facts, site).filter(({ test }) => !isLiteral(facts, test));
  // What no answer ends is a service, unless it does nothing but this and never waits.
  if (exits.length === 0) return !leavesAtOnce(site.loop.body) && isAllThereIs(facts, context, site, acts);
  const changers = exits.map(({ test }) => (isFromAnswer(facts, test, acts) ? "answer" : changerOf(facts, context, site, test, acts, moves, NOTHING)));
  // A state that is asked for says itself when it is the right one.
  if (changers.some((changer) => changer === "answer" || (changer === "nobody" && !onlyReads))) return true;
  // `while (!signal.aborted) await fetch(url, { method: "POST" })`: others only say that it was enough.
  return changers.every((changer) => changer === "outside") && isAllThereIs(facts, context, site, acts);
}

/**
 * Whether something else than what the calls answer may leave the loop too, such as a place that the round itself moves on or what
 * another call says: whether it bounds the rounds is then not known. A flag at the head is one that others set.
 */
export function isLeftOtherwise(facts: ModuleFacts, context: RuleContext, site: LoopSite, calls: readonly CallId[], moves: readonly Move[]): boolean {
  const acts = new Set(calls);
  // `cursor.execute(…)`, and `cursor.rowcount` is its answer.
  const asked = calls.flatMap((call) => methodOf(facts, facts.calls[call]!)?.object ?? []).map((object) => placeOf(facts, object)).filter((place) => place !== null);
  const isOfAsked = (id: ValueId): boolean => someIngredient(facts, id, (part, each) => (part.kind === "name" || part.kind === "member") && asked.includes(placeOf(facts, each) ?? ""), 40);
  const isAnswered = (test: ValueId): boolean => isFromAnswer(facts, test, acts) || isOfAsked(test);
  return exitsOf(facts, site).some(({ test }) => {
    if (isLiteral(facts, test) || isAnswered(test)) return false;
    const changer = changerOf(facts, context, site, test, acts, moves, NOTHING);
    if (changer === "answer" || changer === "nobody") return isFlaggedOtherwise(facts, site, test, isAnswered);
    return changer === "itself" || test !== site.loop.test;
  });
}

/** Whether a flag that a test asks for is set where something else came out so: `if row is None: finished = True`. */
function isFlaggedOtherwise(facts: ModuleFacts, { loop }: LoopSite, test: ValueId, isAnswered: (test: ValueId) => boolean): boolean {
  const flags = new Set<string>();
  someIngredient(facts, test, (part, id) => {
    const place = part.kind === "name" || part.kind === "member" ? placeOf(facts, id) : null;
    if (place !== null) flags.add(place);
    return false;
  }, 20);
  const pending: { readonly body: readonly Statement[]; readonly around: readonly ValueId[]; readonly isHandled: boolean }[] = [{ body: loop.body, around: [], isHandled: false }];
  for (const { body, around, isHandled } of pending) {
    for (const statement of body) {
      const sets = !isHandled && around.length > 0 && !around.some(isAnswered) && movesOf(facts, statement).some(({ place, how }) => how === "constant" && flags.has(place));
      if (sets) return true;
      const inner = statement.kind === "test" ? [...around, statement.test] : around;
      const handled = statement.kind === "try" ? new Set(statement.handlers.map((handler) => handler.body)) : null;
      for (const each of bodiesOf(statement)) pending.push({ body: each, around: inner, isHandled: isHandled || handled?.has(each) === true });
    }
  }
  return false;
}

/** Whether a round that comes to its end leaves, so that only errors go round: `try: return send() except Error: …`. */
function leavesAtOnce(body: readonly Statement[]): boolean {
  return body.some((statement) => statement.kind === "return" || (statement.kind === "jump" && statement.to === "break")
    || ((statement.kind === "try" || statement.kind === "with" || statement.kind === "block") && leavesAtOnce(statement.body)));
}

/** Whether each round of a loop comes by one of the calls, in no branch, and never waits. */
function isAllThereIs(facts: ModuleFacts, context: RuleContext, site: LoopSite, acts: ReadonlySet<CallId>): boolean {
  return onEachRun(site.loop.body).some((call) => acts.has(call)) && !pauses(facts, context, site.inside);
}

const SWITCHED_OFF: ReadonlySet<Escape["kind"]> = new Set<Escape["kind"]>(["off", "above", "mode"]);
const NOTHING: ReadonlySet<string> = new Set();

/**
 * Whether another call of the round makes what the calls are given, and says by its answer when there is nothing more:
 * `sentence, rest = take_sentence(rest)`, and the loop is left where there is no sentence.
 */
export function isFed(facts: ModuleFacts, site: LoopSite, calls: readonly CallId[], moves: readonly Move[]): boolean {
  const acts = new Set(calls);
  const sources = new Set(site.inside.flatMap((statement) => (statement.kind === "call" && !acts.has(statement.call) ? [statement.call] : [])));
  const made = new Set(moves.flatMap(({ place, how, value }) => (how === "given" && value !== undefined && isFromAnswer(facts, value, sources) && !isFromAnswer(facts, value, acts) ? [place] : [])));
  if (made.size === 0) return false;
  const asked = exitsOf(facts, site).some(({ test }) => !isFromAnswer(facts, test, acts) && isFromAnswer(facts, test, sources));
  return asked && calls.every((call) => isGiven(facts, call, (place) => made.has(place), (place) => made.has(place)));
}

/** Whether the way round comes by the handler of an error that one of the calls may have raised. */
function isRetriedBy(facts: ModuleFacts, inside: readonly Statement[], acts: ReadonlySet<CallId>, { handlers }: Escape): boolean {
  if (handlers.length === 0) return false;
  const spans = new Set(handlers.map(({ span }) => span));
  // An error of one item of a walk leaves the round to go on with the next one.
  const walked = withinWalks(inside);
  return inside.some((statement) => {
    if (statement.kind !== "try" || walked.has(statement)) return false;
    const tried = callsOf(statement.body).filter((call) => acts.has(call));
    return tried.length > 0 && statement.handlers.some((handler) => spans.has(handler.span) && !goesOnWithRest(facts, handler, tried));
  });
}

/** Whether the error says what is left to do: `except Full as full: rows = full.rest`. */
function goesOnWithRest(facts: ModuleFacts, { binding, body }: Handler, tried: readonly CallId[]): boolean {
  if (binding < 0) return false;
  const isOfError = (id: ValueId): boolean => someIngredient(facts, id, (part) => part.kind === "name" && part.binding === binding, 20);
  const rest = new Set(statementsIn(body).flatMap((statement) => movesOf(facts, statement).flatMap(({ place, how, value }) => (how === "given" && value !== undefined && isOfError(value) ? [place] : []))));
  return rest.size > 0 && tried.every((call) => isGiven(facts, call, (place) => rest.has(place), (place) => rest.has(place)));
}

/**
 * The same for a function that comes back to itself: in a handler of an error of the calls, past a test of their answer,
 * or without any test at all.
 */
export function decidesReturn(facts: ModuleFacts, id: number, inside: readonly Statement[], calls: readonly CallId[], again: readonly CallId[], escape: Escape): boolean {
  const acts = new Set(calls);
  if (isRetriedBy(facts, inside, acts, escape)) return true;
  const places = callPlaces(facts, id);
  return again.some((call) => {
    const { around, before, tried } = testsTo(places.get(call));
    return (around.length === 0 && tried.length === 0) || [...around, ...before].some((test) => isFromAnswer(facts, test, acts));
  });
}

/** Whether what the calls did is why a function comes back to itself here: past a test of their answer, or an error of theirs. */
export function returnsBecauseOf(facts: ModuleFacts, id: number, acts: ReadonlySet<CallId>, again: CallId): boolean {
  const { around, before, tried, isPastReturn } = testsTo(callPlaces(facts, id).get(again));
  return isPastReturn || tried.some((body) => callsOf(body).some((call) => acts.has(call))) || [...around, ...before].some((test) => isFromAnswer(facts, test, acts));
}

interface Tests {
  /** Those of the branches in which the call stands. */
  readonly around: readonly ValueId[];
  /** Those before it that leave. */
  readonly before: readonly ValueId[];
  /** What was tried by the handlers in which it stands: what is done there follows from an error of that. */
  readonly tried: readonly (readonly Statement[])[];
  /** It stands behind something tried that leaves where it went well. */
  readonly isPastReturn: boolean;
}

function testsTo(place: ReturnType<ReturnType<typeof callPlaces>["get"]>): Tests {
  const [around, before]: [ValueId[], ValueId[]] = [[], []];
  const tried: (readonly Statement[])[] = [];
  let isPastReturn = false;
  for (let current = place; current !== undefined; current = current.above ?? undefined) {
    for (const statement of current.body.slice(0, current.index)) {
      if (statement.kind === "test" && (alwaysLeaves(statement.then) || alwaysLeaves(statement.else))) before.push(statement.test);
      isPastReturn ||= statement.kind === "try" && leavesAtOnce(statement.body);
    }
    const outer = current.above?.body[current.above.index];
    if (outer?.kind === "test") around.push(outer.test);
    const { body } = current;
    if (outer?.kind === "try" && outer.handlers.some((handler) => handler.body === body)) tried.push(outer.body);
  }
  return { around, before, tried, isPastReturn };
}

/** The calls whose answer leaves the loop, by which it is told; all where none does. */
export function decidingCalls(facts: ModuleFacts, site: LoopSite, calls: readonly CallId[]): readonly CallId[] {
  const exits = exitsOf(facts, site);
  const deciding = calls.filter((call) => exits.some(({ test }) => isFromAnswer(facts, test, new Set([call]))));
  return deciding.length > 0 ? deciding : calls;
}

/** The calls that stand in no handler. One that does, as what brings a connection back, follows from an error and is not what is tried. */
export function outsideHandlers({ inside }: LoopSite, calls: readonly CallId[]): readonly CallId[] {
  const handled = new Set(inside.flatMap((statement) => (statement.kind === "try" ? statement.handlers.flatMap(({ body }) => callsOf(body)) : [])));
  return calls.filter((call) => !handled.has(call));
}

function callsOf(body: readonly Statement[]): readonly CallId[] {
  return statementsIn(body).flatMap((statement) => (statement.kind === "call" ? [statement.call] : []));
}
