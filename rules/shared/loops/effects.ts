import { functionsOf } from "@agentgate/parsers";
import type { CallId, FunctionId, ModuleFacts, Span, Statement, ValueId } from "@agentgate/parsers";
import type { Capability } from "../../catalogue/capability.ts";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import type { ReachedEffect } from "../effects/index.ts";
import { asRead, asksOnly, isOfReader, isReadByHelper, isToldToRead, startsItself } from "./reads.ts";
import type { CountedEffect } from "./reads.ts";
import { callsApi, someIngredient } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { statementsIn } from "../statements.ts";
import { calledName, lastName } from "./places.ts";
import { LOOPS } from "./vocabulary.ts";
import { wordsOf } from "./words.ts";

/** The effects of a call that a loop must not repeat without a bound. */
export function countedEffects(facts: ModuleFacts, context: RuleContext, call: CallId): readonly ReachedEffect[] {
  const reached = effectsOf(facts, context).reachedBy(call)
    .filter((each) => !isOfFiles(each) && !isOfPage(each) && !isTelemetry(each) && !isEnding(each) && !isPrivate(each) && !isOfMaking(each) && !isFarBehind(facts, context, each) && !startsItself(facts, context, each))
    .map((each) => (asksOnly(facts, context, each) ? asRead(each) : each));
  if (!reached.some(({ steps }) => steps.length > 0)) return reached;
  const isTold = isToldToRead(facts, context, call);
  const isSided = isTold && reached.some(({ effect, steps }) => effect.capability === "net" && !effect.writes && steps.length > 0);
  return reached.flatMap((each) => (isCostly(each.effect) ? [each] : isSided && isOtherSide(each) ? [] : withoutSides(each, isTold)));
}

const MUTATING = new Set(LOOPS.reading.mutating);

/** `if method == "POST": session.post(url) else: session.get(url)`, of which the other side was chosen. */
function isOtherSide({ effect, steps }: ReachedEffect): boolean {
  return effect.capability === "net" && effect.writes && steps.length > 0 && MUTATING.has(lastName(effect.api));
}

/** What a helper that reads also does, such as to keep its token or to tidy up at the end, is no write that the loop repeats. */
function withoutSides(reached: ReachedEffect, isTold: boolean): ReachedEffect[] {
  if (isReadByHelper(reached, isTold)) return [asRead(reached)];
  if (!isOfReader(reached) && !isTold) return [reached];
  const { capability, writes } = reached.effect;
  if (capability === "proc") return [asRead(reached)];
  return capability === "net" && !writes ? [reached] : [];
}

const PARTS = /^(?:http_?)?(?:headers?|params|query_?params|url|timeout|config|options|cookies)$/i;

/** A private part of a package that does I/O as a whole, or its headers and settings, are no request. */
function isPrivate({ effect: { api, capability, writes } }: ReachedEffect): boolean {
  if (capability !== "net" || writes) return false;
  return api.split(".").slice(1).some((name, index, names) => name.startsWith("_") || (index < names.length - 1 && PARTS.test(name)));
}

const ENDING = new Set(LOOPS.ending);

const CONSTRUCTORS: ReadonlySet<string> = new Set(["__init__", "__new__", "__post_init__", "constructor"]);

/**
 * What the making of an object on the way does, such as a client that signs in: it is a side of what is called. The
 * environment that is set again is what it was.
 */
function isOfMaking({ effect, steps }: ReachedEffect): boolean {
  if (effect.capability === "env.write") return true;
  return !isCostly(effect) && steps.some(({ name }) => CONSTRUCTORS.has(lastName(name)));
}

/**
 * Over how many functions that do many things an effect is still what a loop repeats. A request, a file or a row further
 * below is a side of what the call is for: of findings on 43 packages none of those was right. A model is what its
 * callers are for, also from a few functions above.
 */
const NEAR = { costs: 4, reads: 3, acts: 1 };
/** A function with one call only hands on to the next one; one with as few as these hides little else, and counts half. */
const FEW_CALLS = 3;

function isFarBehind(facts: ModuleFacts, context: RuleContext, { effect, steps, path }: ReachedEffect): boolean {
  const near = isCostly(effect) ? NEAR.costs : effect.capability === "net" && !effect.writes ? NEAR.reads : NEAR.acts;
  if (steps.length <= near) return false;
  // Each step but the first stands in the function that the one before it runs, and the effect in the last one.
  const inside = [...steps.slice(1), { span: effect.span, ...(path !== undefined && { path }) }];
  const counts = inside.map((each) => callsBeside(each.path === undefined ? facts : context.tree.facts(each.path), each.span));
  return counts.reduce((sum, count) => sum + (count <= 1 ? 0 : count <= FEW_CALLS ? 0.5 : 1), 0) > near;
}

/** How many calls the function makes in which the call at a span stands. */
function callsBeside(facts: ModuleFacts | null, [start]: Span): number {
  const counted = facts === null ? undefined : callCounts(facts);
  return counted?.counts.get(counted.functionAt.get(start) ?? -1) ?? 0;
}

/** How many calls each function has, and the function of the call whose name starts at an offset. */
const callCounts = onceFor((facts) => {
  const counts = new Map<FunctionId, number>();
  const functionAt = new Map<number, FunctionId>();
  for (const call of facts.calls) {
    counts.set(call.function, (counts.get(call.function) ?? 0) + 1);
    functionAt.set(call.nameSpan[0], call.function);
  }
  return { counts, functionAt };
});

/** To hang up or to stop something waiting changes nothing, however often it is done. */
function isEnding({ effect }: ReachedEffect): boolean {
  return (effect.capability === "net" || effect.capability === "proc") && ENDING.has(lastName(effect.api));
}

/**
 * To open, lock or write a file of this machine costs nothing and is the same when it is done again: of five such loops that
 * were read on fresh packages none was worth a finding.
 */
function isOfFiles({ effect }: ReachedEffect): boolean {
  return effect.capability === "fs.write" || effect.capability === "fs.delete";
}

const BROWSERS = new Set(LOOPS.browsers.roots);
const LOADS = new Set(LOOPS.browsers.loads);

/** What is asked of the page that a browser shows goes to the browser, and not out: `page.url()`, `driver.get_title()`. */
function isOfPage({ effect: { api, capability, root, writes } }: ReachedEffect): boolean {
  return capability === "net" && !writes && BROWSERS.has(root) && !LOADS.has(lastName(api));
}

const TELEMETRY = new Set(LOOPS.telemetry.roots);

/** What tells those who run the program how it does. */
function isTelemetry({ effect }: ReachedEffect): boolean {
  return TELEMETRY.has(effect.root) || TELEMETRY.has(effect.root.split(".")[0]!);
}

const COSTLY: ReadonlySet<Capability> = new Set<Capability>(["model", "tool", "pay", "mail", "notify"]);

/** Whether each time costs money or reaches somebody. */
export function isCostly({ capability }: { readonly capability: Capability }): boolean {
  return COSTLY.has(capability);
}

const WORST: readonly Capability[] = ["pay", "model", "tool", "mail", "notify", "queue", "db.write", "cloud.write", "net", "proc", "env.write"];

/** The effect to be told of several: the one that costs most. */
export function worstOf(effects: readonly ReachedEffect[]): ReachedEffect | null {
  let worst: ReachedEffect | null = null;
  for (const each of effects) if (worst === null || rank(each) < rank(worst)) worst = each;
  return worst;
}

/** What a call does by itself or next to it is what it is for; what lies far behind it may be a side of it. */
function rank({ effect, steps }: ReachedEffect): number {
  const place = WORST.indexOf(effect.capability);
  const cost = (place < 0 ? WORST.length : place) * 2 - (effect.writes && effect.capability === "net" ? 1 : 0);
  return Math.floor(Math.min(steps.length, 40) / 2) * 100 + cost * 2 + Math.min(steps.length, 40) % 2;
}

/** The calls of a body that have an effect, in source order. */
export function effectCalls(inside: readonly Statement[], effects: (call: CallId) => readonly ReachedEffect[]): CallId[] {
  return inside.flatMap((statement) => (statement.kind === "call" && effects(statement.call).length > 0 ? [statement.call] : []));
}

/** A request that changes nothing, or a command that only asks. */
export function isReading({ effect }: ReachedEffect): boolean {
  return !effect.writes && (effect.capability === "net" || (effect as CountedEffect).asks === true);
}

/** The effects of each call that are wanted. */
export function keptEffects(effects: (call: CallId) => readonly ReachedEffect[], isWanted: (each: ReachedEffect) => boolean): (call: CallId) => readonly ReachedEffect[] {
  const known = new Map<CallId, readonly ReachedEffect[]>();
  return (call) => {
    let found = known.get(call);
    if (found === undefined) known.set(call, (found = effects(call).filter(isWanted)));
    return found;
  };
}

/** Whether nothing of it changes anything: requests that only read. */
export function onlyReads(effects: readonly ReachedEffect[]): boolean {
  return effects.every(isReading);
}

/** Whether the loop pauses between rounds. */
export function pauses(facts: ModuleFacts, context: RuleContext, inside: readonly Statement[]): boolean {
  const tree = effectsOf(facts, context);
  return inside.some((statement) => statement.kind === "call" && (isPause(facts, statement.call)
    || tree.callees(statement.call).slice(0, 2).some((callee) => pausesItself(callee.facts, callee.function))));
}

function pausesItself(facts: ModuleFacts, id: number): boolean {
  return statementsIn(facts.functions[id]?.body ?? []).some((statement) => statement.kind === "call" && isPause(facts, statement.call));
}

const WAIT_NAMES = new Set(LOOPS.waits.names);

/** Whether a call waits for some time. */
export function isPause(facts: ModuleFacts, id: CallId): boolean {
  const call = facts.calls[id]!;
  const name = calledName(facts, call);
  // `asyncSleep(5)`, `_sleep(5)`.
  if (callsApi(call, LOOPS.waits.apis) || WAIT_NAMES.has(name) || wordsOf(name).at(-1) === "sleep") return true;
  // `new Promise((resolve) => setTimeout(resolve, 100))`.
  return call.construct === true && call.arguments.some((argument) => functionsOf(facts, argument.value).some((inner) => timersIn(facts, inner)));
}

function timersIn(facts: ModuleFacts, id: number): boolean {
  return facts.functions[id]?.body.some((statement) => statement.kind === "call" && callsApi(facts.calls[statement.call]!, LOOPS.waits.apis)) === true;
}

/** Whether an expression is made from the answer of one of the calls. */
export function isFromAnswer(facts: ModuleFacts, id: ValueId, calls: Pick<ReadonlySet<CallId>, "has">): boolean {
  return someIngredient(facts, id, (value) => value.kind === "call" && calls.has(value.call), 80);
}
