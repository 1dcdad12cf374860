import type { Call, CallId, FunctionId, Import, ModuleFacts, ValueId } from "@agentgate/parsers";

/**
 * Where facts keep what was worked out about them: a hidden property, which no copy, comparison or JSON sees. A weak map
 * from facts would keep its answers, and with them the facts, until the next full collection.
 */
const KEPT = Symbol("kept");

/** For facts that cannot be extended. */
const keptElsewhere = new WeakMap<ModuleFacts, unknown[]>();

let places = 0;

/** Something kept with each record of facts, for as long as they live. */
export interface Kept<T> {
  get(facts: ModuleFacts): T | undefined;
  set(facts: ModuleFacts, answer: T): void;
}

export function keptWithFacts<T>(): Kept<T> {
  const place = places++;
  return {
    get: (facts) => keptOf(facts)?.[place] as T | undefined,
    set: (facts, answer) => {
      (keptOf(facts) ?? startKeeping(facts))[place] = answer;
    },
  };
}

function keptOf(facts: ModuleFacts): unknown[] | undefined {
  return (facts as { [KEPT]?: unknown[] })[KEPT] ?? (Object.isExtensible(facts) ? undefined : keptElsewhere.get(facts));
}

function startKeeping(facts: ModuleFacts): unknown[] {
  const kept = new Array<unknown>(places).fill(undefined);
  if (Object.isExtensible(facts)) Object.defineProperty(facts, KEPT, { value: kept });
  else keptElsewhere.set(facts, kept);
  return kept;
}

/** Builds something once for each record of facts and keeps it as long as they live. */
export function onceFor<T extends object>(build: (facts: ModuleFacts) => T): (facts: ModuleFacts) => T {
  const kept = keptWithFacts<T>();
  return (facts) => {
    let found = kept.get(facts);
    if (found === undefined) kept.set(facts, (found = build(facts)));
    return found;
  };
}

const resultsOf = onceFor((facts) => {
  const results = new Int32Array(facts.calls.length).fill(-1);
  for (let id = 0; id < facts.values.length; id++) {
    const value = facts.values[id]!;
    if (value.kind === "call") results[value.call] = id;
  }
  return results;
});

const callIds = onceFor((facts): ReadonlyMap<Call, CallId> => new Map(facts.calls.map((call, id) => [call, id])));

/** The number of a call; -1 for what is none of the module's, as a call that is only handed on. */
export function idOfCall(facts: ModuleFacts, call: Call): CallId {
  return callIds(facts).get(call) ?? -1;
}

/** The expression that is the result of a call; -1 where nothing takes it. */
export function resultOf(facts: ModuleFacts, call: CallId): ValueId {
  return resultsOf(facts)[call] ?? -1;
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

const callsByWriter = onceFor((facts): ReadonlyMap<FunctionId, readonly CallId[]> => {
  const index = new Map<FunctionId, CallId[]>();
  facts.calls.forEach((call, id) => {
    const list = index.get(call.function);
    if (list === undefined) index.set(call.function, [id]);
    else list.push(id);
  });
  return index;
});

/** The calls that are written in a function itself, wherever they run. */
export function callsWrittenIn(facts: ModuleFacts, id: FunctionId): readonly CallId[] {
  return callsByWriter(facts).get(id) ?? [];
}

/** The call that is given a function written in place, by the function. */
export const takers = onceFor((facts): ReadonlyMap<number, Call> => new Map(facts.calls.flatMap((call) => call.arguments.flatMap((argument) => {
  const value = facts.values[argument.value];
  return value?.kind === "function" ? [[value.function, call] as const] : [];
}))));

/** Statements by where they start, as far as imports do: few of the others are asked for. */
const importStatements = onceFor((facts) => {
  const starts = new Map(facts.imports.map((entry) => [entry.span[0], 0]));
  for (let id = 0; id < facts.statements.length; id++) {
    const start = facts.statements[id]![0];
    if (starts.has(start)) starts.set(start, id);
  }
  return starts;
});

/** The statement that an import is; the module's own where none starts with it. */
export function statementOfImport(facts: ModuleFacts, entry: Import): number {
  return importStatements(facts).get(entry.span[0]) ?? 0;
}

const memberNames = onceFor((facts) => {
  const names = new Set<string>();
  for (const value of facts.values) {
    if (value.kind === "member" && value.property !== null) names.add(value.property);
  }
  return names;
});

/** Whether any member of one of these names is taken in the file, in a subscript too. */
export function takesMember(facts: ModuleFacts, names: Iterable<string>): boolean {
  const taken = memberNames(facts);
  for (const name of names) if (taken.has(name)) return true;
  return false;
}
