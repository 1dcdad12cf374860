import type { Call, CallId, ModuleFacts, ValueId } from "@agentgate/parsers";

/** Builds something once for each record of facts and keeps it as long as they live. */
export function onceFor<T>(build: (facts: ModuleFacts) => T): (facts: ModuleFacts) => T {
  const known = new WeakMap<ModuleFacts, { readonly built: T }>();
  return (facts) => {
    const found = known.get(facts);
    if (found !== undefined) return found.built;
    const built = build(facts);
    known.set(facts, { built });
    return built;
  };
}

const resultsOf = onceFor((facts) => {
  const results = new Map<CallId, ValueId>();
  facts.values.forEach((value, id) => {
    if (value.kind === "call") results.set(value.call, id);
  });
  return results;
});

/** The expression that is the result of a call; -1 where nothing takes it. */
export function resultOf(facts: ModuleFacts, call: CallId): ValueId {
  return resultsOf(facts).get(call) ?? -1;
}

const firstCalls = onceFor((facts) => {
  const calls = new Map<number, CallId>();
  facts.calls.forEach((call, id) => {
    if (!calls.has(call.statement)) calls.set(call.statement, id);
  });
  return calls;
});

/** The first call of a statement, which has a place in its function's body; -1 where there is none. */
export function firstCallIn(facts: ModuleFacts, statement: number): CallId {
  return firstCalls(facts).get(statement) ?? -1;
}

/** The call that is given a function written in place, by the function. */
export const takers = onceFor((facts): ReadonlyMap<number, Call> => new Map(facts.calls.flatMap((call) => call.arguments.flatMap((argument) => {
  const value = facts.values[argument.value];
  return value?.kind === "function" ? [[value.function, call] as const] : [];
}))));

const statementStarts = onceFor((facts) => new Map(facts.statements.map((span, id) => [span[0], id])));

/** The statement that starts at an offset; the module's own where none does. */
export function statementStartingAt(facts: ModuleFacts, offset: number): number {
  return statementStarts(facts).get(offset) ?? 0;
}
