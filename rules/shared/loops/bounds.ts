import { constantsOf, functionsOf, valuesReturned } from "@agentgate/parsers";
import type { ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import type { Atom } from "./atoms.ts";
import { calledName, placeOf } from "./places.ts";

/** A place, or a getter without arguments: what a bound is read from. */
export function boundText(facts: ModuleFacts, id: ValueId): string | null {
  const current = bare(facts, id);
  const value = facts.values[current];
  const call = value?.kind === "call" ? facts.calls[value.call] : undefined;
  if (call === undefined) return placeOf(facts, current);
  if (call.arguments.length > 0) return null;
  const place = placeOf(facts, call.callee);
  return place === null ? null : `${place}()`;
}

const NO_PLACES: ReadonlySet<string> = new Set();

/** Everything that the bound of a test is read from. */
export function boundPlaces({ bound }: Atom): ReadonlySet<string> {
  if (bound === undefined) return NO_PLACES;
  const { facts } = bound;
  const places = new Set<string>();
  const pending = [bound.value];
  for (let steps = 0; pending.length > 0 && steps < 32; steps++) {
    const current = bare(facts, pending.pop()!);
    const place = boundText(facts, current);
    if (place !== null) places.add(place);
    pending.push(...partsOf(facts, facts.values[current]));
  }
  return places;
}

function partsOf(facts: ModuleFacts, value: Value | undefined): readonly ValueId[] {
  switch (value?.kind) {
    case "binary":
    case "logical":
      return [value.left, value.right];
    case "unary":
      return [value.value];
    case "conditional":
      return [value.then, value.else];
    case "call":
      return facts.calls[value.call]?.arguments.map((argument) => argument.value) ?? [];
    case "name": {
      const { values = [], rebound } = facts.bindings[value.binding] ?? {};
      const only = rebound !== true && values.length === 1 ? facts.values[values[0]!]?.kind : undefined;
      return only === "binary" || only === "conditional" || only === "logical" || only === "call" ? values : [];
    }
    default:
      return [];
  }
}

const WRITTEN: ReadonlySet<string> = new Set<Value["kind"]>(["constant", "number", "unary", "string"]);

type Binary = Extract<Value, { kind: "binary" }>;

/** A bound that is not set: where it is read from, and which values count as none. */
export interface Unset {
  readonly place: string;
  readonly guard: Guard;
}

/** `null`: nothing at all; `falsy`: zero too; else the numbers below, or the one number. */
export type Guard = "null" | "falsy" | `<${number}` | `=${number}`;

/** The place that is known to hold no bound where `operator` holds: `limit is None`, `limit <= 0`, `typeof limit != "number"`. */
export function isSetTest(facts: ModuleFacts, { left, right }: Binary, operator: string): Unset | null {
  // `limit > attempts`: a counter that begins at zero is no zero.
  const constants = WRITTEN.has(facts.values[bare(facts, right)]?.kind ?? "") ? constantsOf(facts, right) : null;
  const only = constants?.length === 1 ? constants[0]!.value : undefined;
  if (only === undefined) return null;
  if (operator === "!=" && only === "number") return unsetAt(typeOfPlace(facts, left), "null");
  if (operator === "==" || operator === "is") {
    if (only === null || only === false || only === Infinity) return unsetAt(boundText(facts, left), only === false ? "falsy" : "null");
    return typeof only === "number" && only <= 0 ? unsetAt(boundText(facts, left), `=${only}`) : null;
  }
  if (typeof only !== "number") return null;
  if (operator === "<" && only <= 1) return unsetAt(boundText(facts, left), `<${only}`);
  return operator === "<=" && only <= 0 ? unsetAt(boundText(facts, left), `<${only + 1}`) : null;
}

function unsetAt(place: string | null, guard: Guard): Unset | null {
  return place === null ? null : { place, guard };
}

function counted(guard: Guard, value: number): boolean {
  if (guard === "falsy") return value === 0;
  if (guard === "null") return false;
  return guard.startsWith("<") ? value < Number(guard.slice(1)) : value === Number(guard.slice(1));
}

function typeOfPlace(facts: ModuleFacts, id: ValueId): string | null {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "unary" && value.operator === "typeof" ? boundText(facts, value.value) : null;
}

/** How a bound stands when nobody sets it. */
export type Standing =
  /** It holds, or is the caller's to give. */
  | "on"
  /** It is off unless somebody sets it. */
  | "off"
  /** It is a constant above the ceiling. */
  | "above";

/** What a place of another function or module is given there; the engine of this module knows only its own. */
export type Elsewhere = (facts: ModuleFacts, id: ValueId) => readonly { readonly facts: ModuleFacts; readonly value: ValueId }[];

interface Leaf {
  readonly facts: ModuleFacts;
  readonly value: ValueId;
}

/**
 * Whether a bound is off by default: every constant that it can come to without anybody's doing is none
 * (undefined, None, Infinity, and where it is tested for being set also -1, 0 and an absent option).
 */
export function standingOf(bound: NonNullable<Atom["bound"]>, guards: readonly Guard[], ceiling: number, elsewhere: Elsewhere): Standing {
  let off = 0;
  let on = 0;
  let above = 0;
  let absent = 0;
  const pending: Leaf[] = [{ facts: bound.facts, value: bound.value }];
  const seen = new Set<string>();
  for (let steps = 0; pending.length > 0 && steps < 64; steps++) {
    const leaf = pending.pop()!;
    const id = bare(leaf.facts, leaf.value);
    const key = `${String(id)} ${String(leaf.facts.length)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const next = defaultsOf(leaf.facts, id, guards, elsewhere);
    if (next === "off") off++;
    else if (next === "absent") absent++;
    else if (typeof next === "number") {
      if (next > ceiling) above++;
      else on++;
    } else pending.push(...next);
  }
  if (on > 0) return "on";
  if (off > 0) return "off";
  if (above > 0) return "above";
  return absent > 0 && guards.length > 0 ? "off" : "on";
}

type Step = readonly Leaf[] | "off" | "absent" | number;

function defaultsOf(facts: ModuleFacts, id: ValueId, guards: readonly Guard[], elsewhere: Elsewhere): Step {
  const value = facts.values[id];
  switch (value?.kind) {
    case "constant":
      return value.value === null ? "off" : [];
    case "number":
      return numberStep(value.value, guards);
    case "logical":
      return value.operator === "and" ? [{ facts, value: value.right }] : fallbackSteps(facts, value, guards, elsewhere);
    case "conditional":
      return [{ facts, value: value.then }, { facts, value: value.else }];
    case "unary": {
      const inner = constantsOf(facts, id)?.[0]?.value;
      return typeof inner === "number" ? numberStep(inner, guards) : [];
    }
    case "binary":
      return [{ facts, value: value.left }, { facts, value: value.right }].filter((side) => facts.values[side.value]?.kind !== "number");
    case "parameter": {
      const parameter = facts.functions[value.function]?.parameters[value.index];
      if (parameter === undefined) return [];
      if (parameter.default !== null) return [{ facts, value: parameter.default }];
      return facts.language === "ecmascript" ? "absent" : [];
    }
    case "name":
      return nameSteps(facts, value, id, guards, elsewhere);
    case "member":
      return memberSteps(facts, id, elsewhere);
    case "call":
      return callSteps(facts, value.call, guards, elsewhere);
    default:
      return [];
  }
}

function numberStep(value: number, guards: readonly Guard[]): Step {
  if (value === Infinity) return "off";
  return guards.some((guard) => counted(guard, value)) ? "off" : value < 0 ? [] : value;
}

/** `given ?? 10`: what stands last decides, unless a part before it is a constant of its own. */
function fallbackSteps(facts: ModuleFacts, value: Extract<Value, { kind: "logical" }>, guards: readonly Guard[], elsewhere: Elsewhere): Step {
  const last = defaultsOf(facts, bare(facts, value.right), guards, elsewhere);
  return typeof last === "number" || last === "off" ? last : [{ facts, value: value.right }];
}

function nameSteps(facts: ModuleFacts, value: Extract<Value, { kind: "name" }>, id: ValueId, guards: readonly Guard[], elsewhere: Elsewhere): Step {
  if (value.name === "Infinity" && value.binding < 0) return "off";
  const binding = facts.bindings[value.binding];
  if (binding === undefined || binding.kind === "import") return constantStep(facts, id, guards) ?? elsewhere(facts, id);
  return binding.values.map((each) => ({ facts, value: each }));
}

function constantStep(facts: ModuleFacts, id: ValueId, guards: readonly Guard[]): Step | null {
  const constants = constantsOf(facts, id);
  const only = constants?.length === 1 ? constants[0]!.value : undefined;
  if (only === null) return "off";
  return typeof only === "number" ? numberStep(only, guards) : null;
}

function memberSteps(facts: ModuleFacts, id: ValueId, elsewhere: Elsewhere): Step {
  const value = facts.values[id]!;
  if (value.kind !== "member" || value.property === null) return [];
  if (value.property === "POSITIVE_INFINITY" || value.property === "inf" || value.property === "maxsize" || value.property === "MAX_SAFE_INTEGER") return "off";
  const object = facts.values[bare(facts, value.object)];
  const root = object?.kind === "name" ? facts.bindings[object.binding]?.values ?? [] : [];
  const classes = object?.kind === "self" ? [object.class] : root.flatMap((each) => {
    const given = facts.values[each];
    return given?.kind === "self" ? [given.class] : [];
  });
  const attributes = classes.flatMap((each) => ownAttribute(facts, each, value.property!));
  if (attributes.length > 0) return attributes;
  const further = elsewhere(facts, id);
  if (further.length > 0) return further;
  const constants = constantsOf(facts, id);
  const only = constants?.length === 1 ? constants[0]!.value : undefined;
  return typeof only === "number" ? only : facts.language === "ecmascript" ? "absent" : [];
}

function ownAttribute(facts: ModuleFacts, id: number, property: string): Leaf[] {
  const attributes = facts.classes[id]?.attributes;
  if (attributes === undefined || !Object.hasOwn(attributes, property)) return [];
  return (attributes[property] ?? []).map((value) => ({ facts, value }));
}

const FIELDS = new Set(["Field", "field", "attrib", "ib"]);
const NUMBERS = new Set(["int", "float", "Number", "parseInt", "parseFloat", "max", "min", "abs", "round", "floor", "ceil", "timedelta", "ms"]);
const READS = new Set(["getenv", "get", "pop", "getInt", "getNumber", "config", "option", "setting", "get_option", "getOption", "get_config", "getConfig"]);

function callSteps(facts: ModuleFacts, id: number, guards: readonly Guard[], elsewhere: Elsewhere): Step {
  const call = facts.calls[id]!;
  const name = calledName(facts, call);
  const constant = facts.language === "python" && name === "float" ? constantsOf(facts, call.arguments[0]?.value ?? -1)?.[0]?.value : undefined;
  if (constant === "inf" || constant === "infinity") return "off";
  if (FIELDS.has(name)) {
    const given = call.arguments.find((argument) => argument.name === "default") ?? call.arguments.find((argument) => argument.name === undefined);
    return given === undefined ? [] : [{ facts, value: given.value }];
  }
  if (NUMBERS.has(name)) return call.arguments.map((argument) => ({ facts, value: argument.value }));
  const read = READS.has(name) ? call.arguments[1] : undefined;
  if (read !== undefined) return textStep(facts, read.value, guards) ?? [{ facts, value: read.value }];
  const own = functionsOf(facts, call.callee);
  if (own.length === 0) return elsewhere(facts, call.callee);
  return own.flatMap((each) => valuesReturned(facts, each).map((value) => ({ facts, value })));
}

/** `os.getenv("MAX_TURNS", "25")`. */
function textStep(facts: ModuleFacts, id: ValueId, guards: readonly Guard[]): Step | null {
  const text = facts.values[id];
  return text?.kind === "string" && /^-?\d+(?:\.\d+)?$/.test(text.value) ? numberStep(Number(text.value), guards) : null;
}
