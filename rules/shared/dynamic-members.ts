import { constantsOf, referencesOf } from "@agentgate/parsers";
import type { Call, CallId, ModuleFacts, Reference, Use, ValueId } from "@agentgate/parsers";
import type { Capability } from "../catalogue/capability.ts";
import { classify } from "../catalogue/classify.ts";
import { constructorMessage, memberMessage, scriptMessage } from "./dynamic-messages.ts";
import { memberWrites } from "./consumers.ts";
import { problem, siteOf } from "./dynamic-site.ts";
import type { DynamicInput, DynamicSite } from "./dynamic-site.ts";
import { apiName, isApi, originsOf, shownName } from "./expressions.ts";
import { guardBefore } from "./guards.ts";
import { listedTexts } from "./listed.ts";
import { isProbe } from "./probes.ts";
import { outsideReferences } from "./tree.ts";

/** Namespaces of running code: what a computed name takes from them is whatever happens to be there. */
const NAMESPACES = new Set(["builtins", "builtins.globals", "builtins.locals", "builtins.vars", "sys.modules", "globalThis", "builtins.__builtins__"]);
/** Of these only a call of what was taken says anything: reading one's own names is common. */
const OWN_NAMESPACES = new Set(["builtins.globals", "builtins.locals", "builtins.vars"]);

/** Members taken by a computed name from a module with capabilities or from a namespace of running code. */
export function computedMembers(input: DynamicInput): DynamicSite[] {
  return input.facts.uses.flatMap((use) => computedMember(input, use) ?? []);
}

function computedMember(input: DynamicInput, use: Use): DynamicSite | null {
  const { facts } = input;
  if (use.role === "write" || use.role === "type" || use.role === "exception" || isProbe(facts, use.value)) return null;
  const computed = use.references.filter((reference) => reference.computed === true && reference.through !== "annotation");
  for (const reference of computed) {
    const brings = reachOf(input, reference);
    if (brings === null || (OWN_NAMESPACES.has(apiName(plainOf(reference))) && !isCalled(facts, use))) continue;
    const key = keyOf(facts, use.value);
    if (key !== null && isHarmlessKey(input, use, key)) return null;
    const object = shownName(reference) === reference.module && reference.module === "globalThis" ? "the global object" : shownName(reference);
    const verdict = problem("error", memberMessage(object, brings, facts, key), "opaque");
    return siteOf({ nameSpan: use.span, statement: use.statement }, object, verdict);
  }
  return null;
}

function isCalled(facts: ModuleFacts, use: Use): boolean {
  return use.role === "call" || facts.calls.some((call) => originsOf(facts, call.callee).values.includes(use.value));
}

/** What the object of a computed member can do; null where choosing from it says nothing. */
function reachOf(input: DynamicInput, reference: Reference): readonly Capability[] | null {
  const plain = plainOf(reference);
  const name = apiName(plain);
  if (NAMESPACES.has(name)) return [];
  if (reference.instance === true) return null;
  const capabilities = new Set<Capability>();
  let reaches = false;
  for (const { reference: outside } of outsideReferences(input.resolver, input.context.path, plain)) {
    const chosen = classify(input.facts.language, { ...outside, computed: true }, input.context.capabilities);
    if (chosen.kind !== "capability" || !chosen.capabilities.includes("opaque")) continue;
    reaches = true;
    const whole = classify(input.facts.language, outside, input.context.capabilities);
    if (whole.kind === "capability") for (const capability of whole.capabilities) capabilities.add(capability);
  }
  return reaches ? [...capabilities] : null;
}

/** The object itself, without the member that does not fold. */
function plainOf(reference: Reference): Reference {
  return { module: reference.module, path: reference.path };
}

/** The expression that computes the member: a subscript's key, the second argument of `getattr`. */
function keyOf(facts: ModuleFacts, id: ValueId): ValueId | null {
  const value = facts.values[id];
  if (value?.kind === "member") return value.key;
  const call = value?.kind === "call" ? facts.calls[value.call] : undefined;
  return call?.arguments[1]?.value ?? call?.arguments[0]?.value ?? null;
}

/** A symbol, the module's own name, another object's own module, an entry of a constant table, or a checked name. */
function isHarmlessKey(input: DynamicInput, use: Use, key: ValueId): boolean {
  const { facts } = input;
  const symbol = originsOf(facts, key).values.every((origin) => {
    const value = facts.values[origin];
    if (value?.kind === "name") return value.name === "__name__" && value.binding === -1;
    if (value?.kind === "member") return value.property === "__module__" || isApi(facts, origin, ["globalThis.Symbol.iterator"]);
    return value?.kind === "call" && isApi(facts, facts.calls[value.call]!.callee, ["globalThis.Symbol", "globalThis.Symbol.for"]);
  });
  if (symbol || listedTexts(facts, key) !== null) return true;
  const call = callOf(facts, use);
  return call !== null && guardBefore(facts, call, key) !== null;
}

/** The call next to a use that says where it stands in the function's body. */
function callOf(facts: ModuleFacts, use: Use): CallId | null {
  const value = facts.values[use.value];
  if (value?.kind === "call") return value.call;
  if (use.call !== undefined) return use.call;
  const near = facts.calls.findIndex((call) => call.statement === use.statement && call.function === use.function);
  return near === -1 ? null : near;
}

const PROTOTYPE_READERS = ["globalThis.Object.getPrototypeOf", "globalThis.Reflect.getPrototypeOf"];

/** `x.constructor.constructor("…")()`, `(async () => {}).constructor(…)`, `Object.getPrototypeOf(function* () {}).constructor`. */
export function functionConstructors(input: DynamicInput): DynamicSite[] {
  const { facts } = input;
  if (facts.language === "python") return [];
  return facts.calls.filter((call) => isFunctionConstructor(facts, call)).map((call) => {
    const api = "constructor";
    return siteOf(call, api, problem("error", constructorMessage(api), "code"));
  });
}

function isFunctionConstructor(facts: ModuleFacts, call: Call): boolean {
  return originsOf(facts, call.callee).values.some((origin) => {
    const value = facts.values[origin];
    if (value?.kind !== "member" || value.property !== "constructor") return false;
    return originsOf(facts, value.object).values.some((object) => {
      const inner = facts.values[object];
      if (inner?.kind === "function") return true;
      if (inner?.kind === "member") return inner.property === "constructor";
      const made = inner?.kind === "call" ? facts.calls[inner.call] : undefined;
      const of = made?.arguments[0];
      return made !== undefined && of !== undefined && isApi(facts, made.callee, PROTOTYPE_READERS) && facts.values[of.value]?.kind === "function";
    });
  });
}

/** `Reflect.get(globalThis, name)`, `Reflect.get(fs, name)`. */
export function reflectedMembers(input: DynamicInput): DynamicSite[] {
  const { facts } = input;
  return facts.calls.flatMap((call, id) => {
    const [object, key] = call.arguments;
    if (object === undefined || key === undefined || !call.references.some((reference) => apiName(reference) === "globalThis.Reflect.get")) return [];
    if (constantsOf(facts, key.value) !== null || guardBefore(facts, id, key.value) !== null) return [];
    const references = referencesOf(facts, object.value);
    const reach = references.map((reference) => reachOf(input, reference)).find((each) => each !== null);
    if (reach === undefined) return [];
    const shown = shownName(references[0]!);
    return [siteOf(call, "Reflect.get", problem("error", memberMessage(shown, reach, facts, key.value), "opaque"))];
  });
}

const SCRIPT_PARTS = new Set(["src", "text", "textContent", "innerHTML", "innerText"]);

/** `const s = document.createElement("script"); s.src = …`. */
export function pageScripts(input: DynamicInput): DynamicSite[] {
  const { facts } = input;
  if (facts.language === "python") return [];
  return memberWrites(facts).flatMap(({ target, statement }) => {
    const member = facts.values[target];
    if (member?.kind !== "member" || member.property === null || !SCRIPT_PARTS.has(member.property) || !isScript(facts, member.object)) return [];
    const api = `script.${member.property}`;
    return [siteOf({ nameSpan: member.propertySpan, statement: statement.at }, api, problem("error", scriptMessage(api), "code"))];
  });
}

function isScript(facts: ModuleFacts, id: ValueId): boolean {
  return originsOf(facts, id).values.some((origin) => {
    const value = facts.values[origin];
    const call = value?.kind === "call" ? facts.calls[value.call] : undefined;
    const tag = call?.arguments[0];
    if (call === undefined || tag === undefined) return false;
    const callee = facts.values[call.callee];
    if (callee?.kind !== "member" || callee.property !== "createElement") return false;
    return constantsOf(facts, tag.value)?.some((constant) => String(constant.value).toLowerCase() === "script") ?? false;
  });
}
