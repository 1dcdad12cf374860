import type { Call, CallId, ModuleFacts } from "@agentgate/parsers";
import type { RuleContext, RuleFinding } from "../../rule.ts";
import { ableTo } from "../phrases.ts";
import { enclosingFunctions } from "../reach/places.ts";
import { effectsOf } from "./index.ts";
import { MOST_CALLS, MOST_FUNCTIONS } from "./walk.ts";

/**
 * What a rule reports, and what it would report too if effects behind more calls than are followed were near: only there does
 * its verdict depend on a search that was cut off. Hardly any module has a call that is, so that it is judged once.
 */
export function judgedWithinBounds(rule: string, facts: ModuleFacts, context: RuleContext, judge: (context: RuleContext) => RuleFinding[]): RuleFinding[] {
  const found = judge(context);
  if (!effectsOf(facts, context).isCutOff) return found;
  const reported = new Set(found.map(({ span }) => span[0]));
  const further = judge({ ...context, beyond: true }).filter(({ span }) => !reported.has(span[0]));
  return [...found, ...further.map((each) => unfinished(rule, facts, context, each))];
}

function unfinished(rule: string, facts: ModuleFacts, context: RuleContext, { severity, span, statement, capability, key }: RuleFinding): RuleFinding {
  const functionAt = enclosingFunctions(facts);
  const around = functionAt(span[0]);
  const calls = effectsOf(facts, context).cutOff.map((call) => facts.calls[call]!).filter((call) => functionAt(call.span[0]) === around);
  const [first] = calls;
  const name = first === undefined ? "this" : nameOf(facts, first);
  const does = capability === null ? "do more" : ableTo(capability);
  return {
    severity, span, statement, capability: null, api: null, key: `${rule} ${key}`, unfinished: true,
    message: `What ${name} runs was not followed to its end: it goes on over more than ${String(MOST_CALLS)} calls or ${MOST_FUNCTIONS.toLocaleString("en")} functions, and behind them it can ${does}. `
      + `Whether ${rule} would report this place is not known. Call what does so more directly, or read the place by eye.`,
    related: calls.map((call) => ({ span: call.nameSpan, message: "What this runs was not followed to its end." })),
  };
}

/**
 * Says that what some calls do was not searched to its end, as a sentence to put behind a message; empty where it was. The
 * first of the calls that was cut off is named.
 */
export function cutOffNote(facts: ModuleFacts, context: RuleContext, calls: readonly CallId[]): string {
  const effects = effectsOf(facts, context);
  // Only what was asked about is known to be cut off.
  for (const call of calls) effects.reachedBy(call);
  const cut = new Set(effects.cutOff);
  const call = calls.find((each) => cut.has(each));
  return call === undefined ? "" : ` The search for effects behind ${nameOf(facts, facts.calls[call]!)} stopped at its bound, so that it may do more than this.`;
}

function nameOf(facts: ModuleFacts, call: Call): string {
  const callee = facts.values[call.callee];
  const name = callee?.kind === "name" ? callee.name : callee?.kind === "member" ? callee.property ?? "" : "";
  return name === "" ? "a call" : name;
}
