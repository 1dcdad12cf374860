import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { ReachedEffect } from "../effects/index.ts";
import { bare, childrenOf, someIngredient } from "../expressions.ts";
import { isCostly, isFromAnswer } from "./effects.ts";
import { advancedBy, isOfCounted } from "./drains.ts";
import { isGiven } from "./given.ts";
import type { Move } from "./moves.ts";
import { lastName, methodOf, placeOf } from "./places.ts";
import type { CountedEffect } from "./reads.ts";
import { LOOPS } from "./vocabulary.ts";
import { wordsOf } from "./words.ts";

type EffectsOf = (call: CallId) => readonly ReachedEffect[];

/** Names on the way from the answer to the next request: `body.cursor = state.cursor = answer.next`. */
const MOST_HANDED_ON = 3;
const MOST_PARTS = 80;

/**
 * The calls that are given a part of their own answer in the next round: what asks for a page with the cursor of the
 * last one. What is handed back as a whole is no cursor but a state that each round goes on with.
 */
export function pagedCalls(facts: ModuleFacts, calls: readonly CallId[], moves: readonly Move[]): ReadonlySet<CallId> {
  return fedCalls(facts, calls, moves, () => true, () => false);
}

/**
 * Those of them that are surely given a cursor: it is another one in each round of this loop, and not the id of a job
 * or a file whose state is asked for again.
 */
export function cursorCalls(facts: ModuleFacts, paged: ReadonlySet<CallId>, moves: readonly Move[]): ReadonlySet<CallId> {
  if (paged.size === 0) return paged;
  const changed = new Set(moves.map(({ place }) => place));
  return fedCalls(facts, [...paged], moves, (place) => changed.has(place), isIdentity);
}

const CURSOR_WORDS: ReadonlySet<string> = new Set(["next", "after", "last", "since", "before", "previous", "prev", "cursor", "page", "start", "end", "min", "max", "from", "first"]);

/** `page = page.next_page()`, of a client: the page knows whether there is another, and by what it is asked for. */
export function isNextOfItself(facts: ModuleFacts, call: CallId, reached: readonly ReachedEffect[], moves: readonly Move[]): boolean {
  const method = methodOf(facts, facts.calls[call]!);
  const object = method === null ? null : placeOf(facts, method.object);
  return object !== null && reached.every(({ steps }) => steps.length === 0) && moves.some(({ place, value }) => place === object && value !== undefined && isAnswer(facts, value, call));
}

/** `job["id"]`, `media.media_id_string`; `page.last_id` is a cursor. */
function isIdentity(place: string): boolean {
  const words = place.includes(".") ? wordsOf(lastName(place)) : [];
  return words.includes("id") && !words.some((word) => CURSOR_WORDS.has(word));
}

type Accepts = (text: string) => boolean;

function fedCalls(facts: ModuleFacts, calls: readonly CallId[], moves: readonly Move[], isChanged: Accepts, isPassed: Accepts): ReadonlySet<CallId> {
  // `options = { ...options, offset }` is a step, too; a number that the answer makes larger is no cursor.
  const given = moves.filter((move) => move.value !== undefined && (move.how === "given" || (move.how === "any" && facts.values[bare(facts, move.value)]?.kind === "table")));
  if (given.length === 0) return new Set();
  const counted = advancedBy(facts, moves);
  return new Set(calls.filter((call) => {
    const fed = fedBy(facts, call, given.filter(({ value }) => !isOfCounted(facts, value!, counted)));
    return (fed.parts.size > 0 || fed.wholes.size > 0) && isFedBack(facts, call, fed, isChanged, isPassed);
  }));
}

interface Fed {
  /** Places that hold what the call answered. */
  readonly wholes: ReadonlySet<string>;
  /** Places that hold a part of it, or what was made of it. */
  readonly parts: ReadonlySet<string>;
}

function fedBy(facts: ModuleFacts, call: CallId, given: readonly Move[]): Fed {
  const own = new Set([call]);
  const [wholes, parts] = [new Set<string>(), new Set<string>()];
  for (const { place, value } of given) {
    if (isAnswer(facts, value!, call)) wholes.add(place);
    else if (isFromAnswer(facts, value!, own)) parts.add(place);
  }
  for (let round = 0; round < MOST_HANDED_ON; round++) {
    const found = given.filter(({ place, value }) => !parts.has(place) && !wholes.has(place) && mentions(facts, value!, wholes, parts));
    if (found.length === 0) break;
    for (const { place } of found) parts.add(place);
  }
  return { wholes, parts };
}

function isAnswer(facts: ModuleFacts, id: ValueId, call: CallId): boolean {
  let value = facts.values[bare(facts, id)];
  while (value?.kind === "await") value = facts.values[bare(facts, value.value)];
  return value?.kind === "call" && value.call === call;
}

function mentions(facts: ModuleFacts, value: ValueId, ...places: readonly ReadonlySet<string>[]): boolean {
  return someIngredient(facts, value, (part, id) => (part.kind === "name" || part.kind === "member") && places.some((each) => each.has(placeOf(facts, id) ?? "")), MOST_PARTS);
}

function isFedBack(facts: ModuleFacts, call: CallId, { wholes, parts }: Fed, isChanged: Accepts, isPassed: Accepts): boolean {
  // `answer.next`, and the parts themselves or a thing that one of them is put into.
  const isPart = (place: string): boolean => parts.has(place) || (place !== "self" && [...parts].some((part) => part.startsWith(`${place}.`))) || [...wholes].some((whole) => place.startsWith(`${whole}.`));
  if (isGiven(facts, call, isPart, isChanged, isPassed)) return true;
  // `answer.get("next")`.
  return wholes.size > 0 && facts.calls[call]!.arguments.some(({ value }) => asksWhole(facts, value, wholes, isChanged));
}

/** Names are followed only where they are given something anew: one that was set before, by an answer of the same name, stays. */
function asksWhole(facts: ModuleFacts, id: ValueId, wholes: ReadonlySet<string>, isChanged: Accepts): boolean {
  const seen = new Set<ValueId>();
  const pending = [id];
  while (pending.length > 0 && seen.size < MOST_PARTS) {
    const current = pending.pop()!;
    const value = facts.values[current];
    if (value === undefined || seen.has(current)) continue;
    seen.add(current);
    const method = value.kind === "call" ? methodOf(facts, facts.calls[value.call]!) : null;
    if (method !== null && wholes.has(placeOf(facts, method.object) ?? "")) return true;
    if (value.kind === "name" && isChanged(placeOf(facts, current) ?? "")) pending.push(...facts.bindings[value.binding]?.values ?? []);
    if (value.kind === "call") pending.push(...facts.calls[value.call]!.arguments.map((argument) => argument.value));
    pending.push(...childrenOf(facts, value));
  }
  return false;
}

const TRANSPORTS = new Set(LOOPS.reading.transports);

/**
 * The effects of calls where a page that is asked for by its cursor is read, whatever verb the server wants for it: a
 * search is sent, and a next request is executed. What names itself a write stays one.
 */
export function withPagesRead(effects: EffectsOf, paged: ReadonlySet<CallId>): EffectsOf {
  if (paged.size === 0) return effects;
  return (call) => (paged.has(call) ? withoutOtherVerbs(effects(call)).flatMap(pageEffect) : effects(call));
}

const MUTATING = new Set(LOOPS.reading.mutating);

/** A helper that has a request for each verb, and takes one of them: `{ GET: session.get, PATCH: session.patch }[verb]`. A page is got. */
function withoutOtherVerbs(reached: readonly ReachedEffect[]): readonly ReachedEffect[] {
  const isBehind = ({ effect, steps }: ReachedEffect): boolean => effect.capability === "net" && steps.length > 0;
  if (!reached.some((each) => isBehind(each) && !each.effect.writes)) return reached;
  return reached.filter((each) => !(isBehind(each) && each.effect.writes && MUTATING.has(lastName(each.effect.api))));
}

function pageEffect(reached: ReachedEffect): ReachedEffect[] {
  const { effect } = reached;
  // `pid = parentOf(pid)`: what a command says is local, and comes to an end.
  if ((effect as CountedEffect).asks === true) return [];
  // `client.request({ method: "resources/list", params: { cursor } })`: what is called a tool has no pages.
  const isAsked = effect.capability === "tool";
  if ((isCostly(effect) && !isAsked) || !TRANSPORTS.has(lastName(effect.api))) return [reached];
  if (effect.capability === "net") return [{ ...reached, effect: { ...effect, writes: false } }];
  if (isAsked || effect.capability === "cloud.write") return [{ ...reached, effect: { ...effect, capability: "net", writes: false } }];
  // A page of rows is asked for as often as there are rows.
  return effect.capability === "db.write" ? [] : [reached];
}
