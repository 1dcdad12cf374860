import { functionsOf, valuesReturned } from "@agentgate/parsers";
import type { CallId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import type { RuleContext } from "../../rule.ts";
import { argumentOf } from "../arguments.ts";
import { bare } from "../expressions.ts";
import { givenForParameter } from "../given.ts";
import { isDiscriminator } from "./discriminators.ts";
import { exportedValue, memberOf } from "./exported.ts";
import { valuesReaching } from "./reaching.ts";
import { defaultRead, isTextMethod, lastName, settingRead } from "./readers.ts";
import type { Kind } from "./readers.ts";
import { inheritedAttribute, itemsTaken, membersGiven, textsJoined } from "./sources.ts";
import { translatedReturns } from "./translations.ts";
import { namesModel } from "./words.ts";

/** How a literal comes to decide: what falls back to it, and the name of that. */
export interface How {
  readonly kind: Kind;
  readonly key: string;
}

/** A text that an expression can be. */
export interface Origin {
  /** The module that holds the literal. */
  readonly path: string;
  readonly facts: ModuleFacts;
  readonly literal: ValueId;
  /** The text as it is written, or put together from what is written. */
  readonly text: string;
  /** Where the judged module takes it: the literal itself, or the name that another module exports. */
  readonly at: ValueId;
  readonly how: How;
  /** The expression is the literal, names and choices apart. */
  readonly isDirect: boolean;
  /** A caller gives it to a function of the file, which may take the name of a setting of its own. */
  readonly isGiven?: true;
}

interface Step {
  readonly path: string;
  readonly facts: ModuleFacts;
  readonly id: ValueId;
  readonly at: ValueId | null;
  readonly how: How;
  readonly isDirect: boolean;
  readonly isGiven?: true;
}

/** Expressions that are looked at for one sink. */
const MAX_STEPS = 200;
const MAX_ORIGINS = 40;

/**
 * The texts that an expression can be, names, attributes, defaults of parameters and settings, choices and the modules
 * of the tree followed. `how` is kept until a default on the way says it better. Bounded.
 */
export function originsOfModel(facts: ModuleFacts, context: RuleContext, id: ValueId, how: How): readonly Origin[] {
  const found: Origin[] = [];
  const seen = new Map<ModuleFacts, Set<ValueId>>();
  const pending: Step[] = [{ path: context.path, facts, id, at: null, how, isDirect: true }];
  for (let steps = 0; pending.length > 0 && steps < MAX_STEPS && found.length < MAX_ORIGINS; steps++) {
    const popped = pending.pop()!;
    const step = { ...popped, id: bare(popped.facts, popped.id) };
    let known = seen.get(step.facts);
    if (known === undefined) seen.set(step.facts, (known = new Set()));
    if (known.has(step.id)) continue;
    known.add(step.id);
    const value = step.facts.values[step.id];
    if (value === undefined) continue;
    if (value.kind === "string") {
      if (value.bytes !== true && value.docstring !== true) found.push({ ...step, literal: step.id, text: value.value, at: step.at ?? step.id });
    } else if (JOINED.has(value.kind)) found.push(...textsJoined(step.facts, step.id).map((text) => ({ ...step, isDirect: false, literal: step.id, text, at: step.at ?? step.id })));
    else pending.push(...stepsFrom(step, value, context).reverse());
  }
  return found;
}

/** What a text is put together with. */
export const JOINED: ReadonlySet<Value["kind"]> = new Set<Value["kind"]>(["template", "binary"]);

function stepsFrom(step: Step, value: Value, context: RuleContext): Step[] {
  const go = (id: ValueId, how: How = step.how): Step => ({ ...step, id, how });
  switch (value.kind) {
    case "name":
      return fromName(step, value, context);
    case "member":
      return fromMember(step, value, context);
    case "conditional":
      // An empty text beside another one stands for none, which code tests for before it calls.
      return [go(value.then), go(value.else)].map((branch) => ({ ...branch, isDirect: false }));
    case "logical":
      if (value.operator === "and") return [go(value.right)];
      return [go(value.left), go(value.right, fallback(step, value.left))];
    case "call":
      return fromCall(step, value.call);
    case "function":
      return valuesReturned(step.facts, value.function).slice(0, 4).map((id) => go(id));
    case "item":
      return itemsTaken(step.facts, value).map((id) => go(id));
    case "parameter":
      return fromParameter(step, value);
    default:
      return [];
  }
}

/** Its default, and what the callers give to what runs a model. */
function fromParameter(step: Step, { function: id, index }: Extract<Value, { kind: "parameter" }>): Step[] {
  const parameter = step.facts.functions[id]?.parameters[index];
  if (parameter === undefined || parameter.pattern === true) return [];
  const given = step.how.kind === "call" ? givenForParameter(step.facts, id, index).map((value): Step => ({ ...step, id: value, isGiven: true })) : [];
  if (parameter.default === null) return given;
  return [{ ...step, id: parameter.default, how: ofSetting(step.how, { kind: "parameter", key: parameter.name }) }, ...given];
}

/** A default on the way says more than the call that it reaches; the first one met decides. */
function better(how: How, next: How): How {
  return how.kind === "call" ? next : how;
}

/**
 * The setting whose own default a literal is: of `profile ?? this.model` it is `model` that has it, for a `model` that is
 * given runs without a profile too.
 */
function ofSetting(how: How, next: How): How {
  return how.kind === "fallback" && namesModel(next.key) ? next : better(how, next);
}

function fallback({ facts, how }: Step, left: ValueId): How {
  const read = settingRead(facts, left);
  return better(how, { kind: read?.isEnvironment === true ? "environment" : "fallback", key: read?.key ?? "" });
}

function fromName(step: Step, value: Extract<Value, { kind: "name" }>, context: RuleContext): Step[] {
  const binding = step.facts.bindings[value.binding];
  if (binding === undefined || binding.rebound === true) return [];
  if (binding.kind === "import") return fromElsewhere(step, context);
  return (valuesReaching(step.facts, step.id) ?? binding.values).slice(0, MAX_ORIGINS).map((id) => ({ ...step, id }));
}

function fromElsewhere(step: Step, context: RuleContext): Step[] {
  const placed = exportedValue(step.facts, context, step.path, step.id);
  return placed === null ? [] : [{ ...step, path: placed.path, facts: placed.facts, id: placed.value, at: step.at ?? step.id }];
}

/** `self.model`, `Models.GPT.value`, `DEFAULTS["model"]`, `config.DEFAULT_MODEL`. */
function fromMember(step: Step, value: Extract<Value, { kind: "member" }>, context: RuleContext): Step[] {
  const { facts } = step;
  const path: string[] = [];
  let current: ValueId = step.id;
  let object: Value = value;
  for (let depth = 0; object.kind === "member" && depth < 8; depth++) {
    const property = object.property ?? keyOf(facts, object.key);
    if (property === null) return [];
    path.unshift(property);
    current = bare(facts, object.object);
    object = facts.values[current]!;
  }
  if (object.kind === "name" && facts.bindings[object.binding]?.kind === "import") return fromElsewhere(step, context);
  const owner = ownerOf(facts, current);
  if (owner?.kind === "self") {
    const { attributes, fields } = facts.classes[owner.class]!;
    const [name] = path;
    const own = path.length === 1 && Object.hasOwn(attributes, name!) ? attributes[name!]! : [];
    const given = path.length === 1 && own.length === 0 ? inheritedAttribute(facts, owner.class, name!) : own;
    const how = (id: ValueId): How => (fields.some((field) => field.value === id && !isDiscriminator(facts, field)) ? ofSetting(step.how, { kind: "field", key: name! }) : step.how);
    return given.slice(0, MAX_ORIGINS).map((id) => ({ ...step, id, how: how(id) }));
  }
  if (owner?.kind === "parameter") return step.how.kind === "call" ? membersGiven(facts, owner.function, owner.index, path).map((id) => ({ ...step, id, isGiven: true })) : [];
  const member = memberOf(facts, current, path);
  return member === null ? [] : [{ ...step, id: member }];
}

/** The key that a computed member is taken by, where only one is possible. */
function keyOf(facts: ModuleFacts, key: ValueId | null): string | null {
  const texts = key === null ? [] : textsJoined(facts, key);
  return texts.length === 1 ? texts[0]! : null;
}

function ownerOf(facts: ModuleFacts, id: ValueId): Value | undefined {
  const value = facts.values[id];
  if (value?.kind !== "name") return value;
  const [first] = facts.bindings[value.binding]?.values ?? [];
  return first === undefined ? value : facts.values[first];
}

const WRAPPERS = new Set(words.wrappers);
const FIELD_MAKERS = new Set(words.fieldMakers);
const SCHEMA_STEPS = new Set(words.schemaSteps);
const SCHEMA_DEFAULTS = new Set(words.schemaDefaults);

/** A call that gives its default, its argument, or what it returns. */
function fromCall(step: Step, id: CallId): Step[] {
  const { facts } = step;
  const call = facts.calls[id]!;
  const name = lastName(facts, call.callee);
  const callee = facts.values[call.callee];
  const go = (value: ValueId, how: How = step.how): Step => ({ ...step, id: value, how, isDirect: false });
  if (callee?.kind === "member" && isTextMethod(callee.property)) return [go(callee.object)];
  if (FIELD_MAKERS.has(name) && step.how.kind !== "option") {
    const given = fieldDefaults(facts, id);
    if (given.length > 0) return given.map((value) => go(value));
  }
  const read = defaultRead(facts, id);
  if (read !== null) return read.value < 0 ? [] : [go(read.value, better(step.how, { kind: read.kind, key: read.key }))];
  if (callee?.kind === "member" && SCHEMA_DEFAULTS.has(name) && call.arguments.length === 1) return [go(call.arguments[0]!.value)];
  if (callee?.kind === "member" && SCHEMA_STEPS.has(name)) return [go(callee.object)];
  if (WRAPPERS.has(name)) {
    const last = call.arguments.at(-1);
    return last === undefined ? [] : [go(last.value)];
  }
  return functionsOf(facts, call.callee).slice(0, 2).flatMap((each) => {
    if (facts.functions[each]!.kind === "constructor") return [];
    const translated = translatedReturns(facts, call, each);
    const returned = valuesReturned(facts, each).slice(0, 4);
    // What is a default as well says that first.
    return [...returned.filter((value) => !translated.has(value)).map((value) => go(value)), ...returned.filter((value) => translated.has(value)).map((value) => go(value, { kind: "call", key: "" }))];
  });
}

/** `Field(default=x)`, `field(default_factory=f)`, `Option("x", "--model")`. */
function fieldDefaults(facts: ModuleFacts, id: CallId): readonly ValueId[] {
  const call = facts.calls[id]!;
  for (const name of words.fieldDefaults) {
    const given = argumentOf(facts, call, null, name);
    if (typeof given === "number") return [given];
  }
  const [first] = call.arguments;
  return first === undefined || first.name !== undefined ? [] : [first.value];
}
