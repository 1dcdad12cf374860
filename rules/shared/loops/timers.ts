import { functionsOf } from "@agentgate/parsers";
import type { CallId, ModuleFacts } from "@agentgate/parsers";
import type { RuleContext, RuleFinding } from "../../rule.ts";
import { cutOffNote } from "../effects/cut-off.ts";
import type { ReachedEffect } from "../effects/index.ts";
import { bare, callsApi } from "../expressions.ts";
import { onlyReads, worstOf } from "./effects.ts";
import { effectPath, withoutHanded } from "./findings.ts";
import { reachedPhrase } from "../effects/index.ts";
import { isCleared, isDetachedByName } from "./clears.ts";
import { calledName, methodOf } from "./places.ts";
import { LOOPS } from "./vocabulary.ts";

/** `setInterval` that nothing of the module clears. */
export function timerFindings(facts: ModuleFacts, context: RuleContext, effects: (call: CallId) => readonly ReachedEffect[]): RuleFinding[] {
  return facts.calls.flatMap((call, id) => {
    if (!callsApi(call, LOOPS.timers.repeating)) return [];
    const found = worstOf(effects(id));
    const worst = found === null ? null : withoutHanded(facts, id, found);
    // What is only looked at from time to time is a service of the process.
    if (worst === null || onlyReads(effects(id)) || isBesideServer(facts, id) || isDetached(facts, id) || isCleared(facts, id) || clearsItself(facts, call.arguments[0]?.value ?? -1)) return [];
    return [{
      severity: "error" as const,
      message: `This timer repeats ${reachedPhrase(worst)} with no bound: a clearInterval was looked for in this module and not found. `
        + "It goes on as long as the process lives. Keep what setInterval returns, and clear it past a limit or in the clean-up." + cutOffNote(facts, context, [id]),
      span: call.nameSpan, capability: worst.effect.capability, api: worst.effect.api, key: `${worst.effect.root} timer`,
      statement: call.statement, related: effectPath(call.nameSpan, worst),
    }];
  });
}

const LISTENS: ReadonlySet<string> = new Set(LOOPS.timers.listens);

/** What the function that starts a server also does from time to time lasts as long as the server. */
function isBesideServer(facts: ModuleFacts, id: CallId): boolean {
  const around = facts.calls[id]!.function;
  return facts.calls.some((call) => call.function === around && methodOf(facts, call) !== null && LISTENS.has(calledName(facts, call)));
}

/** `setInterval(check, 1000).unref()`: it goes on no longer than what the process lives for. */
function isDetached(facts: ModuleFacts, id: CallId): boolean {
  return isDetachedByName(facts, id) || facts.calls.some((call) => {
    const method = methodOf(facts, call);
    const object = method?.name === "unref" ? facts.values[bare(facts, method.object)] : undefined;
    return object?.kind === "call" && object.call === id;
  });
}

/** `setInterval(function () { … clearInterval(this) })`. */
function clearsItself(facts: ModuleFacts, callback: number): boolean {
  const bodies = new Set(callback < 0 ? [] : functionsOf(facts, callback));
  return bodies.size > 0 && facts.calls.some((call) => bodies.has(call.function) && callsApi(call, LOOPS.timers.clears));
}
