import type { Call, CallId, ModuleFacts, Reference, Span, ValueId } from "@agentgate/parsers";
import type { RuleContext, RuleFinding } from "../../rule.ts";
import { callsApi, originsOf, shownName } from "../expressions.ts";
import { lookupFor } from "../lookup.ts";
import { outsideReferences } from "../tree.ts";
import { resultOf } from "../indexes.ts";
import { isLimitedAround } from "./around.ts";
import { unlimitedByDefault } from "./by-default.ts";
import { isAwaitedWithLimit, readsNothing } from "./awaited.ts";
import { areCallsLimitedAround, isLetGo } from "./calls-around.ts";
import { onlyConnects } from "./connects.ts";
import { TIMED, timeoutDefaultOf } from "./defaults.ts";
import type { TimeoutDefault } from "./defaults.ts";
import { isOverridden } from "./derived.ts";
import { isGivenLocalHost, isLimitedInTree } from "./elsewhere.ts";
import { isEventStream } from "./event-streams.ts";
import { isSetForAll } from "./everywhere.ts";
import { timeoutGiven } from "./given.ts";
import type { Given } from "./given.ts";
import { handedOver } from "./handed-over.ts";
import { isLocal } from "./local.ts";
import { allCallsLimited, isAnothersClient, isHandedOut, isSetAfterwards, makersOf } from "./made.ts";
import { timeoutMessage } from "./message.ts";
import type { Kept } from "./message.ts";
import { areSendsLimited } from "./sends.ts";
import { isEndedByTimer } from "./timers.ts";
import { isUnused } from "./unused.ts";

/** An API that a call runs, and how. */
interface Timed {
  readonly api: string;
  readonly reference: Reference;
  readonly known: TimeoutDefault;
  readonly call: CallId;
  /** The call that is given its arguments: another one where a method was kept before. */
  readonly given: Call;
  /** What is called, or what a runner is handed to call. */
  readonly callee: ValueId;
  readonly span: Span;
}

/** The calls of a module that may wait for ever, in source order. */
export function timeoutFindings(facts: ModuleFacts, context: RuleContext): RuleFinding[] {
  return facts.calls.flatMap((call, id) => {
    const timed = timedBy(facts, context, call, id);
    return timed === null ? [] : findingOf(facts, context, timed);
  });
}

function timedBy(facts: ModuleFacts, context: RuleContext, call: Call, id: CallId): Timed | null {
  for (const reference of call.references) {
    const found = knownApi(facts, context, reference);
    if (found !== null) return { ...found, call: id, given: call, callee: call.callee, span: call.nameSpan };
  }
  for (const { reference, callee, given } of handedOver(facts, call)) {
    const run = knownApi(facts, context, reference);
    if (run !== null && run.known.client !== true) return { ...run, call: id, given, callee, span: callee === call.callee ? call.nameSpan : tokenOf(facts, callee) };
  }
  return null;
}

function tokenOf(facts: ModuleFacts, id: ValueId): Span {
  const value = facts.values[id]!;
  return value.kind === "member" ? value.propertySpan : value.span;
}

function knownApi(facts: ModuleFacts, context: RuleContext, reference: Reference): Pick<Timed, "api" | "reference" | "known"> | null {
  const lookup = lookupFor(facts, context);
  if (!lookup.mayBeOf(reference.module, TIMED[facts.language])) return null;
  for (const { reference: outside } of outsideReferences(lookup.resolver, context.path, reference)) {
    const known = timeoutDefaultOf(facts.language, outside);
    // `axios.create()()` is a call of the client, and the client is reported where it is made.
    if (known !== null && !(known.client === true && outside.instance === true)) return { api: shownName(outside), reference: outside, known };
  }
  return null;
}

function findingOf(facts: ModuleFacts, context: RuleContext, timed: Timed): RuleFinding[] {
  const { known } = timed;
  if (known.strict === true && !context.strict) return [];
  const call = facts.calls[timed.call]!;
  const given = givenTo(facts, context, timed);
  if (given.kind === "limited" || (given.kind === "absent" && !isReported(known, context))) return [];
  if (isElsewhere(facts, context, timed, given)) return [];
  return [{
    severity: "warning",
    message: timeoutMessage(facts, timed.api, known, given, keptBy(facts, timed)),
    span: timed.span,
    capability: known.capability ?? "net",
    api: timed.api,
    key: timed.api,
    statement: call.statement,
    related: [],
  }];
}

function keptBy(facts: ModuleFacts, { call, callee, known }: Timed): Kept {
  return readsNothing(facts, known.made === true ? makersOf(facts, callee) : [resultOf(facts, call)], known) ? "connecting" : "code";
}

function isReported(known: TimeoutDefault, context: RuleContext): boolean {
  return (known.default === null && known.explicit !== true) || (known.strict === true && context.strict);
}

/** What is given with the call, or was put in before: `partial(requests.get, timeout=5)`. */
function givenTo(facts: ModuleFacts, context: RuleContext, { call: id, given: taking, known }: Timed): Given {
  const call = facts.calls[id]!;
  const given = timeoutGiven(facts, taking, known.places, known.unlimited ?? []);
  if (given.kind === "limited") return unlimitedByDefault(facts, context, taking, known.places, known.unlimited ?? []) ?? given;
  if (given.kind !== "absent") return given;
  const handed = [call.callee, ...call.arguments.map(({ value }) => value)].flatMap((value) => originsOf(facts, value).values);
  for (const origin of handed) {
    const value = facts.values[origin];
    const before = value?.kind === "call" ? facts.calls[value.call]! : undefined;
    if (before === undefined || !callsApi(before, ["functools.partial"])) continue;
    const earlier = timeoutGiven(facts, before, known.places.map(({ index: _index, ...place }) => place), known.unlimited ?? []);
    if (earlier.kind !== "absent") return earlier;
  }
  return given;
}

/** Whether the limit stands at another place, or no network is meant. */
function isElsewhere(facts: ModuleFacts, context: RuleContext, { call: id, callee, known, reference }: Timed, given: Given): boolean {
  const call = facts.calls[id]!;
  if (isLimitedAround(facts, id) || isLimitedInTree(facts, context, id)) return true;
  // What gives a promise has no settings of its own: a request or a client of Node runs on by its listeners.
  if (known.settings === undefined && known.client !== true && isLetGo(facts, id)) return true;
  const made = [resultOf(facts, id), ...makersOf(facts, callee)];
  if (known.handed === true && isHandedOut(facts, made)) return true;
  if (given.kind !== "absent") return areSendsLimited(facts, id, known) || isEventStream(facts, context.path, id);
  if ((known.made === true && made.length === 1) || isOverridden(facts, call, known)) return true;
  if (reference.through === "annotation" && isAnothersClient(facts, callee, reference)) return true;
  if (isGivenLocalHost(facts, context, id, known) || isAwaitedWithLimit(facts, made, known)) return true;
  if (isLocal(facts, id, known, made) || isSetAfterwards(facts, made, settingsOf(facts, call, known), call)) return true;
  if (isEndedByTimer(facts, id, known.settings?.ends ?? [])) return true;
  if (wrapsAnother(facts, made, known) || isMadeForSends(facts, call, known) || onlyConnects(facts, known.made === true ? made.slice(1) : made.slice(0, 1), known)) return true;
  if (known.client === true && (allCallsLimited(facts, id, known) || areCallsLimitedAround(facts, id) || isUnused(facts, context, resultOf(facts, id)))) return true;
  return isSetForAll(facts, context, known.global ?? []);
}

/** What may set a limit afterwards; an agent of its own has no timeout that a listener could hear of. */
function settingsOf(facts: ModuleFacts, call: Call, { places, settings, unlimited }: TimeoutDefault): Pick<TimeoutDefault, "settings"> {
  if (settings?.listeners === undefined) return settings === undefined ? {} : { settings };
  const agents = places.flatMap(({ holds, makers: _makers, ...place }) => (holds === undefined ? [] : [place]));
  const { listeners: _listeners, ...others } = settings;
  return { settings: timeoutGiven(facts, call, agents, unlimited ?? []).kind === "absent" ? settings : others };
}

/** `FuturesSession(session=self._session)`: it sends through what it is given, which may have a limit. */
function wrapsAnother(facts: ModuleFacts, made: readonly ValueId[], { wraps }: TimeoutDefault): boolean {
  return wraps !== undefined && made.some((id) => {
    const value = facts.values[id];
    return value?.kind === "call" && facts.calls[value.call]!.arguments.some(({ name }) => name !== undefined && wraps.includes(name));
  });
}

/** The pool of a library's adapter: each send brings the limit that the library was given for it. */
function isMadeForSends(facts: ModuleFacts, call: Call, { madeIn }: TimeoutDefault): boolean {
  const subject = facts.functions[call.function];
  return madeIn !== undefined && subject !== undefined && subject.class !== -1 && madeIn.includes(subject.name);
}
