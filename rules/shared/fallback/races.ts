import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import listed from "../../data/fallbacks.json" with { type: "json" };
import { callsApi, originsOf } from "../expressions.ts";
import { statementsIn } from "../statements.ts";
import { talksIn } from "./errors.ts";
import { replacementIn } from "./replaced.ts";
import type { Replacement } from "./replaced.ts";
import { goesThroughOthers, isHeadedBy } from "./rotations.ts";
import type { Rotation } from "./rotations.ts";
import { talkOf } from "./talks.ts";
import type { Talk } from "./talks.ts";

const MAPS: ReadonlySet<string> = new Set(["map", "flatMap"]);
const MOST_ITEMS = 24;

/** Calls for which the first answer without an error counts: `Promise.any(hosts.map((host) => fetch(host)))`. */
function racesIn(facts: ModuleFacts): readonly { readonly call: CallId; readonly given: ValueId }[] {
  if (facts.language === "python") return [];
  return facts.calls.flatMap((call, id) => (callsApi(call, listed.races.apis) && call.arguments[0] !== undefined ? [{ call: id, given: call.arguments[0].value }] : []));
}

/** Of a list that is mapped to requests, what its items are. */
export function mappedRaces(facts: ModuleFacts, context: RuleContext): readonly Rotation[] {
  return racesIn(facts).flatMap(({ call, given }) => originsOf(facts, given).values.flatMap((origin): readonly Rotation[] => {
    const value = facts.values[origin];
    const mapping = value?.kind === "call" ? facts.calls[value.call]! : undefined;
    const callee = mapping === undefined ? undefined : facts.values[mapping.callee];
    const callback = facts.values[mapping?.arguments[0]?.value ?? -1];
    if (callee?.kind !== "member" || !MAPS.has(callee.property ?? "") || callback?.kind !== "function") return [];
    const subject = facts.functions[callback.function]!;
    const items = new Set(subject.parameters.slice(0, 1).map(({ binding }) => binding));
    for (const talk of talksIn(facts, context, statementsIn(subject.body))) {
      const slot = talk.slots.find((each) => isHeadedBy(facts, each.value, items) && goesThroughOthers(facts, context, { list: callee.object, slot: each }, talk, items));
      if (slot !== undefined) return [{ list: callee.object, kind: slot.kind, to: talk, at: facts.calls[call]!.callee }];
    }
    return [];
  }));
}

/** Of requests that are listed side by side, what one puts in place of another. */
export function listedRaces(facts: ModuleFacts, context: RuleContext): readonly Replacement[] {
  return racesIn(facts).flatMap(({ given }) => originsOf(facts, given).values.flatMap((origin): readonly Replacement[] => {
    const value = facts.values[origin];
    if (value?.kind !== "list") return [];
    const [first, ...others] = value.items.slice(0, MOST_ITEMS).flatMap((item) => askedBy(facts, context, item) ?? []);
    return first === undefined ? [] : others.flatMap((other) => replacementIn(facts, context, { ...first, work: RACED }, { ...other, work: RACED }) ?? []).slice(0, 1);
  }));
}

/** What races is asked for the same. */
const RACED: ReadonlySet<string> = new Set(["raced"]);

function askedBy(facts: ModuleFacts, context: RuleContext, item: ValueId): Talk | null {
  const [only, ...others] = originsOf(facts, item).values;
  const value = only === undefined || others.length > 0 ? undefined : facts.values[only];
  return value?.kind === "call" ? talkOf(facts, context, value.call) : null;
}
