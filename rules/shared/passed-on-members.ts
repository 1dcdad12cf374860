import type { Call, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { referencesOf } from "@agentgate/parsers";
import { apiName, isApi, originsOf } from "./expressions.ts";

const LISTINGS = ["globalThis.Object.keys", "globalThis.Object.getOwnPropertyNames", "globalThis.Reflect.ownKeys", "builtins.dir"];

/**
 * Whether a member is one of all that the object has, only passed on: `Object.keys(m).forEach((k) => … m[k])`, as
 * compilers write `export * from`. Nothing is chosen there, the module is handed on whole. A member that is called
 * where it is taken was chosen after all.
 */
export function isPassedOn(facts: ModuleFacts, object: ValueId, key: ValueId, member: ValueId): boolean {
  const origins = originsOf(facts, key);
  if (!origins.complete || origins.values.length === 0 || isCalled(facts, member)) return false;
  return origins.values.every((origin) => {
    const list = listGoneThrough(facts, facts.values[origin]!);
    return list !== null && namesMembersOf(facts, list, object);
  });
}

function isCalled(facts: ModuleFacts, member: ValueId): boolean {
  return facts.calls.some((call) => call.callee === member || originsOf(facts, call.callee).values.includes(member));
}

/** What a loop or a callback goes through, where the value is each item of it. */
function listGoneThrough(facts: ModuleFacts, value: Value): ValueId | null {
  if (value.kind === "item") return value.of;
  // The keys that `for (const key in object)` goes through.
  if (value.kind === "opaque") return value.of.length === 1 ? value.of[0]! : null;
  if (value.kind !== "parameter" || value.index !== 0) return null;
  const call = facts.calls.find((each) => isCallback(facts, each, value.function));
  const callee = call === undefined ? undefined : facts.values[call.callee];
  return callee?.kind === "member" && callee.property === "forEach" ? callee.object : null;
}

function isCallback(facts: ModuleFacts, call: Call, id: number): boolean {
  const [first] = call.arguments;
  const given = first === undefined ? undefined : facts.values[first.value];
  return given?.kind === "function" && given.function === id;
}

function namesMembersOf(facts: ModuleFacts, list: ValueId, object: ValueId): boolean {
  const value = facts.values[list]!;
  const call = value.kind === "call" ? facts.calls[value.call]! : undefined;
  const listed = call === undefined ? list : call.arguments[0]?.value;
  if (listed === undefined || (call !== undefined && !isApi(facts, call.callee, LISTINGS))) return false;
  const names = new Set(referencesOf(facts, object).map(apiName));
  const others = referencesOf(facts, listed).map(apiName);
  return others.length > 0 && others.every((name) => names.has(name));
}
