import type { BindingId, CallId, FunctionId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { bindingsIn } from "../attempts/places.ts";
import { bare, childrenOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { statementsIn } from "../statements.ts";

/** A name that only an error makes true. */
export interface ErrorFlag {
  /** The function in which the error is handled. */
  readonly function: FunctionId;
  /** What was tried before. */
  readonly tried: readonly Statement[];
}

const MOST_STATEMENTS = 400;

/** Names that are nothing or false, and that a handler or the callback of `.catch` alone makes true or gives its error. */
export const errorFlags = onceFor((facts): ReadonlyMap<BindingId, ErrorFlag> => {
  const flags = new Map<BindingId, ErrorFlag>();
  const raised = new Map<BindingId, Set<ValueId>>();
  for (const { flag, handler } of handlersIn(facts)) {
    for (const statement of handler) {
      if (statement.kind !== "assign" || statement.operator !== "=" || !isTruthy(facts, statement.value)) continue;
      for (const binding of bindingsIn(facts, statement.targets)) {
        if (!flags.has(binding)) flags.set(binding, flag);
        raised.set(binding, (raised.get(binding) ?? new Set()).add(statement.value));
      }
    }
  }
  for (const [binding, set] of raised) {
    const others = (facts.bindings[binding]?.values ?? []).filter((value) => !set.has(value));
    if (others.length === 0 || !others.every((value) => isFalsy(facts, value))) flags.delete(binding);
  }
  return flags;
});

interface Handled {
  readonly flag: ErrorFlag;
  readonly handler: readonly Statement[];
}

function handlersIn(facts: ModuleFacts): readonly Handled[] {
  const handled = facts.functions.flatMap(({ body }, id) => statementsIn(body).flatMap((statement): readonly Handled[] => {
    if (statement.kind !== "try") return [];
    const flag = { function: id, tried: statementsIn(statement.body).slice(0, MOST_STATEMENTS) };
    return statement.handlers.map((handler) => ({ flag, handler: statementsIn(handler.body).slice(0, MOST_STATEMENTS) }));
  }));
  return facts.language === "python" ? handled : [...handled, ...facts.calls.flatMap((call) => ofCallback(facts, call))];
}

/** `first().catch(() => { isDown = true; })`. */
function ofCallback(facts: ModuleFacts, call: ModuleFacts["calls"][number]): readonly Handled[] {
  const callee = facts.values[call.callee];
  if (callee?.kind !== "member") return [];
  const given = callee.property === "catch" ? call.arguments[0] : callee.property === "then" ? call.arguments[1] : undefined;
  const handler = given === undefined ? undefined : facts.values[given.value];
  if (handler?.kind !== "function") return [];
  const tried = callsIn(facts, callee.object).map((each): Statement => ({ kind: "call", call: each, at: call.statement }));
  return [{ flag: { function: call.function, tried }, handler: statementsIn(facts.functions[handler.function]!.body).slice(0, MOST_STATEMENTS) }];
}

const MOST_PARTS = 40;

function callsIn(facts: ModuleFacts, id: ValueId): readonly CallId[] {
  const calls: CallId[] = [];
  const pending = [id];
  for (let steps = 0; pending.length > 0 && steps < MOST_PARTS; steps++) {
    const value = facts.values[pending.pop()!];
    if (value === undefined) continue;
    if (value.kind === "call") calls.push(value.call);
    pending.push(...childrenOf(facts, value));
  }
  return calls;
}

/** `true`, or the error itself. */
function isTruthy(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "constant") return value.value === true;
  if (value?.kind !== "name") return false;
  const given = facts.bindings[value.binding]?.values ?? [];
  return given.length > 0 && given.every((each) => facts.values[each]?.kind === "caught");
}

function isFalsy(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "constant" && value.value !== true;
}
