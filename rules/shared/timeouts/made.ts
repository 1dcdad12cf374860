import type { Call, CallId, FunctionId, ModuleFacts, Reference, ValueId } from "@agentgate/parsers";
import { functionsOf } from "@agentgate/parsers";
import { memberWrites } from "../consumers.ts";
import { callsApi, isApi, originsOf } from "../expressions.ts";
import { callsWrittenIn, onceFor, resultOf, takers } from "../indexes.ts";
import { statementsIn } from "../statements.ts";
import type { TimeoutDefault } from "./defaults.ts";
import { timeoutGiven } from "./given.ts";
import { withParameters } from "./handed.ts";
import { lastName } from "./options.ts";
import { privateFieldValues } from "./private-fields.ts";
import { timerArgument } from "./timers.ts";

/** What the file does with an object that a call made: by the expression that made it, the members called and written. */
interface Treatment {
  readonly calls: ReadonlyMap<ValueId, readonly MemberCall[]>;
  readonly writes: ReadonlyMap<ValueId, readonly string[]>;
}

interface MemberCall {
  /** Empty where the object itself is called. */
  readonly member: string;
  readonly call: CallId;
  /** Run later by a timer. */
  readonly timed: boolean;
}

export const treatmentOf = onceFor((facts): Treatment => {
  const calls = new Map<ValueId, MemberCall[]>();
  facts.calls.forEach((call, id) => {
    const callee = facts.values[call.callee];
    const member = callee?.kind === "member" ? callee.property ?? "" : "";
    const object = callee?.kind === "member" ? callee.object : call.callee;
    if (callee?.kind !== "member" && callee?.kind !== "name") return;
    for (const origin of objectsOf(facts, object)) push(calls, origin, { member, call: id, timed: isTimed(facts, call) });
    // `this.send(options)`, where the attribute is the object itself.
    if (callee.kind !== "member") return;
    for (const origin of originsOf(facts, call.callee).values) if (origin !== call.callee) push(calls, origin, { member: "", call: id, timed: isTimed(facts, call) });
  });
  const writes = new Map<ValueId, string[]>();
  for (const { target } of memberWrites(facts)) {
    const member = facts.values[target];
    if (member?.kind !== "member" || member.property === null) continue;
    const inner = facts.values[member.object];
    const path = inner?.kind === "member" && inner.property !== null ? `${inner.property}.${member.property}` : member.property;
    for (const origin of objectsOf(facts, member.object)) push(writes, origin, path, member.property);
  }
  return { calls, writes };
});

function push<T>(map: Map<ValueId, T[]>, key: ValueId, ...items: readonly T[]): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [...items]);
  else list.push(...items);
}

const MOST_STEPS = 64;

/** The expressions that made an object, chains of calls on it and members of it (`conn.sock`) followed. */
function objectsOf(facts: ModuleFacts, id: ValueId): ReadonlySet<ValueId> {
  const found = new Set<ValueId>();
  const pending = [id];
  while (pending.length > 0 && found.size < MOST_STEPS) {
    for (const origin of originsOf(facts, pending.pop()!).values) {
      if (found.has(origin)) continue;
      found.add(origin);
      const value = facts.values[origin];
      if (value?.kind === "member") pending.push(value.object);
      else if (value?.kind === "call") {
        const callee = facts.values[facts.calls[value.call]!.callee];
        if (callee?.kind === "member") pending.push(callee.object);
        pending.push(...privateFieldValues(facts, facts.calls[value.call]!));
      }
    }
  }
  return found;
}

/** Functions of the file that a timer runs: what it is given, and what that calls (`setTimeout(() => fail(error), 5000)`). */
const timedFunctions = onceFor((facts): ReadonlySet<FunctionId> => {
  const given = new Set(facts.calls.flatMap((call) => {
    const handed = timerArgument(call);
    return handed === undefined ? [] : functionsOf(facts, handed);
  }));
  const called = facts.calls.flatMap((call) => (given.has(call.function) ? functionsOf(facts, call.callee) : []));
  return new Set([...given, ...called]);
});

function isTimed(facts: ModuleFacts, call: Call): boolean {
  const taker = takers(facts).get(call.function);
  return (taker !== undefined && timerArgument(taker) !== undefined) || timedFunctions(facts).has(call.function);
}

/** Whether a raw socket or agent leaves the function: returned, as what a promise gives, or as a part of another object. Whoever gets it sets the limit. */
export function isHandedOut(facts: ModuleFacts, made: readonly ValueId[]): boolean {
  return made.some((id) => handedOut(facts).has(id));
}

const handedOut = onceFor((facts): ReadonlySet<ValueId> => {
  const returned = facts.functions.flatMap(({ body }) => statementsIn(body).flatMap((statement) => (statement.kind === "return" && statement.value !== null ? [statement.value] : [])));
  const resolved = facts.calls.flatMap((call) => {
    const callee = facts.values[call.callee];
    const name = callee?.kind === "name" ? callee.name : callee?.kind === "member" ? callee.property : null;
    // What an object of another module is made of is its own from then on.
    const isOwned = name !== null && /^[A-Z]\w*[a-z]/.test(name) && call.arguments.length > 0 && functionsOf(facts, call.callee).length === 0;
    if (isOwned) return call.arguments.map(({ value }) => value);
    return name === "resolve" || name === "set_result" ? call.arguments.slice(0, 1).map(({ value }) => value) : [];
  });
  return new Set([...returned, ...resolved].flatMap((id) => originsOf(facts, id).values));
});

/**
 * Whether the file gives an object a limit after it was made: `sock.settimeout(5)`, `req.setTimeout(5000)`,
 * `session.mount(…)`. A function of the file that is handed the object may do so too. What takes the limit away again
 * before the call counts, what does so afterwards does not.
 */
export function isSetAfterwards(facts: ModuleFacts, made: readonly ValueId[], { settings }: Pick<TimeoutDefault, "settings">, judged: Call): boolean {
  if (settings === undefined) return false;
  const { calls, writes } = treatmentOf(facts);
  return withParameters(facts, made).some((id) => {
    const treated = calls.get(id) ?? [];
    const lifted = treated.filter(({ member, call }) => settings.methods?.includes(member) === true && lifts(facts, facts.calls[call]!, member)).map(({ call }) => facts.calls[call]!);
    const isLifted = ({ call }: MemberCall): boolean => lifted.some((each) => each.function === judged.function && isBefore(facts.calls[call]!, each) && isBefore(each, judged));
    return treated.some((each) => sets(facts, each, settings) && !isLifted(each)) || (writes.get(id) ?? []).some((path) => settings.attributes?.includes(path) === true);
  });
}

/** In one function; what another one does may come at any time. */
function isBefore(one: Call, other: Call): boolean {
  return one.function === other.function && one.nameSpan[0] < other.nameSpan[0];
}

/** `sock.setblocking(True)`, `sock.settimeout(None)`. */
function lifts(facts: ModuleFacts, call: Call, member: string): boolean {
  const value = facts.values[call.arguments[0]?.value ?? -1];
  return value?.kind === "constant" && value.value === (member === "setblocking" ? true : null);
}

function sets(facts: ModuleFacts, { member, call, timed }: MemberCall, settings: NonNullable<TimeoutDefault["settings"]>): boolean {
  if (timed && settings.ends?.includes(member) === true) return true;
  if (LISTENING.includes(member) && settings.listeners !== undefined) {
    return endsAt(facts, facts.calls[call]!, settings.listeners, settings.ends ?? []) || limitsSocket(facts, facts.calls[call]!, settings);
  }
  return settings.methods?.includes(member) === true && !lifts(facts, facts.calls[call]!, member) && !isIdleSetting(facts, facts.calls[call]!, settings.idle ?? []);
}

const LISTENING = ["on", "once", "addListener"];

/** `request.on("timeout", () => request.destroy())`: a listener that ends the request, or fails what waits for it. */
function endsAt(facts: ModuleFacts, call: Call, events: readonly string[], ends: readonly string[]): boolean {
  const [event, listener] = call.arguments.map(({ value }) => value);
  const written = facts.values[event ?? -1];
  if (written?.kind !== "string" || !events.includes(written.value) || listener === undefined) return false;
  return isEnding(facts, listener, ends);
}

function isEnding(facts: ModuleFacts, listener: ValueId, ends: readonly string[]): boolean {
  const isEnd = (id: ValueId): boolean => [...ends, "reject"].includes(lastName(facts, id));
  const functions = functionsOf(facts, listener);
  return functions.length === 0 ? isEnd(listener) : functions.some((id) => callsWrittenIn(facts, id).some((inner) => isEnd(facts.calls[inner]!.callee)));
}

/** `request.on("socket", (socket) => { socket.setTimeout(5000); socket.on("timeout", () => request.abort()); })`. */
function limitsSocket(facts: ModuleFacts, call: Call, { methods, ends }: NonNullable<TimeoutDefault["settings"]>): boolean {
  const [event, listener] = call.arguments.map(({ value }) => value);
  const written = facts.values[event ?? -1];
  if (written?.kind !== "string" || written.value !== "socket" || listener === undefined) return false;
  return functionsOf(facts, listener).some((id) => {
    const inside = callsWrittenIn(facts, id).map((inner) => facts.calls[inner]!);
    return inside.some((inner) => {
      if (methods?.includes(lastName(facts, inner.callee)) !== true) return false;
      const late = inner.arguments[1]?.value;
      return (late !== undefined && isEnding(facts, late, ends ?? [])) || inside.some((other) => LISTENING.includes(lastName(facts, other.callee)) && endsAt(facts, other, ["timeout"], ends ?? []));
    });
  });
}

/** What is handed over is the library's own, which has no limit, or is None. */
function isIdleSetting(facts: ModuleFacts, call: Call, idle: readonly string[]): boolean {
  const last = call.arguments.at(-1)?.value;
  if (last === undefined) return false;
  const origins = originsOf(facts, last).values.map((id) => facts.values[id]!);
  if (origins.every((value) => value.kind === "constant" && value.value === null)) return true;
  return idle.length > 0 && origins.every((value) => value.kind === "call" && functionsOf(facts, facts.calls[value.call]!.callee).length === 0 && isApi(facts, facts.calls[value.call]!.callee, idle));
}

/** Whether the client that a call makes is only used in calls that each have a limit. */
export function allCallsLimited(facts: ModuleFacts, id: CallId, { calls, unlimited }: TimeoutDefault): boolean {
  if (calls === undefined) return false;
  const made = treatmentOf(facts).calls.get(resultOf(facts, id)) ?? [];
  const judged = made.flatMap(({ member, call }) => {
    const kind = calls.find(({ members }) => members.includes(member));
    return kind === undefined ? [] : [timeoutGiven(facts, facts.calls[call]!, kind.places, unlimited ?? []).kind === "limited"];
  });
  return judged.length > 0 && judged.every(Boolean);
}

/** The expressions in the file that made what a method is called on; empty where it came from elsewhere. */
export function makersOf(facts: ModuleFacts, called: ValueId): readonly ValueId[] {
  const callee = facts.values[called];
  return callee?.kind === "member" ? originsOf(facts, callee.object).values.filter((id) => facts.values[id]?.kind === "call") : [];
}

/** Whether only an annotation says what a client is: who made it has set its limit, where that is not seen to be this file. */
export function isAnothersClient(facts: ModuleFacts, called: ValueId, { module, path }: Reference): boolean {
  const callee = facts.values[called];
  if (callee?.kind !== "member" || makersOf(facts, called).length > 0) return false;
  const origins = originsOf(facts, callee.object).values;
  const made = facts.calls.flatMap((call, id) => (callsApi(call, [[module, ...path.slice(0, -1)].join(".")]) ? [resultOf(facts, id)] : []));
  const handed = withParameters(facts, made);
  return !origins.some((origin) => handed.includes(origin));
}

/** What a call is made of shows that it goes to no network: a datagram or local socket, a path, `file:`. */
export function isOfKind(references: readonly Reference[], names: readonly string[]): boolean {
  return references.some(({ module, path }) => names.includes([module, ...path].join(".")));
}
