import { onOneLine } from "@agentgate/parsers";
import type { CallId, ModuleFacts } from "@agentgate/parsers";
import type { Related, RuleContext, RuleFinding } from "../../rule.ts";
import type { ReachedEffect } from "../effects/index.ts";
import { countedEffects, effectCalls, isGiven, onlyReads, pauses, worstOf } from "./effects.ts";
import { elsewhereIn } from "./elsewhere.ts";
import { escapeOf, isTimeLimited } from "./escape.ts";
import type { Escape } from "./escape.ts";
import { changerOf, loopMoves } from "./heads.ts";
import { escapingSpan, messageOf } from "./messages.ts";
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
  if (calls.length === 0 || isTimeLimited(facts, site.around)) return [];
  const isWorkItem = (place: string): boolean => calls.some((call) => isGiven(facts, call, (each) => each === place));
  if (head.kind === "range" && site.loop.targets.some((target) => isWorkItem(placeOf(facts, target) ?? ""))) return [];
  const moves = loopMoves(facts, site);
  const changed = new Set(moves.flatMap((move) => (["given", "constant", "any", "up", "down"].includes(move.how) ? [move.place] : [])));
  const escape = escapeOf({ facts, context, site, effectsOf: effects, changed, elsewhere: elsewhereIn(facts, context), isWorkItem });
  if (escape === null) return [];
  const reached = calls.flatMap((call) => effects(call));
  const changer = head.kind === "condition" ? changerOf(facts, site, head.test, new Set(calls), moves) : null;
  if (escape.kind === "none" && (changer === "itself" || isDaemon(facts, site, changer, reached))) return [];
  const isPaging = onlyReads(reached) && calls.some((call) => isGiven(facts, call, (place) => changed.has(place)));
  const isPoll = onlyReads(reached) && pauses(facts, site);
  return [findingOf(facts, site, escape, calls, effects, isPaging, isPoll)];
}

/** A loop that somebody else stops and that waits between its rounds does work as long as it is wanted. */
function isDaemon(facts: ModuleFacts, site: LoopSite, changer: string | null, reached: readonly ReachedEffect[]): boolean {
  return changer === "outside" && pauses(facts, site) && reached.every(({ effect }) => effect.capability !== "model" && effect.capability !== "tool");
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
