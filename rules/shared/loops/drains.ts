import type { CallId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { ReachedEffect } from "../effects/index.ts";
import { bare, someIngredient } from "../expressions.ts";
import { bodiesOf, statementsIn } from "../statements.ts";
import { isFromAnswer, onlyReads } from "./effects.ts";
import { isGiven } from "./given.ts";
import { leavesAlways, leavesForGood } from "./process-ends.ts";
import { heldStep } from "./moves.ts";
import type { Move } from "./moves.ts";
import { calledName, lastName, methodOf, placeOf } from "./places.ts";
import type { Loop, LoopSite } from "./sites.ts";
import { LOOPS, SIZES } from "./vocabulary.ts";

/**
 * A loop that works off what a store holds: it is left when the store says that nothing was left, and no error goes
 * round with the same rows again. What it does to them is to change or remove them there, or lies in a walk over rows
 * that the round has read.
 */
export function isDrain(facts: ModuleFacts, site: LoopSite, calls: readonly CallId[], effects: (call: CallId) => readonly ReachedEffect[]): boolean {
  if (!isLeftWhenEmpty(facts, site)) return false;
  // What only reads is paging: the server names the next page.
  if (onlyReads(calls.flatMap((call) => effects(call)))) return false;
  const walked = walkedCalls(facts, site, effects);
  return calls.every((call) => walked.has(call) || effects(call).every((reached) => isOfStore(reached)));
}

/** Whether a test leaves the loop when there is nothing more, and no error goes round. */
export function isLeftWhenEmpty(facts: ModuleFacts, site: LoopSite): boolean {
  return !goesOnAfterErrors(facts, site) && exitsOf(facts, site).some(({ test, outcome }) => saysEmpty(facts, test, outcome, 0));
}

const REMOVING = new Set(LOOPS.removing);
const REMOVES = /^_*(?:a|async_)?(?:delete|remove|purge|unlink|evict)(?:[_A-Z]|$)/;

/** A change of a store, or a read; of the network only what removes. */
function isOfStore({ effect, steps }: ReachedEffect): boolean {
  if (effect.capability === "db.write") return true;
  if (effect.capability !== "net") return false;
  return !effect.writes || REMOVING.has(lastName(effect.api)) || steps.some(({ name }) => REMOVES.test(lastName(name)));
}

/** Whether everything only takes something out of a store: what is gone is not found again. */
export function isRemoval(reached: readonly ReachedEffect[]): boolean {
  return reached.every(({ effect }) => effect.capability === "db.write" && REMOVING.has(lastName(effect.api)));
}

/** A test that leaves a loop. */
export interface Exit {
  readonly test: ValueId;
  /** The outcome with which the loop is left. */
  readonly outcome: boolean;
}

/** The tests that leave the loop. Of those in a loop inside it, only what leaves both counts: a return, or a jump by the outer label. */
export function exitsOf(facts: ModuleFacts, { loop }: LoopSite): Exit[] {
  const exits: Exit[] = loop.test === null ? [] : [{ test: loop.test, outcome: false }];
  const pending: { readonly body: readonly Statement[]; readonly within: Within }[] = [{ body: loop.body, within: { isInner: false, labels: [] } }];
  for (const { body, within } of pending) {
    for (const statement of body) {
      if (statement.kind === "test") {
        if (leavesLoop(facts, statement.then, within)) exits.push({ test: statement.test, outcome: true });
        if (leavesLoop(facts, statement.else, within)) exits.push({ test: statement.test, outcome: false });
      }
      const label = statement.kind === "loop" || statement.kind === "block" ? statement.label : undefined;
      const inside = { isInner: within.isInner || statement.kind === "loop", labels: label === undefined ? within.labels : [...within.labels, label] };
      // What leaves a loop over events comes with them.
      if (statement.kind === "loop" && !isOverItems(facts, statement)) continue;
      for (const inner of bodiesOf(statement)) pending.push({ body: inner, within: inside });
    }
  }
  return exits;
}

/** Whether an error of a round is swallowed: the next one may then do the same again. */
export function goesOnAfterErrors(facts: ModuleFacts, { inside }: LoopSite): boolean {
  return inside.some((statement) => statement.kind === "try" && statement.handlers.some((handler) => !leavesForGood(facts, handler.body)));
}

/** The statements that lie in a walk over items among some: an error there leaves the round to go on with the next one. */
export function withinWalks(inside: readonly Statement[]): ReadonlySet<Statement> {
  return new Set(inside.flatMap((statement) => (statement.kind === "loop" && statement.form === "each" ? statementsIn(statement.body) : [])));
}

/** Whether an error of a round is swallowed where it makes the next round begin; what is swallowed inside a walk over the round's items leaves the round to go on. */
function roundsAfterErrors(facts: ModuleFacts, site: LoopSite): boolean {
  const walked = withinWalks(site.inside);
  return goesOnAfterErrors(facts, { ...site, inside: site.inside.filter((statement) => !walked.has(statement)) });
}

/** A page or offset that the loop itself moves on says each time what is asked for: the walk ends where the pages do. */
export function isOwnPaging(facts: ModuleFacts, site: LoopSite, calls: readonly CallId[], moves: readonly Move[]): boolean {
  if (roundsAfterErrors(facts, site)) return false;
  const counted = advancedBy(facts, moves);
  const advanced = [...counted, ...moves.flatMap(({ place, how, value }) => (how === "given" && value !== undefined && isOfCounted(facts, value, counted) ? [place] : []))];
  const changed = new Set(moves.map(({ place }) => place));
  if (advanced.length === 0) return false;
  const isPaged = (call: CallId): boolean => isGiven(facts, call, (place) => advanced.some((each) => each === place || each.startsWith(`${place}.`)), (place) => changed.has(place));
  if (calls.every(isPaged)) return true;
  // What is done with each page is not asked for by the page's number.
  const pages = new Set(site.inside.flatMap((statement) => (statement.kind === "call" && isPaged(statement.call) ? [statement.call] : [])));
  return pages.size > 0 && exitsOf(facts, site).some(({ test, outcome }) => saysEmpty(facts, test, outcome, 0) && isFromAnswer(facts, test, pages));
}

/** Whether a value is one of some counted places, or the next step of one that a name holds. */
export function isOfCounted(facts: ModuleFacts, value: ValueId, counted: readonly string[]): boolean {
  const place = placeOf(facts, value);
  return counted.some((each) => each === place || heldStep(facts, value, each) !== null);
}

/** Places that are moved on and not set back: numbers, and names that get longer. */
export function advancedBy(facts: ModuleFacts, moves: readonly Move[]): string[] {
  const setBack = new Set(moves.flatMap(({ place, how }) => (how === "constant" || how === "given" ? [place] : [])));
  return moves.flatMap(({ place, how, value }) => {
    const isStep = how === "up" || (how === "any" && !isTable(facts, value)) || (how === "grows" && isText(facts, value));
    return isStep && !setBack.has(place) ? [place] : [];
  });
}

function isTable(facts: ModuleFacts, id: ValueId | undefined): boolean {
  const kind = id === undefined ? undefined : facts.values[bare(facts, id)]?.kind;
  return kind === "table" || kind === "list";
}

function isText(facts: ModuleFacts, id: ValueId | undefined): boolean {
  const kind = id === undefined ? undefined : facts.values[bare(facts, id)]?.kind;
  return kind === "string" || kind === "template";
}

/** A walk over items that are there already. */
function isOverItems(facts: ModuleFacts, { form, iterable }: Loop): boolean {
  return form === "each" && iterable !== null && facts.values[iterable]?.kind !== "await";
}

/** Where a statement stands in a loop: in another loop, and in what has these labels. */
interface Within {
  readonly isInner: boolean;
  readonly labels: readonly string[];
}

function leavesLoop(facts: ModuleFacts, body: readonly Statement[], { isInner, labels }: Within): boolean {
  const last = body.at(-1);
  const isBreak = last?.kind === "jump" && last.to === "break" && (last.label === undefined ? !isInner : !isInner || !labels.includes(last.label));
  return leavesAlways(facts, body) && (last?.kind !== "jump" || isBreak);
}

const COUNTS = new Set(LOOPS.rowCounts);
const SMALLER = new Set(["<", "<="]);
const LARGER = new Set([">", ">="]);
const MAX_DEPTH = 16;

/** Whether an outcome says that there was nothing, or no full page: `not rows`, `len(rows) < 100`, `result.rowcount == 0`. */
function saysEmpty(facts: ModuleFacts, id: ValueId, outcome: boolean, depth: number): boolean {
  const current = bare(facts, id);
  const value = facts.values[current];
  if (value === undefined || depth > MAX_DEPTH) return false;
  switch (value.kind) {
    case "unary":
      return value.operator === "not" && saysEmpty(facts, value.value, !outcome, depth + 1);
    case "assigned":
      return saysEmpty(facts, value.value, outcome, depth + 1);
    case "logical":
      return saysEmpty(facts, value.left, outcome, depth + 1) || saysEmpty(facts, value.right, outcome, depth + 1);
    case "binary": {
      const [left, right] = [isSize(facts, value.left), isSize(facts, value.right)];
      if (left === right) return false;
      const towards = outcome === left ? SMALLER : LARGER;
      if (towards.has(value.operator)) return true;
      const other = facts.values[bare(facts, left ? value.right : value.left)];
      const isZero = other?.kind === "number" && other.value === 0;
      return isZero && (outcome ? EQUAL : UNEQUAL).has(value.operator);
    }
    default:
      return !outcome && (isSize(facts, current) || isRead(facts, current));
  }
}

const EQUAL = new Set(["==", "===", "is"]);
const UNEQUAL = new Set(["!=", "!==", "is not"]);

/** `len(rows)`, `rows.length`, `result.rowcount`, or a name for one. */
function isSize(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "member") return value.property !== null && (SIZES.has(value.property) || COUNTS.has(value.property));
  if (value?.kind === "call") return calledName(facts, facts.calls[value.call]!) === "len" || isRowCount(facts, value.call);
  if (value?.kind !== "name") return false;
  return facts.bindings[value.binding]?.values.some((each) => {
    const given = facts.values[bare(facts, each)];
    return given?.kind === "member" ? given.property !== null && (SIZES.has(given.property) || COUNTS.has(given.property))
      : given?.kind === "call" && calledName(facts, facts.calls[given.call]!) === "len";
  }) === true;
}

function isRowCount(facts: ModuleFacts, id: CallId): boolean {
  const method = methodOf(facts, facts.calls[id]!);
  return method !== null && COUNTS.has(method.name);
}

/** What a call has answered: `while page := read(offset=0)`, `rows = cursor.fetchall()`. */
function isRead(facts: ModuleFacts, id: ValueId): boolean {
  return someIngredient(facts, id, (value) => value.kind === "call", 40);
}

/** Calls in a walk over what the round has read without an effect of its own. */
function walkedCalls(facts: ModuleFacts, site: LoopSite, effects: (call: CallId) => readonly ReachedEffect[]): ReadonlySet<CallId> {
  const walked = new Set<CallId>();
  const own = new Set(site.inside.flatMap((statement) => (statement.kind === "call" && effects(statement.call).every(({ effect }) => effect.capability === "db.write") ? [statement.call] : [])));
  for (const statement of site.inside) {
    if (statement.kind !== "loop" || statement.form !== "each" || statement.iterable === null) continue;
    if (!someIngredient(facts, statement.iterable, (value) => value.kind === "call" && own.has(value.call), 60)) continue;
    for (const inner of statementsIn(statement.body)) if (inner.kind === "call") walked.add(inner.call);
  }
  return walked;
}
