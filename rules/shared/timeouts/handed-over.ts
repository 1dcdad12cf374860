import { constantsOf, referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Reference, ValueId } from "@agentgate/parsers";
import { callsApi, originsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { runnerArgument } from "./defaults.ts";

/** An API that a call does not name as its callee, and still runs. */
export interface HandedOver {
  readonly reference: Reference;
  readonly callee: ValueId;
  /** The call that is given what the API is given. */
  readonly given: Call;
}

const MAPPERS: ReadonlySet<string> = new Set(["map", "flatMap", "forEach"]);

/** What a runner, or the method of a list, is handed to call; or the method that `methodcaller` kept. */
export function handedOver(facts: ModuleFacts, call: Call): readonly HandedOver[] {
  const indexes = call.references.map(runnerArgument).filter((index) => index !== null);
  const handed = indexes.length > 0 ? indexes : isMapper(facts, call) ? [0] : [];
  const run = handed.flatMap((index) => {
    const argument = call.arguments[index];
    return argument === undefined || argument.name !== undefined ? [] : referencesOf(facts, argument.value).map((reference) => ({ reference, callee: argument.value, given: call }));
  });
  return run.length > 0 || call.references.length > 0 ? run : keptMethods(facts, call);
}

/** `addresses.map(axios.get)`. */
function isMapper(facts: ModuleFacts, call: Call): boolean {
  const callee = facts.values[call.callee];
  return facts.language === "ecmascript" && callee?.kind === "member" && MAPPERS.has(callee.property ?? "") && facts.values[call.arguments[0]?.value ?? -1]?.kind !== "function";
}

const METHOD_CALLER = ["operator.methodcaller"];

const keepsMethods = onceFor((facts) => ({ any: facts.calls.some((call) => callsApi(call, METHOD_CALLER)) }));

/** `count = methodcaller("get", address)`, and `count(session)`. */
function keptMethods(facts: ModuleFacts, call: Call): readonly HandedOver[] {
  const object = call.arguments[0];
  if (!keepsMethods(facts).any || object === undefined || object.name !== undefined || call.arguments.length > 1) return [];
  return originsOf(facts, call.callee).values.flatMap((origin): readonly HandedOver[] => {
    const value = facts.values[origin];
    const maker = value?.kind === "call" ? facts.calls[value.call]! : undefined;
    if (maker === undefined || !callsApi(maker, METHOD_CALLER)) return [];
    const [name, ...rest] = maker.arguments;
    const names = name === undefined ? [] : constantsOf(facts, name.value) ?? [];
    return names.flatMap(({ value: text }) => (typeof text !== "string" ? [] : referencesOf(facts, object.value).map((reference): HandedOver => ({
      reference: { ...reference, path: [...reference.path, text], instance: true }, callee: call.callee, given: { ...maker, arguments: rest },
    }))));
  });
}
