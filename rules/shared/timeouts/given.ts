import { constantsOf, referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { bare, callsApi, originsOf } from "../expressions.ts";
import { saysWord, timeoutObjectOf } from "./defaults.ts";
import type { TimeoutPlace } from "./defaults.ts";
import { lastName, namedOrSpread, optionIn } from "./options.ts";
import type { Found } from "./options.ts";

/** What a call says about its timeout. */
export type Given =
  | { readonly kind: "limited" }
  | { readonly kind: "absent" }
  /** A value that takes the limit away, at the place that it is given. */
  | { readonly kind: "unlimited"; readonly place: TimeoutPlace; readonly value: ValueId };

const ABSENT: Given = { kind: "absent" };
const LIMITED: Given = { kind: "limited" };

/** What a call is given at the places where its API takes a timeout; what cannot be seen counts as a limit. */
export function timeoutGiven(facts: ModuleFacts, call: Call, places: readonly TimeoutPlace[], unlimited: readonly (number | boolean)[]): Given {
  let answer: Given = ABSENT;
  for (const place of places) {
    const found = foundAt(facts, call, place);
    if (found === "absent") continue;
    if (found === "unknown") return LIMITED;
    const judged = judgeValue(facts, found, place, unlimited);
    if (judged.kind === "limited") return judged;
    if (judged.kind === "unlimited") answer = judged;
  }
  return answer;
}

function judgeValue(facts: ModuleFacts, value: ValueId, place: TimeoutPlace, unlimited: readonly (number | boolean)[]): Given {
  if (place.holds !== undefined) return judgeHolder(facts, value, place, place.holds);
  if (isUndefined(facts, value)) return ABSENT;
  // A signal that is not there is none: only a timeout can say that there is no limit.
  const isNone = isUnlimited(facts, value, unlimited);
  if (!isNone) return LIMITED;
  if (place.beside === true) return ABSENT;
  return place.option === undefined || /timeout/i.test(place.option) ? { kind: "unlimited", place, value } : ABSENT;
}

/** An agent or a table of options: it has a limit where it is given one, or where the file does not show what it is. */
function judgeHolder(facts: ModuleFacts, value: ValueId, place: TimeoutPlace, name: string): Given {
  const origins = originsOf(facts, value);
  const holders = origins.values.map((origin) => holderOption(facts, origin, place, name));
  if (!origins.complete || holders.includes("unknown")) return LIMITED;
  const given = holders.find((found) => typeof found === "number");
  if (given === undefined) return ABSENT;
  return isUnlimited(facts, given, []) ? { kind: "unlimited", place, value: given } : LIMITED;
}

function holderOption(facts: ModuleFacts, id: ValueId, { makers }: TimeoutPlace, name: string): Found {
  const value = facts.values[id];
  if (value?.kind === "constant") return "absent";
  if (value?.kind !== "call") return optionIn(facts, id, name);
  const call = facts.calls[value.call]!;
  // What anything else makes may hold a limit.
  if (!callsApi(call, makers ?? [])) return "unknown";
  const held = namedOrSpread(call, name);
  return typeof held === "number" ? held : firstOf(held.map((part) => optionIn(facts, part, name)));
}

function firstOf(found: readonly Found[]): Found {
  return found.find((each) => typeof each === "number") ?? (found.includes("unknown") ? "unknown" : "absent");
}

/** What a call is given at a place. */
export function foundAt(facts: ModuleFacts, call: Call, place: TimeoutPlace): Found {
  if (facts.language === "python") return argumentAt(facts, call, place);
  const name = place.option ?? "";
  const positions = place.arguments ?? [];
  // Where one argument is a table, what is none is something else; an address may be a table before the options.
  const tables = positions.filter((index) => isTable(facts, call.arguments[index]?.value));
  const inOptions = (tables.length === 0 ? positions : tables).map((index) => optionAt(facts, call, index, name));
  return firstOf(place.request === undefined ? inOptions : [...inOptions, requestOption(facts, call, place.request, name)]);
}

function isTable(facts: ModuleFacts, id: ValueId | undefined): boolean {
  return id !== undefined && originsOf(facts, id).values.every((origin) => facts.values[origin]?.kind === "table");
}

function argumentAt(facts: ModuleFacts, call: Call, place: TimeoutPlace): Found {
  let position = 0;
  let answer: Found = "absent";
  for (const argument of call.arguments) {
    const value = facts.values[argument.value];
    if (value?.kind === "spread") {
      const found = argument.name === undefined && isPositional(facts, value) ? "unknown" : optionIn(facts, value.value, place.keyword ?? "");
      if (typeof found === "number") return found;
      if (found === "unknown") answer = found;
    } else if (argument.name !== undefined) {
      if (argument.name === place.keyword) return argument.value;
    } else if (position++ === place.index) return argument.value;
  }
  return answer;
}

/** `*args`, as far as it can be told from `**kwargs`. */
function isPositional(facts: ModuleFacts, spread: Extract<Value, { kind: "spread" }>): boolean {
  return originsOf(facts, spread.value).values.some((id) => facts.values[id]?.kind === "list");
}

function optionAt(facts: ModuleFacts, call: Call, index: number, name: string): Found {
  const spread = call.arguments.findIndex((argument) => facts.values[argument.value]?.kind === "spread");
  if (spread !== -1 && spread <= index) return "unknown";
  const argument = call.arguments[index];
  if (argument === undefined) return "absent";
  // The address stands where the options may stand too.
  if (index === 0 && isAddress(facts, argument.value)) return "absent";
  return optionIn(facts, argument.value, name);
}

function requestOption(facts: ModuleFacts, call: Call, index: number, name: string): Found {
  const argument = call.arguments[index];
  if (argument === undefined) return "absent";
  const origins = originsOf(facts, argument.value).values.map((id) => facts.values[id]!);
  return firstOf(origins.map((value): Found => {
    if (value.kind === "name") return saysWord("request", value.name) || facts.bindings[value.binding]?.annotation !== undefined ? unlessText(facts, argument.value) : "absent";
    if (value.kind !== "call") return "absent";
    const made = facts.calls[value.call]!;
    // A class that derives from it, or of another name, is given its options in the same way.
    const isRequest = callsApi(made, ["globalThis.Request", "node-fetch.Request", "undici.Request"]) || (made.construct === true && lastName(facts, made.callee).endsWith("Request"));
    if (!isRequest) return "absent";
    return optionAt(facts, made, 1, name);
  }));
}

function unlessText(facts: ModuleFacts, id: ValueId): Found {
  return isAddress(facts, id) ? "absent" : "unknown";
}

const TEXT_TYPES = new Set(["string", "URL", "str"]);

/** Whether an expression is the address of a request: text, a URL, or a name that says so. */
function isAddress(facts: ModuleFacts, id: ValueId): boolean {
  return originsOf(facts, id).values.every((origin) => {
    const value = facts.values[origin]!;
    switch (value.kind) {
      case "string":
      case "template":
      case "number":
        return true;
      case "binary":
        return value.operator === "+";
      case "call":
        return callsApi(facts.calls[value.call]!, ["globalThis.URL", "url.URL", "globalThis.String"]) || saysWord("address", lastName(facts, facts.calls[value.call]!.callee));
      case "parameter":
        return false;
      case "name":
        return isText(facts, value) || saysWord("address", value.name);
      default:
        return saysWord("address", lastName(facts, origin));
    }
  }) || saysWord("address", lastName(facts, id));
}

function isText(facts: ModuleFacts, value: Extract<Value, { kind: "name" }>): boolean {
  const annotation = facts.bindings[value.binding]?.annotation;
  return annotation !== undefined && TEXT_TYPES.has(lastName(facts, annotation));
}

function isUndefined(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return (value?.kind === "constant" && value.undefined === true) || (value?.kind === "name" && value.binding === -1 && value.name === "undefined");
}

/** Whether a value surely means that there is no limit. What another part of the program may set is a limit. */
export function isUnlimited(facts: ModuleFacts, id: ValueId, unlimited: readonly (number | boolean)[]): boolean {
  const value = facts.values[bare(facts, id)];
  switch (value?.kind) {
    // A pair of limits: for the connection and for the answer.
    case "list":
      return value.items.length === 2 && isUnlimited(facts, value.items[1]!, unlimited);
    case "call":
      return isUnlimitedObject(facts, facts.calls[value.call]!);
    case "name":
      if (facts.bindings[value.binding]?.kind === "parameter") return false;
      break;
    case "constant":
    case "number":
      break;
    case "member":
      return isInfinite(facts, id) || (!isFieldOfParameter(facts, id) && namedObject(facts, id));
    default:
      return isInfinite(facts, id);
  }
  // Of what the caller made, a field has what the caller gave it, not what its class has.
  if (isFieldOfParameter(facts, id)) return false;
  const constants = constantsOf(facts, id);
  if (constants === null) return isInfinite(facts, id) || namedObject(facts, id);
  return constants.length > 0 && constants.every(({ value: given }) => given === null || given === Infinity || (typeof given !== "string" && unlimited.includes(given)));
}

/** `request.timeout` of a parameter, by the name that it was given. */
function isFieldOfParameter(facts: ModuleFacts, id: ValueId): boolean {
  return originsOf(facts, id).values.some((origin) => {
    const value = facts.values[origin];
    return value?.kind === "member" && originsOf(facts, value.object).values.some((object) => facts.values[object]?.kind === "parameter");
  });
}

const INFINITE = ["math.inf", "globalThis.Infinity", "globalThis.Number.POSITIVE_INFINITY"];

function isInfinite(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return (value?.kind === "number" && value.value === Infinity)
    || referencesOf(facts, id).some(({ module, path }) => INFINITE.includes([module, ...path].join(".")));
}

/** A name that is only ever given an object without a limit, or a pair of limits whose second is none. */
function namedObject(facts: ModuleFacts, id: ValueId): boolean {
  const { values, complete } = originsOf(facts, id);
  return complete && values.every((origin) => {
    const value = facts.values[origin];
    return value?.kind === "call" ? isUnlimitedObject(facts, facts.calls[value.call]!) : value?.kind === "list" && isUnlimited(facts, origin, []);
  });
}

function isUnlimitedObject(facts: ModuleFacts, call: Call): boolean {
  const [object] = call.references.flatMap((reference) => timeoutObjectOf(reference) ?? []);
  if (object === undefined) return false;
  const part = (keyword: string, index?: number): Found => argumentAt(facts, call, index === undefined ? { keyword } : { keyword, index });
  const limits = (found: Found): boolean => found === "unknown" || (typeof found === "number" && !isUnlimited(facts, found, []));
  for (const keyword of object.instead ?? []) if (part(keyword) !== "absent") return !limits(part(keyword));
  const first = part(object.first.keyword, object.first.index);
  // Without any argument these objects are what the library takes by itself.
  if (call.arguments.length === 0) return false;
  return !limits(first) && !(object.also ?? []).some((keyword) => limits(part(keyword)));
}

