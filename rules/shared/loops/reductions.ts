import type { Call, CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext, RuleFinding } from "../../rule.ts";
import type { ReachedEffect } from "../effects/index.ts";
import { callsApi } from "../expressions.ts";
import { isReading } from "./effects.ts";
import { endlessWalk } from "./endless.ts";
import type { Escape } from "./escape.ts";
import { findingOf } from "./findings.ts";
import { calledName, methodOf } from "./places.ts";
import { LOOPS } from "./vocabulary.ts";

type EffectsOf = (call: CallId) => readonly ReachedEffect[];

const NO_BOUND: Escape = { kind: "none", way: { state: { bits: 0n, turn: null, handler: null }, jump: null }, handlers: [], atom: null, isAdvanced: false };

/** Calls that go through something endless and have an effect for each item: `any(map(send, repeat(message)))`. */
export function reductionFindings(facts: ModuleFacts, context: RuleContext, effects: EffectsOf): RuleFinding[] {
  return facts.calls.flatMap((call, id) => {
    const over = walkedBy(facts, call);
    const walk = over === null ? null : endlessWalk(facts, context, over);
    if (walk === null || (callsApi(call, [LOOPS.endless.first]) && !walk.isSifted)) return [];
    const acts: EffectsOf = (each) => effects(each).filter((reached) => !isReading(reached));
    // A method is given what is done with each item.
    const calls = [...new Set([...walk.calls, ...(methodOf(facts, call) === null ? [] : [id])])].filter((each) => acts(each).length > 0);
    if (calls.length === 0) return [];
    return [findingOf({
      facts, escape: NO_BOUND, calls, effectsOf: acts, subject: `${calledName(facts, call)}, which goes through something endless,`,
      isPaging: false, isPoll: false, span: call.nameSpan, statement: call.statement,
    })];
  });
}

/** What a call goes through to the end, or until something comes out right. */
function walkedBy(facts: ModuleFacts, call: Call): ValueId | null {
  const { endless } = LOOPS;
  if (callsApi(call, endless.reducing) || callsApi(call, [endless.first])) return call.arguments[0]?.value ?? null;
  const method = methodOf(facts, call);
  return method !== null && endless.reducingMethods.includes(method.name) ? method.object : null;
}
