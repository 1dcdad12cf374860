import type { BindingId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import { parentsOf } from "../expressions.ts";
import { onceFor, resultOf } from "../indexes.ts";
import { writesWord } from "../names.ts";
import { isCountedArgument, isCountedOnly, isForOther } from "./counted.ts";
import { isDiscriminator } from "./discriminators.ts";
import type { How } from "./origins.ts";
import { defaultRead, lastName, settingRead } from "./readers.ts";
import { assignmentsOf, isSignature, targetOf, textOf } from "./targets.ts";
import { asksForModel, isForOtherPurpose, mayNameModel, namesAnswer, namesCounter, namesDefaultModel, namesDefaults, namesModel } from "./words.ts";

/** A place where a value becomes the model of a setting or a call. */
export interface Sink {
  readonly value: ValueId;
  readonly how: How;
  /** The name under which a call takes the value where nothing else is set under it; absent where the value stays. */
  readonly setting?: string;
}

/** Every default of a setting that names a model. */
export function settingSinks(facts: ModuleFacts): readonly Sink[] {
  const sinks = [...readSinks(facts), ...choiceSinks(facts)];
  // The others are told by names as they are written.
  const written = !mentionsModel(facts) ? sinks : [
    ...parameterSinks(facts), ...fieldSinks(facts), ...constantSinks(facts), ...sinks,
    ...assignmentSinks(facts), ...tableSinks(facts), ...resultSinks(facts), ...chainSinks(facts),
  ];
  return written.filter(({ value, how }) => (how.kind === "prompt" || !namesCounter(how.key)) && !isForOther(facts, value) && !isOnlyCounted(facts, value));
}

const mentions = onceFor((facts) => ({ any: writesWord(facts, mayNameModel) }));

function mentionsModel(facts: ModuleFacts): boolean {
  return mentions(facts).any;
}

/** Names by what they are given, and parameters by their defaults. */
const bindingsByValue = onceFor((facts): ReadonlyMap<ValueId, BindingId> => new Map([
  ...facts.bindings.flatMap(({ values }, id) => values.map((value) => [value, id] as const)),
  ...facts.functions.flatMap(({ parameters }) => parameters.flatMap((parameter) => (parameter.default === null || parameter.pattern === true ? [] : [[parameter.default, parameter.binding] as const]))),
]));

/** Whether all that a name is used for is to count or to price. */
function isOnlyCounted(facts: ModuleFacts, id: ValueId): boolean {
  if (isCountedArgument(facts, id)) return true;
  const parents = parentsOf(facts);
  let binding = bindingsByValue(facts).get(id);
  for (let current = parents[id] ?? -1, step = 0; binding === undefined && current >= 0 && step < 16; step++) {
    binding = bindingsByValue(facts).get(current);
    current = parents[current] ?? -1;
  }
  return binding !== undefined && isCountedOnly(facts, binding);
}

/** What a tool wrote from the description of an API: its fields and schemas repeat the defaults of that API. */
function isDescription(facts: ModuleFacts): boolean {
  return facts.generated === true;
}

function parameterSinks(facts: ModuleFacts): Sink[] {
  return facts.functions.flatMap(({ parameters, body }) => (isSignature(facts, body) ? [] : parameters).flatMap((parameter): Sink[] =>
    parameter.default === null || !namesModel(parameter.name) ? [] : [{ value: parameter.default, how: { kind: "parameter", key: parameter.name } }]));
}

function fieldSinks(facts: ModuleFacts): Sink[] {
  if (isDescription(facts)) return [];
  return facts.classes.flatMap(({ name, fields }) => (namesAnswer(name) ? [] : fields).flatMap((field): Sink[] => {
    if (field.value === null || !(namesModel(field.name) || namesDefaultModel(field.name)) || isDiscriminator(facts, field)) return [];
    return [{ value: field.value, how: { kind: namesDefaultModel(field.name) ? "constant" : "field", key: field.name } }];
  }));
}

/** `DEFAULT_MODEL = …` at the module's level. */
function constantSinks(facts: ModuleFacts): Sink[] {
  return facts.bindings.flatMap(({ name, scope, values, kind }) => {
    if (facts.scopes[scope]?.function !== 0 || (kind !== "variable" && kind !== "constant") || !namesDefaultModel(name)) return [];
    return values.map((value): Sink => ({ value, how: { kind: "constant", key: name } }));
  });
}

/** Reads of the environment, options and prompts that have a default. */
function readSinks(facts: ModuleFacts): Sink[] {
  const sinks: Sink[] = [];
  for (let id = 0; id < facts.calls.length; id++) {
    const read = defaultRead(facts, id);
    if (read !== null && read.value >= 0) sinks.push({ value: read.value, how: { kind: read.kind, key: read.key } });
  }
  return sinks;
}

/** `given or default`, `given ?? default`, `given if given else default`. */
function choiceSinks(facts: ModuleFacts): Sink[] {
  const sinks: Sink[] = [];
  for (let id = 0; id < facts.values.length; id++) {
    const value = facts.values[id]!;
    if (value.kind === "logical" && value.operator !== "and") sinks.push(...fallbackSink(facts, id, value.left, value.right));
    else if (value.kind === "conditional") sinks.push(...conditionalSink(facts, id, value));
  }
  return sinks;
}

function conditionalSink(facts: ModuleFacts, id: ValueId, value: Extract<Value, { kind: "conditional" }>): Sink[] {
  const tested = testedSetting(facts, value.test);
  const given = tested === -1 ? null : settingRead(facts, tested);
  if (given === null) return [];
  const reads = (branch: ValueId): boolean => settingRead(facts, branch)?.key === given.key;
  if (reads(value.then)) return fallbackSink(facts, id, tested, value.else);
  return reads(value.else) ? fallbackSink(facts, id, tested, value.then) : [];
}

function fallbackSink(facts: ModuleFacts, id: ValueId, left: ValueId, right: ValueId): Sink[] {
  const read = settingIn(facts, left);
  if (!mentionsModel(facts) && (read === null || !namesModel(read.key))) return [];
  const target = targetOf(facts, id);
  if (target !== null && isForOtherPurpose(target.name)) return [];
  const key = read !== null && namesModel(read.key) ? read.key : target !== null && namesModel(target.name) ? target.name : null;
  return key === null ? [] : [{ value: right, how: { kind: read?.isEnvironment === true ? "environment" : "fallback", key } }];
}

/** What the left side of a chain reads: of `a or b or …` the first that names a model. */
function settingIn(facts: ModuleFacts, id: ValueId): ReturnType<typeof settingRead> {
  let current = id;
  let best: ReturnType<typeof settingRead> = null;
  for (let step = 0; step < 16; step++) {
    const value = facts.values[current];
    const part = value?.kind === "logical" ? value.right : current;
    const read = settingRead(facts, part);
    if (read !== null && (best === null || namesModel(read.key))) best = read;
    if (value?.kind !== "logical") break;
    current = value.left;
  }
  return best;
}

/** The setting whose absence a test asks for: `model`, `not model`, `model is None`, `model !== undefined`; -1 for other tests. */
function testedSetting(facts: ModuleFacts, id: ValueId): ValueId {
  const value = facts.values[id];
  if (value?.kind === "name" || value?.kind === "member") return id;
  if (value?.kind === "unary" && value.operator === "not") return testedSetting(facts, value.value);
  if (value?.kind !== "binary") return -1;
  const right = facts.values[value.right];
  return right?.kind === "constant" || (right?.kind === "string" && right.value === "") ? value.left : -1;
}

/** `model ??= x`, and what a branch gives a setting. */
function assignmentSinks(facts: ModuleFacts): Sink[] {
  return assignmentsOf(facts).flatMap(({ name, value, operator, test, isInBranch }): Sink[] => {
    if (!namesModel(name)) return [];
    if (operator === "??=" || operator === "||=") return [{ value, how: { kind: "fallback", key: name } }];
    if (operator !== "=" || !isInBranch || comparesModels(facts, test)) return [];
    return [{ value, how: { kind: "branch", key: name } }];
  });
}

/** A test that asks which model is given: what follows is a translation of names, no default. */
function comparesModels(facts: ModuleFacts, id: ValueId): boolean {
  const pending = [id];
  for (let steps = 0; pending.length > 0 && steps < 50; steps++) {
    const value = facts.values[pending.pop()!];
    if (value?.kind === "logical") pending.push(value.left, value.right);
    if (value?.kind === "unary") pending.push(value.value);
    if (value?.kind === "call") {
      const callee = facts.values[facts.calls[value.call]!.callee];
      if (callee?.kind === "member" && isModelNamed(facts, callee.object)) return true;
    }
    if (value?.kind === "binary" && testedSetting(facts, id) === -1 && (isModelNamed(facts, value.left) || isModelNamed(facts, value.right))) return true;
  }
  return false;
}

function isModelNamed(facts: ModuleFacts, id: ValueId): boolean {
  return namesModel(lastName(facts, id));
}

/** A schema's `default:` of a property that names a model, and the entries of a table of defaults. */
function tableSinks(facts: ModuleFacts): Sink[] {
  if (isDescription(facts)) return [];
  const sinks: Sink[] = [];
  for (let id = 0; id < facts.values.length; id++) {
    if (facts.values[id]!.kind === "table") sinks.push(...schemaSinks(facts, id), ...defaultsSinks(facts, id));
  }
  return sinks;
}

const DEFAULT_KEYS = new Set(words.defaultKeys);
const NAMING_KEYS = new Set(words.namingKeys);

function schemaSinks(facts: ModuleFacts, id: ValueId): Sink[] {
  const table = facts.values[id];
  if (table?.kind !== "table") return [];
  // `{ const: "x", default: "x" }` can be nothing else.
  const isConstant = table.entries.some(({ key }) => key !== null && textOf(facts, key) === "const");
  return table.entries.flatMap((entry): Sink[] => {
    if (entry.key === null || !DEFAULT_KEYS.has(textOf(facts, entry.key)) || isConstant) return [];
    const key = schemaName(facts, id);
    return key === null ? [] : [{ value: entry.value, how: { kind: "schema", key } }];
  });
}

/** The property that a schema's table describes: the key it stands under, or the name that it gives itself. */
function schemaName(facts: ModuleFacts, id: ValueId): string | null {
  const target = targetOf(facts, id);
  if (target !== null && namesModel(target.name)) return target.name;
  const table = facts.values[id];
  if (table?.kind !== "table") return null;
  for (const { key, value } of table.entries) {
    if (key === null || !NAMING_KEYS.has(textOf(facts, key))) continue;
    const name = textOf(facts, value);
    if (namesModel(name) || (textOf(facts, key) === "message" && asksForModel(name))) return name;
  }
  return null;
}

function defaultsSinks(facts: ModuleFacts, id: ValueId): Sink[] {
  const table = facts.values[id];
  const name = table?.kind === "table" ? defaultsName(facts, id) : null;
  const defaults = name === null ? null : namesDefaults(name);
  if (defaults === null || table?.kind !== "table") return [];
  return table.entries.flatMap((entry): Sink[] => {
    const key = entry.key === null ? "" : textOf(facts, entry.key);
    if (!defaults.all && !namesModel(key)) return [];
    return [{ value: entry.value, how: { kind: "table", key: key === "" ? name! : key } }];
  });
}

/** The name that a table, or the table around it, is given. */
function defaultsName(facts: ModuleFacts, id: ValueId): string | null {
  const own = targetOf(facts, id);
  if (own !== null && namesDefaults(own.name) !== null) return own.name;
  const around = facts.values[parentsOf(facts)[id] ?? -1]?.kind === "table" ? targetOf(facts, parentsOf(facts)[id]!) : null;
  return around !== null && namesDefaults(around.name)?.all === false ? around.name : null;
}

/** `get_default_model()` that returns a literal. */
function resultSinks(facts: ModuleFacts): Sink[] {
  return facts.functions.flatMap((subject) => {
    if (!namesDefaultModel(subject.name)) return [];
    const returns = subject.body.flatMap((statement) => (statement.kind === "return" && statement.value !== null ? [statement.value] : []));
    return returns.map((value): Sink => ({ value, how: { kind: "result", key: subject.name } }));
  });
}

const SCHEMA_DEFAULTS = new Set(words.schemaDefaults);

/** `z.string().default(x)` of a property, `new Option("--model <id>").default(x)`. */
function chainSinks(facts: ModuleFacts): Sink[] {
  if (isDescription(facts)) return [];
  return facts.calls.flatMap((call, id): Sink[] => {
    const callee = facts.values[call.callee];
    const [given] = call.arguments;
    if (callee?.kind !== "member" || given === undefined || given.name !== undefined || !SCHEMA_DEFAULTS.has(callee.property ?? "")) return [];
    if (isOfLiteral(facts, callee.object)) return [];
    const target = targetOf(facts, resultOf(facts, id))?.name ?? "";
    const key = namesModel(target) ? target : chainName(facts, callee.object);
    return key === null ? [] : [{ value: given.value, how: { kind: "schema", key } }];
  });
}

/** `z.literal("x")`: a schema that lets one value be. */
function isOfLiteral(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  return value?.kind === "call" && lastName(facts, facts.calls[value.call]!.callee) === "literal";
}

/** The setting's name that the first call of a chain is given. */
function chainName(facts: ModuleFacts, id: ValueId): string | null {
  let value = facts.values[id];
  for (let step = 0; step < 16 && value?.kind === "call"; step++) {
    const call = facts.calls[value.call]!;
    const [first] = call.arguments;
    if (first !== undefined && namesModel(textOf(facts, first.value))) return textOf(facts, first.value);
    const callee = facts.values[call.callee];
    value = callee?.kind === "member" ? facts.values[callee.object] : undefined;
  }
  return null;
}
