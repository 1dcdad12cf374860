import type { ModuleFacts } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { statementsIn } from "../statements.ts";
import { pauses } from "./effects.ts";
import { calledName } from "./places.ts";
import { endlessHead, loopSites } from "./sites.ts";
import type { LoopSite } from "./sites.ts";
import { isEndedByStarter } from "./starters.ts";

/**
 * Whether a loop that pauses is a round of a service: all that calls its function are endless loops that pause, too, so
 * that a cap would only move the repeat to them; or it runs as a task that its creator cancels.
 */
export function isRoundOfService(facts: ModuleFacts, context: RuleContext, site: LoopSite): boolean {
  if (!pauses(facts, context, site.inside)) return false;
  return isEndedByStarter(facts, site.function) || isCalledByServices(facts, context, site);
}

function isCalledByServices(facts: ModuleFacts, context: RuleContext, site: LoopSite): boolean {
  const { name } = facts.functions[site.function]!;
  if (name === "") return false;
  const calls = facts.calls.flatMap((call, id) => (calledName(facts, call) === name ? [id] : []));
  if (calls.length === 0) return false;
  const served = new Set(loopSites(facts).filter((each) => isService(facts, context, each)).flatMap(({ loop }) => statementsIn(loop.body).flatMap((statement) => (statement.kind === "call" ? [statement.call] : []))));
  return calls.every((call) => served.has(call));
}

/** `while True: sleep(interval); client.beat()`: nothing leaves it. */
function isService(facts: ModuleFacts, context: RuleContext, site: LoopSite): boolean {
  return endlessHead(facts, site.loop, context.loopCeiling)?.kind === "always" && pauses(facts, context, site.inside)
    && !site.inside.some((statement) => statement.kind === "return" || (statement.kind === "jump" && statement.to === "break"));
}
