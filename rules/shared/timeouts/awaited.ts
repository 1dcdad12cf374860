import type { Call, CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import data from "../../data/timeouts.json" with { type: "json" };
import { callersOf } from "../callers.ts";
import { callsApi, originsOf } from "../expressions.ts";
import { idOfCall, onceFor } from "../indexes.ts";
import { statementsIn } from "../statements.ts";
import type { TimeoutDefault } from "./defaults.ts";
import { functionsCalled } from "./handed.ts";
import { treatmentOf } from "./made.ts";
import { optionIn } from "./options.ts";

/** What waits until a socket can be read, and no longer than it is told to. */
interface Wait {
  readonly api: string;
  /** The argument that holds the sockets, and the one that holds the limit. */
  readonly sockets: number;
  readonly limit: number;
  readonly keyword?: string;
  readonly option?: string;
}

const WAITS: readonly Wait[] = data.waits;
const READS: { readonly members: readonly string[]; readonly events: readonly string[]; readonly listeners: readonly string[]; readonly streams: readonly string[] } = data.reads;

/**
 * Whether everything that the file reads from a socket stands behind a wait that has a limit: `select([sock], [], [], 1)`
 * before `sock.recv`, `once(socket, "data", { signal })`. A socket that leaves the file is read where nobody sees it.
 */
export function isAwaitedWithLimit(facts: ModuleFacts, made: readonly ValueId[], { connecting }: TimeoutDefault): boolean {
  if (connecting === undefined) return false;
  const waits = limitedWaits(facts).filter(({ sockets }) => sockets.some((id) => made.includes(id)));
  if (waits.length === 0 || made.some((id) => leaving(facts).has(id))) return false;
  /** Calls are listed in the order in which they run. */
  const isBehindWait = (id: CallId): boolean => waits.some(({ call }) => call < id && facts.calls[call]!.function === facts.calls[id]!.function);
  return made.flatMap((id) => treatmentOf(facts).calls.get(id) ?? []).every(({ member, call }) => {
    if (READS.streams.includes(member) || listensForData(facts, member, call)) return false;
    if (!READS.members.includes(member) || isBehindWait(call)) return true;
    const callers = callersOf(facts, facts.calls[call]!.function);
    return callers.length > 0 && callers.every((caller) => isBehindWait(idOfCall(facts, caller)));
  });
}

/** Whether the file shows all that is done with a socket, and reads nothing from it: only its connecting is waited for. */
export function readsNothing(facts: ModuleFacts, made: readonly ValueId[], { connecting }: TimeoutDefault): boolean {
  if (connecting === undefined || made.length === 0 || made.some((id) => leaving(facts).has(id))) return false;
  return made.flatMap((id) => treatmentOf(facts).calls.get(id) ?? []).every(({ member, call }) =>
    !READS.members.includes(member) && !READS.streams.includes(member) && !listensForData(facts, member, call));
}

function listensForData(facts: ModuleFacts, member: string, id: CallId): boolean {
  const event = facts.values[facts.calls[id]!.arguments[0]?.value ?? -1];
  return READS.listeners.includes(member) && !(event?.kind === "string" && !READS.events.includes(event.value));
}

interface LimitedWait {
  readonly call: CallId;
  readonly sockets: readonly ValueId[];
}

const limitedWaits = onceFor((facts): readonly LimitedWait[] => facts.calls.flatMap((call, id) => {
  const wait = waitOf(call);
  if (wait === undefined || !hasLimit(facts, call, wait)) return [];
  const given = call.arguments[wait.sockets]?.value ?? -1;
  const list = facts.values[given];
  return [{ call: id, sockets: (list?.kind === "list" ? list.items : [given]).flatMap((item) => originsOf(facts, item).values) }];
}));

function waitOf(call: Call): Wait | undefined {
  return call.references.length === 0 ? undefined : WAITS.find(({ api }) => callsApi(call, [api]));
}

function hasLimit(facts: ModuleFacts, call: Call, { limit, keyword, option }: Wait): boolean {
  const given = call.arguments.find(({ name }) => name !== undefined && name === keyword) ?? call.arguments.filter(({ name }) => name === undefined)[limit];
  if (given === undefined) return false;
  if (option !== undefined) return typeof optionIn(facts, given.value, option) === "number";
  const value = facts.values[given.value];
  return !(value?.kind === "constant" && value.value === null);
}

/** What the file returns, hands to something that is neither its own nor a wait, or goes through as a stream. */
const leaving = onceFor((facts): ReadonlySet<ValueId> => {
  const statements = facts.functions.flatMap(({ body }) => statementsIn(body));
  const given = statements.flatMap((statement) => {
    if (statement.kind === "return") return statement.value === null ? [] : [statement.value];
    return statement.kind === "loop" && statement.iterable !== null ? [statement.iterable] : [];
  });
  const handed = facts.calls.flatMap((call) => (waitOf(call) !== undefined || functionsCalled(facts, call).length > 0 ? [] : call.arguments.map(({ value }) => value)));
  return new Set([...given, ...handed].flatMap((id) => originsOf(facts, id).values));
});
