import { functionsOf } from "@agentgate/parsers";
import type { Call, CallId, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { consumerOf } from "../consumers.ts";
import { bare, callsApi } from "../expressions.ts";
import { callsWrittenIn, onceFor, resultOf, takers } from "../indexes.ts";
import { lastName } from "./options.ts";

/** What a timer runs, by the position where it is given. */
const TIMERS: readonly (readonly [number, readonly string[]])[] = [[0, ["globalThis.setTimeout", "timers.setTimeout"]], [1, ["threading.Timer"]]];

export function timerArgument(call: Call): ValueId | undefined {
  const timer = TIMERS.find(([, names]) => callsApi(call, names));
  return timer === undefined ? undefined : call.arguments[timer[0]]?.value;
}

/** Whether a function is the executor of a promise that a timer settles, whatever becomes of the calls made in it. */
export function isSettledByTimer(facts: ModuleFacts, id: FunctionId): boolean {
  const taker = takers(facts).get(id);
  const subject = facts.functions[id];
  // What an executor awaits may stand before its timer.
  if (taker === undefined || subject === undefined || subject.async === true || !callsApi(taker, ["globalThis.Promise"])) return false;
  const settle = subject.parameters.slice(0, 2).map(({ binding }) => binding);
  const isSettling = (value: ValueId): boolean => {
    const name = facts.values[bare(facts, value)];
    return name?.kind === "name" && settle.includes(name.binding);
  };
  return (timersIn(facts).get(id) ?? []).some((timer) => {
    const run = timerArgument(timer)!;
    return isSettling(run) || functionsOf(facts, run).some((each) => callsWrittenIn(facts, each).some((call) => isSettling(facts.calls[call]!.callee)));
  });
}

/**
 * Whether a timer of the same function ends what a call made, by the name or attribute that it is given:
 * `this.socket = net.connect(…)` and `setTimeout(() => self.socket.destroy(), 5000)`.
 */
export function isEndedByTimer(facts: ModuleFacts, id: CallId, ends: readonly string[]): boolean {
  const call = facts.calls[id]!;
  const timers = timersIn(facts).get(call.function) ?? [];
  const statement = timers.length === 0 ? undefined : consumerOf(facts, resultOf(facts, id));
  const given = statement?.kind === "assign" ? statement.targets.map((target) => lastName(facts, target)).filter((name) => name !== "") : [];
  if (given.length === 0) return false;
  return timers.some((timer) => endsWithin(facts, timer).some(({ member, name }) => ends.includes(member) && given.includes(name)));
}

/** A member of something that has a name, `destroy` of `self.socket`, and where it begins. */
interface Named {
  readonly member: string;
  readonly name: string;
  readonly at: number;
}

const ENDS = new Set(["destroy", "abort", "end", "close", "shutdown"]);

const endsOf = onceFor((facts): readonly Named[] => facts.values.flatMap((value) => {
  if (value.kind !== "member" || value.property === null || !ENDS.has(value.property)) return [];
  const name = lastName(facts, value.object);
  return name === "" ? [] : [{ member: value.property, name, at: value.span[0] }];
}));

function endsWithin(facts: ModuleFacts, { span: [start, end] }: Call): readonly Named[] {
  return endsOf(facts).filter(({ at }) => at >= start && at < end);
}

const timersIn = onceFor((facts): ReadonlyMap<FunctionId, readonly Call[]> => {
  const timers = new Map<FunctionId, Call[]>();
  for (const call of facts.calls) {
    if (timerArgument(call) === undefined) continue;
    const list = timers.get(call.function);
    if (list === undefined) timers.set(call.function, [call]);
    else list.push(call);
  }
  return timers;
});
