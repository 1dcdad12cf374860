import { constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { isText } from "./dynamic-code.ts";
import { constructorMessage } from "./dynamic-messages.ts";
import { problem, siteOf } from "./dynamic-site.ts";
import type { DynamicInput, DynamicSite } from "./dynamic-site.ts";
import { callsApi, isApi, originsOf } from "./expressions.ts";

const PROTOTYPE_READERS = ["globalThis.Object.getPrototypeOf", "globalThis.Reflect.getPrototypeOf"];

/** `x.constructor.constructor("…")()`, `(async () => {}).constructor(…)`, `Object.getPrototypeOf(function* () {}).constructor`. */
export function functionConstructors(input: DynamicInput): DynamicSite[] {
  const { facts } = input;
  if (facts.language === "python") return [];
  const constructors = constructorsIn(facts);
  const isMade = (call: Call): boolean => constructors.size > 0 && originsOf(facts, call.callee).values.some((origin) => constructors.has(origin));
  return facts.calls
    .filter((call) => isMade(call) || isGivenText(facts, call) || isConstruction(facts, call, constructors))
    .map((call) => siteOf(call, "constructor", problem("error", constructorMessage("constructor"), "code")));
}

/** The expressions that are the constructor of functions. */
function constructorsIn(facts: ModuleFacts): ReadonlySet<ValueId> {
  const constructors = new Set<ValueId>();
  for (let id = 0; id < facts.values.length; id++) {
    const value = facts.values[id]!;
    if (value.kind === "member" && namesConstructor(facts, value) && isOfFunction(facts, value.object)) constructors.add(id);
    if (value.kind === "call" && isReadConstructor(facts, facts.calls[value.call]!)) constructors.add(id);
  }
  return constructors;
}

function namesConstructor(facts: ModuleFacts, { property, key }: Extract<Value, { kind: "member" }>): boolean {
  if (property !== null || key === null) return property === "constructor";
  return constantsOf(facts, key)?.some((constant) => constant.value === "constructor") ?? false;
}

/** `Reflect.get(() => {}, "constructor")`. */
function isReadConstructor(facts: ModuleFacts, call: Call): boolean {
  const [object, key] = call.arguments;
  if (object === undefined || key === undefined || !callsApi(call, ["globalThis.Reflect.get"])) return false;
  return isOfFunction(facts, object.value) && (constantsOf(facts, key.value)?.some((constant) => constant.value === "constructor") ?? false);
}

/** `console.log.constructor("return 1")`: of all constructors only that of functions is called, without `new`, with text. */
function isGivenText(facts: ModuleFacts, call: Call): boolean {
  const callee = facts.values[call.callee];
  const last = call.arguments.at(-1);
  if (call.construct === true || last === undefined || callee?.kind !== "member" || !namesConstructor(facts, callee)) return false;
  return isText(facts, last.value);
}

/** `Reflect.construct(Function, ["return 1"])`. */
function isConstruction(facts: ModuleFacts, call: Call, constructors: ReadonlySet<ValueId>): boolean {
  const [first] = call.arguments;
  if (first === undefined || !callsApi(call, ["globalThis.Reflect.construct", "globalThis.Reflect.apply"])) return false;
  return isApi(facts, first.value, ["globalThis.Function"]) || originsOf(facts, first.value).values.some((origin) => constructors.has(origin));
}

/** Whether an object's constructor makes functions: it is a function, a prototype of one, or itself a constructor. */
function isOfFunction(facts: ModuleFacts, id: ValueId): boolean {
  return originsOf(facts, id).values.some((origin) => {
    const value = facts.values[origin];
    if (value?.kind === "function" || value?.kind === "class") return true;
    if (value?.kind === "member") return namesConstructor(facts, value) || isMethodOfLiteral(facts, value) || (value.property === "__proto__" && facts.values[value.object]?.kind === "function");
    const call = value?.kind === "call" ? facts.calls[value.call] : undefined;
    const of = call?.arguments[0];
    return call !== undefined && of !== undefined && isApi(facts, call.callee, PROTOTYPE_READERS) && facts.values[of.value]?.kind === "function";
  });
}

const LITERALS: ReadonlySet<Value["kind"]> = new Set<Value["kind"]>(["list", "string", "template", "regex", "number"]);
/** Members of written values that are no functions. */
const NO_METHODS = new Set(["length", "source", "flags", "lastIndex"]);

/** `[].filter`, `""["sub"]`: a written value has methods, and where its key is text no items. */
function isMethodOfLiteral(facts: ModuleFacts, { object, property, key }: Extract<Value, { kind: "member" }>): boolean {
  const names = property !== null ? [property] : key === null ? [] : (constantsOf(facts, key) ?? []).map(({ value }) => String(value));
  if (names.length === 0 || !names.every((name) => /^[a-z]\w*$/i.test(name) && !NO_METHODS.has(name))) return false;
  return originsOf(facts, object).values.every((origin) => LITERALS.has(facts.values[origin]!.kind));
}
