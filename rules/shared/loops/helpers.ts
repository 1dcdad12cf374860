import { constantsOf, functionsOf, onOneLine } from "@agentgate/parsers";
import type { Call, CallId, FunctionFacts, ModuleFacts, Span, ValueId } from "@agentgate/parsers";
import type { RuleContext, RuleFinding } from "../../rule.ts";
import data from "../../data/retry-helpers.json" with { type: "json" };
import { argumentOf } from "../arguments.ts";
import { cutOffNote } from "../effects/cut-off.ts";
import { effectsOf, reachedPhrase } from "../effects/index.ts";
import type { ReachedEffect } from "../effects/index.ts";
import { bare, callsApi, isApi, originsOf } from "../expressions.ts";
import { onlyReads, worstOf } from "./effects.ts";
import { effectPath, noteOf } from "./findings.ts";
import { statementsIn } from "../statements.ts";
import type { LoopSite } from "./sites.ts";

interface Helper {
  readonly language: string;
  readonly api: string;
  readonly stops: readonly { readonly name: string; readonly position: number | null }[];
  readonly byDefault: string;
  readonly forever?: string;
  readonly zeroIsEndless?: boolean;
}

const HELPERS: readonly Helper[] = data.helpers;

type EffectsOf = (call: CallId) => readonly ReachedEffect[];

/** Retry helpers and decorators that are given no stop. */
export function helperFindings(facts: ModuleFacts, context: RuleContext, effects: EffectsOf): RuleFinding[] {
  const found: RuleFinding[] = [];
  const helpers = HELPERS.filter((helper) => helper.language === facts.language);
  facts.functions.forEach((subject, id) => {
    for (const decorator of subject.decorators) found.push(...ofDecorator(facts, context, helpers, subject, id, decorator));
  });
  const direct = directCalls(facts, helpers);
  if (direct.size === 0) return found;
  facts.calls.forEach((call, id) => {
    if (call.decorator === true) return;
    const helper = helperCall(facts, direct, call, id);
    const worst = helper === null ? null : worstOf(effects(id));
    if (helper !== null && worst !== null) found.push(finding(facts, helper, worst, onlyReads(effects(id)), call.nameSpan, call.statement, cutOffNote(facts, context, [id])));
  });
  return found;
}

/** The calls of a module that are of a helper itself: hardly any module has one. */
function directCalls(facts: ModuleFacts, helpers: readonly Helper[]): ReadonlyMap<CallId, Helper> {
  const direct = new Map<CallId, Helper>();
  const apis = helpers.map(({ api }) => api);
  facts.calls.forEach((call, id) => {
    // `retry(stop=…)(send)(body)`: only the first of these calls is given the stop.
    if (!callsApi(call, apis) || facts.values[bare(facts, call.callee)]?.kind === "call") return;
    direct.set(id, helpers.find(({ api }) => callsApi(call, [api]))!);
  });
  return direct;
}

function ofDecorator(facts: ModuleFacts, context: RuleContext, helpers: readonly Helper[], subject: FunctionFacts, id: number, decorator: ValueId): RuleFinding[] {
  const value = facts.values[bare(facts, decorator)];
  const call = madeBy(facts, decorator);
  if (call === "unknown") return [];
  const helper = helpers.find(({ api }) => (call === null ? isApi(facts, decorator, [api]) : callsApi(call, [api])));
  if (helper === undefined || (call === null ? helper.byDefault !== "endless" : !isEndless(facts, call, helper))) return [];
  const reached = effectsOf(facts, context).reachedByFunction(id);
  const worst = worstOf(reached);
  if (worst === null) return [];
  const span = call?.nameSpan ?? (value?.kind === "member" ? value.propertySpan : value?.span ?? subject.nameSpan);
  return [finding(facts, helper, worst, onlyReads(reached), span, call?.statement ?? 0, noteOf(facts, context, statementsIn(subject.body)))];
}

/** The call that made a decorator, also under a name; null where it is the helper itself, unknown where a function made it. */
function madeBy(facts: ModuleFacts, decorator: ValueId): Call | "unknown" | null {
  const made = originsOf(facts, decorator).values.flatMap((origin) => {
    const value = facts.values[origin];
    return value?.kind === "call" ? [facts.calls[value.call]!] : [];
  });
  const [only] = made;
  if (only === undefined) return null;
  return made.length > 1 || HELPERS.every(({ api }) => !callsApi(only, [api])) || functionsOf(facts, only.callee).length > 0 ? "unknown" : only;
}

/** The endless helper that is given the function at once, or by a call of what it made. */
function helperCall(facts: ModuleFacts, direct: ReadonlyMap<CallId, Helper>, call: Call, id: CallId): Helper | null {
  const own = direct.get(id);
  if (own !== undefined) return isEndless(facts, call, own) ? own : null;
  const callee = facts.values[call.callee];
  const object = callee?.kind === "member" ? callee.object : call.callee;
  for (const origin of originsOf(facts, object).values) {
    const value = facts.values[origin];
    const helper = value?.kind === "call" ? direct.get(value.call) : undefined;
    if (value?.kind === "call" && helper !== undefined) return isEndless(facts, facts.calls[value.call]!, helper) ? helper : null;
  }
  return null;
}

/** `for attempt in Retrying(…)`: whether the loop's iterable is a helper without a stop. */
export function isEndlessRetrying(facts: ModuleFacts, { loop }: LoopSite): boolean {
  if (loop.iterable === null) return false;
  const helpers = HELPERS.filter((helper) => helper.language === facts.language);
  return originsOf(facts, loop.iterable).values.some((origin) => {
    const value = facts.values[origin];
    const call = value?.kind === "call" ? facts.calls[value.call]! : null;
    const helper = call === null ? undefined : helpers.find(({ api }) => callsApi(call, [api]));
    return call !== null && helper !== undefined && isEndless(facts, call, helper);
  });
}

/** Whether the call of a helper gives it no stop, or takes the one away that it has by default. */
function isEndless(facts: ModuleFacts, call: Call, helper: Helper): boolean {
  if (helper.forever !== undefined && isTrue(facts, call, helper.forever)) return true;
  const given = helper.stops.map(({ name, position }) => argumentOf(facts, call, position, name));
  // A spread may hold a stop.
  if (given.includes("unknown")) return false;
  const stops = given.map((stop) => (typeof stop === "number" ? stopOf(facts, stop, helper) : null));
  if (stops.includes("bound")) return false;
  if (helper.byDefault === "endless") return true;
  // Of several limits each has a default of its own: all have to be taken away.
  return stops.length > 0 && stops.every((stop) => stop === "none") ;
}

function isTrue(facts: ModuleFacts, call: Call, name: string): boolean {
  const given = argumentOf(facts, call, null, name);
  return typeof given === "number" && constantsOf(facts, given)?.some((constant) => constant.value === true) === true;
}

function stopOf(facts: ModuleFacts, id: ValueId, helper: Helper): "bound" | "none" {
  if (isApi(facts, id, data.never)) return "none";
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "name" && value.name === "Infinity" && value.binding < 0) return "none";
  if (value?.kind === "member" && value.property === "POSITIVE_INFINITY") return "none";
  const constants = constantsOf(facts, id)?.map((constant) => constant.value);
  if (constants === undefined || constants.length === 0) return "bound";
  const isNone = (constant: unknown): boolean => constant === null || constant === Infinity || (typeof constant === "number" && (constant < 0 || (constant === 0 && helper.zeroIsEndless === true)));
  return constants.every(isNone) ? "none" : "bound";
}

function finding(facts: ModuleFacts, helper: Helper, worst: ReachedEffect, reads: boolean, span: Span, statement: number, note: string): RuleFinding {
  const names = helper.stops.map(({ name }) => name).join(" or ");
  const looked = names === "" ? "it takes none" : `${names} was looked for and ${helper.byDefault === "endless" ? "not found" : "is off"}`;
  return {
    severity: reads ? "warning" : "error",
    message: `${helper.api} repeats ${reachedPhrase(worst)} with no bound: ${looked}. As long as the call fails it goes on, also after one that was carried out and then failed. `
      + `Give it ${names === "" ? "a loop with a counter instead" : `a finite ${helper.stops[0]!.name}`}.${note}`,
    span: onOneLine(facts.lines, span), capability: worst.effect.capability, api: worst.effect.api, key: `${worst.effect.root} helper`,
    statement, related: effectPath(span, worst),
  };
}
