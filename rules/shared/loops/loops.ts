import type { CallId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { Influence, RuleContext, RuleFinding } from "../../rule.ts";
import type { ReachedEffect } from "../effects/index.ts";
import { readsAllPages } from "./all-pages.ts";
import { boundPlaces } from "./bounds.ts";
import { effectsOf } from "../effects/index.ts";
import { countedEffects, effectCalls, isCostly, isReading, keptEffects, onlyReads, pauses } from "./effects.ts";
import { isGiven } from "./given.ts";
import { withHandedIn } from "./handed.ts";
import { isDrain, isLeftWhenEmpty, isOwnPaging, isRemoval } from "./drains.ts";
import { elsewhereIn } from "./elsewhere.ts";
import { beside, endlessWalk, isHandedOut, leaves } from "./endless.ts";
import type { EndlessWalk } from "./endless.ts";
import { isDescent } from "./descent.ts";
import { decidesRounds, decidingCalls, isFed, isLeftOtherwise, outsideHandlers } from "./deciders.ts";
import { escapeOf } from "./escape.ts";
import { isHalving } from "./halving.ts";
import { isLimitedByCallers } from "./limited-callers.ts";
import { endsWithIterator, isTimeLimited } from "./limits.ts";
import { repetitionOf } from "./witnesses.ts";
import type { Escape } from "./escape.ts";
import { changerOf, CLOCK, loopMoves } from "./heads.ts";
import type { Changer } from "./heads.ts";
import { isBackground, isRunWithinLimit } from "./starters.ts";
import { noteOf, findingOf } from "./findings.ts";
import { helperFindings, isEndlessRetrying } from "./helpers.ts";
import { recursionFindings } from "./recursion.ts";
import { reductionFindings } from "./reductions.ts";
import { summaryKey, summaryOfCall } from "./summaries.ts";
import { timerFindings } from "./timers.ts";
import type { Move } from "./moves.ts";
import { isOwnWalk, isRenamed, isUniqueName } from "./other-each-time.ts";
import { endsWithProcess } from "./own-process.ts";
import { cursorCalls, isNextOfItself, pagedCalls, withPagesRead } from "./pages.ts";
import { placeOf } from "./places.ts";
import { isPagesOrPoll } from "./read-shapes.ts";
import { endlessHead, loopSites } from "./sites.ts";
import type { Endless, LoopSite } from "./sites.ts";
import { isRoundOfService } from "./service-rounds.ts";
import { isVisiting } from "./visited.ts";

/** The loops of a module that repeat an effect without a bound. */
export function loopFindings(facts: ModuleFacts, context: RuleContext): RuleFinding[] {
  const known = new Map<CallId, readonly ReachedEffect[]>();
  const effects = (call: CallId): readonly ReachedEffect[] => {
    let found = known.get(call);
    if (found === undefined) known.set(call, (found = countedEffects(facts, context, call)));
    return found;
  };
  const loops = loopSites(facts).flatMap((site) => {
    const walk = site.loop.iterable === null ? null : endlessWalk(facts, context, site.loop.iterable);
    const head = isEndlessRetrying(facts, site) || walk !== null ? RETRYING : endlessHead(facts, site.loop, context.loopCeiling);
    if (head === null || isCompiled(facts, site) || (head.kind === "always" && isHandedOut(facts, site))) return [];
    return judgeLoop(facts, context, walk === null ? site : withItemsMade(site, walk), head, effects);
  });
  return [...loops, ...reductionFindings(facts, context, effects), ...recursionFindings(facts, context, effects), ...timerFindings(facts, context, effects), ...helperFindings(facts, context, effects)];
}

/**
 * What the functions that a module offers repeat for those who call them, and whether they count: an importer's loop is
 * judged anew when either changes.
 */
export function loopInfluences(facts: ModuleFacts, context: RuleContext): readonly Influence[] {
  const tree = effectsOf(facts, context);
  return facts.functions.flatMap((subject, id) => {
    if (id === 0 || subject.name === "" || subject.parent !== 0) return [];
    const reached = tree.reachedByFunction(id).map(({ effect }) => `${effect.capability}${effect.writes ? "!" : ""}`);
    const caps = summaryKey(facts, context, id);
    return reached.length === 0 && caps === "" ? [] : [{ name: subject.name, key: [subject.name, ...new Set(reached.sort()), caps].join(" "), span: subject.nameSpan }];
  });
}

type EffectsOf = (call: CallId) => readonly ReachedEffect[];

const RETRYING: Endless = { kind: "always" };

/** The steps of a generator that a compiler wrote out: `while (1) switch (context.prev = context.next)`. */
function isCompiled(facts: ModuleFacts, { loop }: LoopSite): boolean {
  return loop.body.slice(0, 3).some((statement) => {
    if (statement.kind !== "assign") return false;
    const [target, value] = [facts.values[statement.targets[0] ?? -1], facts.values[statement.value]];
    return target?.kind === "member" && target.property === "prev" && value?.kind === "member" && value.property === "next";
  });
}

/** The loop as it runs where the items of its walk are made in each round: by a mapped function, or a generator that sends. */
function withItemsMade(site: LoopSite, { calls, isAnswered }: EndlessWalk): LoopSite {
  // What no answer ends hands on what others send.
  if (calls.length === 0 || !(isAnswered || leaves(site))) return site;
  const made = calls.map((call): Statement => ({ kind: "call", call, at: site.loop.at }));
  return { ...site, inside: [...made, ...site.inside], loop: { ...site.loop, body: [...made, ...site.loop.body] } };
}

/** What only reads is asked for again at no cost but its own, so that it is judged by itself, after what acts. */
function judgeLoop(facts: ModuleFacts, context: RuleContext, site: LoopSite, head: Endless, own: EffectsOf): RuleFinding[] {
  const handed = withHandedIn(facts, site, own);
  const calls = effectCalls(site.inside, handed);
  if (calls.length === 0 || isTimeLimited(facts, site.around) || endsWithIterator(facts, site) || isRunWithinLimit(facts, site.function)) return [];
  const moves = loopMoves(facts, site);
  const paged = pagedCalls(facts, calls, moves);
  const effects = withPagesRead(handed, paged);
  const changed = new Set(moves.map(({ place }) => place));
  const isGivenTo = (call: CallId, isWanted: (place: string) => boolean): boolean => isGiven(facts, call, isWanted, (place) => changed.has(place));
  const isWorkItem = (place: string): boolean => calls.some((call) => isGivenTo(call, (each) => each === place));
  if (isDescent(facts, site, calls, moves) || isHalving(facts, site)) return [];
  if (head.kind === "range" && site.loop.targets.some((target) => isWorkItem(placeOf(facts, target) ?? ""))) return [];
  const loop: Looked = { facts, context, site, head, moves, cursors: cursorCalls(facts, paged, moves), isWorkItem, isGivenTo };
  const acts = judgeEffects(loop, keptEffects(effects, (each) => !isReading(each)));
  if (acts !== null) return acts;
  const reads = keptEffects(effects, isReading);
  // What is read is worked off by what acts.
  if (calls.some((call) => reads(call).length === 0) && isLeftWhenEmpty(facts, site)) return [];
  return judgeEffects(loop, reads) ?? [];
}

/** A loop with what its statements do. */
export interface Looked {
  readonly facts: ModuleFacts;
  readonly context: RuleContext;
  readonly site: LoopSite;
  readonly head: Endless;
  readonly moves: readonly Move[];
  /** The calls that ask for the next page by the cursor of the last one. */
  readonly cursors: ReadonlySet<CallId>;
  readonly isWorkItem: (place: string) => boolean;
  /** Whether a place is part of what a call is given in a round. */
  readonly isGivenTo: (call: CallId, isWanted: (place: string) => boolean) => boolean;
}

/** Null where the loop repeats nothing of it without a bound. */
function judgeEffects(loop: Looked, effects: EffectsOf): RuleFinding[] | null {
  const { facts, context, site, head, moves, cursors, isWorkItem } = loop;
  const calls = effectCalls(site.inside, effects);
  if (calls.length === 0) return null;
  const given = givenBy(moves);
  const escape = escapeOf({ facts, context, what: repetitionOf(facts, context, site), effectsOf: effects, given, elsewhere: elsewhereIn(facts, context), isWorkItem });
  if (escape === null) return null;
  const reached = calls.flatMap((call) => effects(call));
  const costs = reached.some(({ effect }) => isCostly(effect));
  const isPoll = onlyReads(reached);
  if (escape.way.state.handler === null && isFed(facts, site, calls, moves)) return null;
  if (!costs && !decidesRounds(facts, context, site, calls, moves, escape, isPoll)) return null;
  if (escape.kind === "none" && isLeftOtherwise(facts, context, site, calls, moves)) return null;
  const changer = head.kind === "condition" ? changerOf(facts, context, site, head.test, new Set(calls), moves, boundOf(escape)) : null;
  if (changer === "itself") return null;
  // What a model makes up is never all seen.
  const tried = outsideHandlers(site, calls);
  if (!costs && (tried.length === 0 || isVisiting(facts, site, moves))) return null;
  if (isUniqueName(loop, calls, reached) || isRenamed(loop, calls, escape) || isOwnWalk(loop, calls, reached) || isDrain(facts, site, calls, effects) || (leaves(site) && isRemoval(reached))) return null;
  if (escape.kind === "none" && !costs && isRoundOfService(facts, context, site)) return null;
  // A service that looks at the clock asks what is due.
  if ((escape.kind === "none" || escape.atom?.kind === "clock") && isDaemon(facts, context, site, changer, reached)) return null;
  // `while self.running: updates = get_updates(offset)`: a long poll goes on until somebody stops it.
  if (isPoll && changer === "outside" && !leaves(site)) return null;
  // What takes a piece of work where there is one goes on with that.
  if (isPoll && site.inside.some((statement) => statement.kind === "call" && summaryOfCall(facts, context, statement.call).waits)) return null;
  if (isPoll && calls.every((call) => isNextOfItself(facts, call, effects(call), moves))) return null;
  const isPaging = isPoll && calls.some((call) => cursors.has(call));
  if (isPaging && readsAllPages(facts, context, calls, moves)) return null;
  // What is too many attempts is no large number of pages, nor of times that a state is asked for.
  if (isPoll && (escape.kind === "above" || head.kind === "range")) return null;
  if (isPoll && !isPagesOrPoll(facts, context, site, escape, calls, moves, isPaging)) return null;
  // What success does not end is work that is done so often.
  if ((escape.kind === "above" || head.kind === "range") && !leaves(site)) return null;
  if (isPoll && (isOwnPaging(facts, site, calls, moves) || endsWithProcess(facts, site))) return null;
  if (isLimitedByCallers(facts, context, site.function)) return null;
  return [findingOf({ facts, subject: "This loop", escape, calls: decidingCalls(facts, site, tried.length > 0 ? tried : calls), effectsOf: effects, isPaging, isPoll, ...(head.kind === "range" && { attempts: { count: head.count, ceiling: context.loopCeiling } }), span: site.loop.keywordSpan, statement: site.loop.at, note: noteOf(facts, context, site.inside) })];
}

/** The counter that does not hold, and what it is compared to. */
function boundOf({ atom, kind }: Escape): ReadonlySet<string> {
  return atom === null ? new Set() : new Set([atom.place, ...boundPlaces(atom), ...(kind === "moved" && atom.kind === "clock" ? [CLOCK] : [])]);
}

/** What the loop gives each variable and attribute. */
function givenBy(moves: readonly Move[]): ReadonlyMap<string, readonly ValueId[]> {
  const given = new Map<string, ValueId[]>();
  for (const { place, how, value } of moves) {
    if (how === "grows" || how === "shrinks" || value === undefined) continue;
    const list = given.get(place);
    if (list === undefined) given.set(place, [value]);
    else list.push(value);
  }
  return given;
}

/**
 * A loop that waits between its rounds and that nothing but somebody else ends does work as long as it is wanted: no
 * success ends it, as it would a retry. What costs with each round has to lie in a function of its own, the service's.
 */
function isDaemon(facts: ModuleFacts, context: RuleContext, site: LoopSite, changer: Changer | null, reached: readonly ReachedEffect[]): boolean {
  if (reached.some((each) => isCostly(each.effect) && each.steps.length === 0)) return false;
  // A pause that only comes after an error is that of a retry.
  const rounds = [...site.loop.before, ...beside(site.loop.body).map(({ statement }) => statement)];
  if (!pauses(facts, context, rounds)) return changer === "outside" && pauses(facts, context, site.inside);
  return changer === "outside" || (changer === null && !leaves(site)) || isBackground(facts, site.function);
}
