import type { CallId, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { functionsOf } from "@agentgate/parsers";
import { originsOf } from "../expressions.ts";
import { onceFor, resultOf } from "../indexes.ts";
import type { Carried } from "./carriers.ts";

const MOST_CALLS = 60;

/** The clients whose every request runs a function of the file first: `client.interceptors.request.use(f)`, `Client(event_hooks={"request": [f]})`. */
const intercepted = onceFor((facts): ReadonlyMap<FunctionId, readonly ValueId[]> => {
  const found = new Map<FunctionId, ValueId[]>();
  const note = (handler: ValueId, client: ValueId): void => {
    for (const id of functionsOf(facts, handler)) found.set(id, [...(found.get(id) ?? []), ...originsOf(facts, client).values]);
  };
  facts.calls.forEach((call, id) => {
    const client = interceptedClient(facts, call.callee);
    if (client !== null && call.arguments[0] !== undefined) note(call.arguments[0].value, client);
    for (const handler of requestHooks(facts, call)) note(handler, resultOf(facts, id));
  });
  return found;
});

/** `client` of `client.interceptors.request.use`. */
function interceptedClient(facts: ModuleFacts, callee: ValueId): ValueId | null {
  let current = callee;
  for (const name of ["use", "request", "interceptors"]) {
    const value = facts.values[current];
    if (value?.kind !== "member" || value.property !== name) return null;
    current = value.object;
  }
  return current;
}

function requestHooks(facts: ModuleFacts, { arguments: given }: ModuleFacts["calls"][number]): readonly ValueId[] {
  const hooks = given.find(({ name }) => name === "event_hooks");
  const table = hooks === undefined ? undefined : facts.values[hooks.value];
  if (table?.kind !== "table") return [];
  return table.entries.flatMap(({ key, value }) => {
    const name = key === null ? undefined : facts.values[key];
    const list = facts.values[value];
    return name?.kind === "string" && name.value === "request" && list?.kind === "list" ? list.items : [];
  });
}

/** The calls of the file that a function runs before, where it intercepts the requests of a client. */
export function callsIntercepted(facts: ModuleFacts, id: FunctionId): readonly Carried[] {
  const clients = new Set(intercepted(facts).get(id));
  if (clients.size === 0) return [];
  return facts.calls.flatMap((call, each): readonly CallId[] => {
    const callee = facts.values[call.callee];
    return callee?.kind === "member" && originsOf(facts, callee.object).values.some((origin) => clients.has(origin)) ? [each] : [];
  }).slice(0, MOST_CALLS).map((call) => ({ call, bindings: [], through: [], argument: -1, fields: [] }));
}
