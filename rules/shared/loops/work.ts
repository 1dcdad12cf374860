import type { Call, CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare, callsApi, isApi } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { statementsIn } from "../statements.ts";
import { isClearedEvent } from "./events.ts";
import { asksSomebody } from "./person.ts";
import { calledName, methodOf } from "./places.ts";
import { LOOPS } from "./vocabulary.ts";

const FUNCTIONS = new Set(LOOPS.work.functions);
const METHODS = new Set(LOOPS.work.methods);
const QUEUE_METHODS = new Set(LOOPS.work.queueMethods);
const QUEUE_NAMES = LOOPS.work.queueNames;

/** Asked for what they do, not for what they answer. */
const WAITS = new Set(["wait", "input", "raw_input"]);

/**
 * Whether a call waits for work from outside: a queue, a socket, a stream, a person, an iterator of events. A loop that
 * does so in each round goes round as often as there is work. A name alone tells only where the answer is used.
 */
export function waitsForWork(facts: ModuleFacts, id: CallId): boolean {
  const call = facts.calls[id]!;
  // `run_in_executor(None, input)`.
  if (callsApi(call, LOOPS.work.apis) || call.arguments.some((argument) => isApi(facts, argument.value, ["builtins.input"]) || isNextOfIterator(facts, argument.value))) return true;
  const name = calledName(facts, call);
  if (!WAITS.has(name) && !isAnswerUsed(facts, id)) return false;
  const method = methodOf(facts, call);
  if (asksSomebody(facts, call)) return true;
  if (method === null) return FUNCTIONS.has(name) && facts.values[call.callee]?.kind === "name";
  if (METHODS.has(name)) return takesLittle(facts, call, name);
  if (isLongPoll(facts, id)) return true;
  // A table is asked for a key, and a variable of the context is there at once.
  if (name === "get" && call.arguments.length === 0 && isAwaited(facts, id)) return true;
  if (name === "wait" && call.arguments.length === 0 && isClearedEvent(facts, id, method.object)) return true;
  if (!QUEUE_METHODS.has(name) || !isLikeQueue(facts, method.object)) return false;
  // With a time it is a pause.
  return name === "wait" ? call.arguments.length === 0 : takesNoKey(facts, call);
}

/** Whether a method of this name reads on in a source: `iter(pipe.readline, "")`. */
export function readsOn(name: string): boolean {
  return METHODS.has(name);
}

/** Whether a method of this name waits for messages, and is no word for other things too. */
export function isSourceMethod(name: string): boolean {
  return METHODS.has(name) && /^(?:recv|receive|get_|read_|wait_)/.test(name);
}

const POLLS = new Set(LOOPS.longPolls.methods);
const SINCE = new Set(LOOPS.longPolls.since);
const TIMEOUT = new Set(LOOPS.longPolls.timeout);

/** `client.sync(since=token, timeout=60000)`: it is answered when there is something new. */
export function isLongPoll(facts: ModuleFacts, id: CallId): boolean {
  const call = facts.calls[id]!;
  const method = methodOf(facts, call);
  if (method === null || !POLLS.has(method.name)) return false;
  const names = call.arguments.flatMap(({ name, value }) => {
    if (name !== undefined) return [name];
    const table = facts.values[bare(facts, value)];
    return table?.kind !== "table" ? [] : table.entries.flatMap(({ key }) => {
      const written = key === null ? undefined : facts.values[key];
      return written?.kind === "string" ? [written.value] : [];
    });
  });
  return names.some((name) => SINCE.has(name)) && names.some((name) => TIMEOUT.has(name));
}

const NEXTS = new Set(["next", "__next__", "__anext__"]);

/** `iterator.next`, `iterator.next.bind(iterator)`: handed on to be called for the next item. */
function isNextOfIterator(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "member") return value.property !== null && NEXTS.has(value.property) && value.subscript !== true;
  if (value?.kind !== "call") return false;
  const method = methodOf(facts, facts.calls[value.call]!);
  return method?.name === "bind" && isNextOfIterator(facts, method.object);
}

const awaited = onceFor((facts): ReadonlySet<CallId> => new Set(facts.values.flatMap((value) => {
  const inner = value.kind === "await" ? facts.values[value.value] : undefined;
  return inner?.kind === "call" ? [inner.call] : [];
})));

function isAwaited(facts: ModuleFacts, id: CallId): boolean {
  return awaited(facts).has(id);
}

/** Whether anything is done with what a call answers. */
function isAnswerUsed(facts: ModuleFacts, id: CallId): boolean {
  return !unusedAnswers(facts).has(id);
}

/** Calls that stand alone, and those whose answer is given to names that nothing reads. */
const unusedAnswers = onceFor((facts): ReadonlySet<CallId> => {
  const unused = new Set<CallId>();
  const written = new Set<ValueId>();
  const assigned: { readonly binding: number; readonly call: CallId }[] = [];
  for (const statement of facts.functions.flatMap(({ body }) => statementsIn(body))) {
    if (statement.kind === "expression") noteCall(facts, statement.value, unused);
    if (statement.kind !== "assign" || statement.operator !== "=") continue;
    const value = facts.values[bare(facts, statement.value)];
    for (const target of statement.targets) {
      const name = facts.values[target];
      if (name?.kind !== "name" || name.binding < 0) continue;
      written.add(target);
      if (value?.kind === "call") assigned.push({ binding: name.binding, call: value.call });
    }
  }
  const read = new Set<number>();
  facts.values.forEach((value, id) => { if (value.kind === "name" && !written.has(id)) read.add(value.binding); });
  for (const { binding, call } of assigned) if (!read.has(binding)) unused.add(call);
  return unused;
});

function noteCall(facts: ModuleFacts, id: ValueId, calls: Set<CallId>): void {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "call") calls.add(value.call);
}

/** `read(path)` and `select(rows)` of other things name what they want; a source of work is at most told how much. */
function takesLittle(facts: ModuleFacts, call: Call, name: string): boolean {
  if (name !== "read" && name !== "next" && name !== "select" && name !== "take" && name !== "accept" && name !== "receive") return true;
  return call.arguments.every((argument) => {
    const value = facts.values[bare(facts, argument.value)];
    return value?.kind !== "string" && value?.kind !== "template" && value?.kind !== "table";
  });
}

/** A queue is asked for the next item, a table for a key. */
function takesNoKey(facts: ModuleFacts, call: Call): boolean {
  return call.arguments.every((argument) => {
    if (argument.name !== undefined) return true;
    const value = facts.values[bare(facts, argument.value)];
    return value?.kind === "constant" || value?.kind === "number" || value?.kind === "name" || value?.kind === "member";
  });
}

function isLikeQueue(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  const made = value?.kind === "name" ? facts.values[bare(facts, facts.bindings[value.binding]?.values[0] ?? -1)] : undefined;
  if (made?.kind === "call" && isQueueName(calledName(facts, facts.calls[made.call]!))) return true;
  // `queues[key].get()`.
  if (value?.kind === "member" && value.property === null) return isLikeQueue(facts, value.object);
  return isQueueName(value?.kind === "name" ? value.name : value?.kind === "member" ? value.property ?? "" : "");
}

function isQueueName(written: string): boolean {
  const last = written.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase().split(/[_#]+/).filter((word) => word !== "").at(-1) ?? "";
  return QUEUE_NAMES.includes(last) || QUEUE_NAMES.includes(last.replace(/s$/, ""));
}
