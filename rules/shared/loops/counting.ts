import { constantsOf } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import type { PlacedFunction } from "../effects/index.ts";
import { bare, callsApi } from "../expressions.ts";
import { movesOf } from "./moves.ts";
import type { Move } from "./moves.ts";
import { placeOf } from "./places.ts";
import { loopSites } from "./sites.ts";
import type { Loop } from "./sites.ts";
import { LOOPS } from "./vocabulary.ts";

/**
 * What the head of a loop does to its variable before each round, where what it walks over counts:
 * `for attempt in itertools.count(1)`, or a generator of the tree that does the same.
 */
export function countedMoves(facts: ModuleFacts, context: RuleContext, loop: Loop): readonly Move[] {
  const value = loop.iterable === null ? undefined : facts.values[bare(facts, loop.iterable)];
  const place = loop.targets.length === 1 ? placeOf(facts, loop.targets[0]!) : null;
  if (value?.kind !== "call" || place === null) return [];
  const call = facts.calls[value.call]!;
  if (callsApi(call, LOOPS.endless.counting)) {
    const step = call.arguments.find(({ name }) => name === "step") ?? call.arguments.filter(({ name }) => name === undefined)[1];
    const given = step === undefined ? 1 : constantsOf(facts, step.value)?.[0]?.value;
    return [{ place, how: typeof given !== "number" || given === 0 ? "any" : given > 0 ? "up" : "down" }];
  }
  const ways = effectsOf(facts, context).callees(value.call).map((callee) => countingOf(callee));
  return ways.length === 0 || ways.includes(null) ? [] : [{ place, how: ways[0]! }];
}

/** How the number moves that a generator hands out in a loop of its own; null where it is none that only moves one way. */
function countingOf({ facts, function: id }: PlacedFunction): "up" | "down" | null {
  if (facts.functions[id]?.generator !== true) return null;
  const sites = loopSites(facts).filter((site) => site.function === id);
  const handed = sites.length === 1 ? sites[0]!.inside.flatMap((statement) => {
    const value = statement.kind === "expression" ? facts.values[bare(facts, statement.value)] : undefined;
    return value?.kind === "yield" ? [value.value === null ? null : placeOf(facts, value.value)] : [];
  }) : [];
  const [place, ...others] = handed;
  if (place === undefined || place === null || others.length > 0) return null;
  const hows = sites[0]!.inside.concat(sites[0]!.loop.update).flatMap((statement) => movesOf(facts, statement)).filter((move) => move.place === place).map(({ how }) => how);
  const [how] = hows;
  return hows.length === 1 && (how === "up" || how === "down") ? how : null;
}
