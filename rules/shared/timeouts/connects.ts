import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bindingsGiven, consumerOf, readsOf } from "../consumers.ts";
import { parentsOf } from "../expressions.ts";
import type { TimeoutDefault } from "./defaults.ts";

const MOST_STEPS = 64;
const COMPARISONS = new Set(["is", "is not", "==", "!="]);

/**
 * Whether the file shows all that is done with a socket, and that is to connect: whether a port answers. The system
 * gives up connecting by itself, and nothing else is waited for.
 */
export function onlyConnects(facts: ModuleFacts, made: readonly ValueId[], { connecting }: TimeoutDefault): boolean {
  if (connecting === undefined || made.length === 0) return false;
  const pending = [...made];
  for (let step = 0; pending.length > 0; step++) {
    if (step > MOST_STEPS) return false;
    const next = usesAfter(facts, pending.pop()!, connecting);
    if (next === null) return false;
    pending.push(...next);
  }
  return true;
}

/** Where a socket is found again after one use of it; null where that use may wait, or is not known. */
function usesAfter(facts: ModuleFacts, id: ValueId, connecting: NonNullable<TimeoutDefault["connecting"]>): readonly ValueId[] | null {
  const around = parentsOf(facts)[id]!;
  if (around !== -1) {
    const member = facts.values[around]!;
    if (member.kind === "await") return [around];
    // `sock is not None` asks nothing of it.
    if (member.kind === "unary" || (member.kind === "binary" && COMPARISONS.has(member.operator))) return [];
    const call = parentsOf(facts)[around]!;
    const value = facts.values[call];
    if (member.kind !== "member" || value?.kind !== "call" || facts.calls[value.call]!.callee !== around) return null;
    // A listener is put on the socket itself, and gives it back.
    return isBrief(facts, value.call, member.property ?? "", connecting) ? (connecting.listeners?.includes(member.property ?? "") === true ? [call] : []) : null;
  }
  const statement = consumerOf(facts, id);
  if (statement?.kind === "test") return [];
  if (statement?.kind !== "assign" && statement?.kind !== "with" && statement?.kind !== "expression") return null;
  const pair = statement.kind === "assign" ? partsGiven(facts, id, statement.targets) : null;
  if (pair !== null) return pair;
  if (statement.kind === "assign" && statement.targets.some((target) => facts.values[target]?.kind !== "name")) return null;
  return bindingsGiven(facts, id).flatMap((binding) => readsOf(facts, binding));
}

/** `reader, writer = await open_connection(host, port)`: where each of the two is read; null where one is kept elsewhere. */
function partsGiven(facts: ModuleFacts, id: ValueId, [target, ...others]: readonly ValueId[]): readonly ValueId[] | null {
  const list = target === undefined ? undefined : facts.values[target];
  if (list?.kind !== "list" || others.length > 0 || list.items.some((item) => facts.values[item]?.kind !== "name")) return null;
  const parts = facts.values.flatMap((value, part) => (value.kind === "item" && value.of === id ? bindingsGiven(facts, part) : []));
  return parts.length === list.items.length ? parts.flatMap((binding) => readsOf(facts, binding)) : null;
}

function isBrief(facts: ModuleFacts, id: CallId, member: string, { members, listeners, events, empty }: NonNullable<TimeoutDefault["connecting"]>): boolean {
  const call = facts.calls[id]!;
  if (empty?.includes(member) === true) return call.arguments.length === 0;
  if (listeners?.includes(member) !== true) return members.includes(member);
  const event = facts.values[call.arguments[0]?.value ?? -1];
  return event?.kind === "string" && events?.includes(event.value) === true;
}
