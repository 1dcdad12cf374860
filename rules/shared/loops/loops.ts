import { onOneLine } from "@agentgate/parsers";
import type { CallId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { Related, RuleContext, RuleFinding } from "../../rule.ts";
import type { ReachedEffect } from "../effects/index.ts";
import { boundPlaces } from "./bounds.ts";
import { bodiesOf } from "../statements.ts";
import { countedEffects, effectCalls, isGiven, onlyReads, pauses, worstOf } from "./effects.ts";
import { elsewhereIn } from "./elsewhere.ts";
import { escapeOf, isTimeLimited } from "./escape.ts";
import type { Escape } from "./escape.ts";
import { changerOf, loopMoves } from "./heads.ts";
import type { Changer } from "./heads.ts";
import { isBackground, isRunWithinLimit } from "./starters.ts";
import { escapingSpan, messageOf } from "./messages.ts";
import type { Move } from "./moves.ts";
import { placeOf } from "./places.ts";
import { endlessHead, loopSites } from "./sites.ts";
import type { Endless, LoopSite } from "./sites.ts";

/** The loops of a module that repeat an effect without a bound. */
export function loopFindings(facts: ModuleFacts, context: RuleContext): RuleFinding[] {
  const known = new Map<CallId, readonly ReachedEffect[]>();
  const effects = (call: CallId): readonly ReachedEffect[] => {
    let found = known.get(call);
    if (found === undefined) known.set(call, (found = countedEffects(facts, context, call)));
    return found;
  };
  return loopSites(facts).flatMap((site) => {
    const head = endlessHead(facts, site.loop, context.loopCeiling);
    return head === null ? [] : judgeLoop(facts, context, site, head, effects);
  });
}

function judgeLoop(facts: ModuleFacts, context: RuleContext, site: LoopSite, head: Endless, effects: (call: CallId) => readonly ReachedEffect[]): RuleFinding[] {
  const calls = effectCalls(site, effects);
  if (calls.length === 0 || isTimeLimited(facts, site.around) || isRunWithinLimit(facts, site.function)) return [];
  const isWorkItem = (place: string): boolean => calls.some((call) => isGiven(facts, call, (each) => each === place));
  if (head.kind === "range" && site.loop.targets.some((target) => isWorkItem(placeOf(facts, target) ?? ""))) return [];
  const moves = loopMoves(facts, site);
  const given = givenBy(moves);
  const escape = escapeOf({ facts, context, site, effectsOf: effects, given, elsewhere: elsewhereIn(facts, context), isWorkItem });
  if (escape === null) return [];
  const reached = calls.flatMap((call) => effects(call));
  const changer = head.kind === "condition" ? changerOf(facts, context, site, head.test, new Set(calls), moves, boundOf(escape)) : null;
  if (changer === "itself") return [];
  if (escape.kind === "none" && (isDaemon(facts, site, changer, reached) || isUniqueName(facts, moves, calls, reached))) return [];
  const isPaging = onlyReads(reached) && calls.some((call) => isGiven(facts, call, (place) => given.has(place)));
  const isPoll = onlyReads(reached) && pauses(facts, site);
  return [findingOf(facts, site, escape, calls, effects, isPaging, isPoll)];
}

/** The counter that does not hold, and what it is compared to. */
function boundOf({ atom }: Escape): ReadonlySet<string> {
  return atom === null ? new Set() : new Set([atom.place, ...boundPlaces(atom)]);
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

/** A loop that somebody else stops and that waits between its rounds does work as long as it is wanted. */
function isDaemon(facts: ModuleFacts, site: LoopSite, changer: Changer | null, reached: readonly ReachedEffect[]): boolean {
  if (!pauses(facts, site) || reached.some(({ effect }) => effect.capability === "model" || effect.capability === "tool")) return false;
  const leaves = statementsBesideHandlers(site.loop.body).some((statement) => statement.kind === "return" || (statement.kind === "jump" && statement.to === "break"));
  return changer === "outside" || (!leaves && isBackground(facts, site.function));
}

/** The statements of a body without those of its handlers: being cancelled is no end of the work. */
function statementsBesideHandlers(body: readonly Statement[]): readonly Statement[] {
  const found: Statement[] = [];
  const pending = [body];
  while (pending.length > 0) {
    for (const statement of pending.pop()!) {
      found.push(statement);
      pending.push(...(statement.kind === "try" ? [statement.body, statement.otherwise, statement.finally] : bodiesOf(statement)));
    }
  }
  return found;
}

/** A name that is tried with another number each time until it is free. */
function isUniqueName(facts: ModuleFacts, moves: readonly Move[], calls: readonly CallId[], reached: readonly ReachedEffect[]): boolean {
  if (!reached.every(({ effect }) => effect.capability === "db.write" || effect.capability.startsWith("fs."))) return false;
  const counters = new Set(moves.flatMap((move) => (move.how === "up" || move.how === "down" ? [move.place] : [])));
  return calls.some((call) => isGiven(facts, call, (place) => counters.has(place)));
}

function findingOf(
  facts: ModuleFacts, site: LoopSite, escape: Escape, calls: readonly CallId[], effects: (call: CallId) => readonly ReachedEffect[], isPaging: boolean, isPoll: boolean,
): RuleFinding {
  const worst = worstOf(calls.flatMap((call) => effects(call)))!;
  const call = calls.find((each) => effects(each).includes(worst))!;
  const { effect } = worst;
  return {
    severity: isPaging || isPoll ? "warning" : "error",
    message: messageOf(facts, "This loop", escape, worst, isPaging),
    span: onOneLine(facts.lines, site.loop.keywordSpan),
    capability: effect.capability,
    api: effect.api,
    key: `${effect.root} ${escape.kind}`,
    statement: site.loop.at,
    related: relatedOf(facts, escape, call, worst),
  };
}

function relatedOf(facts: ModuleFacts, escape: Escape, call: CallId, worst: ReachedEffect): Related[] {
  const related: Related[] = [{ span: facts.calls[call]!.nameSpan, message: `${worst.effect.api} is repeated here` }];
  for (const step of worst.steps.slice(1)) related.push({ ...(step.path !== undefined && { path: step.path }), span: step.span, message: `which calls ${step.name}` });
  if (worst.steps.length > 0) related.push({ ...(worst.path !== undefined && { path: worst.path }), span: worst.effect.span, message: `which calls ${worst.effect.api}` });
  const escaping = escapingSpan(facts, escape);
  if (escaping !== null) related.push({ span: escaping, message: "the way round that nothing bounds" });
  return related;
}
