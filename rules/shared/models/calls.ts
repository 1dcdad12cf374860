import type { Call, CallId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import callers from "../../data/models/callers.json" with { type: "json" };
import { distinctiveTail } from "../../catalogue/tails.ts";
import type { RuleContext } from "../../rule.ts";
import { argumentOf } from "../arguments.ts";
import { capabilitiesUsed } from "../capabilities-used.ts";
import { effectsOf } from "../effects/index.ts";
import { bare, parentsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { lookupFor } from "../lookup.ts";
import { originsAtCall } from "./at-call.ts";
import { givenIn, modelArgument, modelEntries } from "./given.ts";
import type { Given } from "./given.ts";
import { modelId } from "./ids.ts";
import { givenToFunctions } from "./parameters.ts";
import { lastName } from "./readers.ts";
import type { Sink } from "./sinks.ts";
import { textOf } from "./targets.ts";
import { isForOtherPurpose, namesAnswer, namesModel, wordsIn } from "./words.ts";

/** Classes of what comes back that are called like clients. */
const ANSWERS = new Set(callers.answers);
const PROVIDERS = new Set(callers.providers);
/** Classes of what is kept, which may note a model. */
const ROWS = new Set(callers.rows);

/** What the calls of models and the constructions of their clients are given as model, also by way of functions of the tree. */
export function callSinks(facts: ModuleFacts, context: RuleContext): readonly Sink[] {
  const further = facts.calls.flatMap(({ callee }, id) => givenToFunctions(facts, context, id, directSinks).map((value) => sinkOf(value, lastName(facts, callee))));
  return [...directSinks(facts, context), ...further];
}

function directSinks(facts: ModuleFacts, context: RuleContext): readonly Sink[] {
  const sinks: Sink[] = [];
  for (let id = 0; id < facts.calls.length; id++) {
    const sink = facts.calls[id]!.arguments.length === 0 ? null : sinkOfCall(facts, context, facts.calls[id]!, id);
    if (sink !== null) sinks.push(sink);
  }
  return sinks;
}

function sinkOfCall(facts: ModuleFacts, context: RuleContext, call: Call, id: CallId): Sink | null {
  const name = lastName(facts, call.callee);
  if (LOOKUPS.has(name)) return null;
  const given = modelArgument(facts, call) ?? spreadArgument(facts, call) ?? idArgument(facts, context, call) ?? firstArgument(facts, context, call, name);
  if (given === null || onlyLists(facts).has(id) || isForOtherPurpose(name) || isForOtherPurpose(receiver(facts, call))) return null;
  return given.name === "" || callsModel(facts, context, id, given.value) ? { ...sinkOf(given.value, name), ...(given.isDefault === true && { setting: given.name }) } : null;
}

/** `ChatRouter("gpt-…")`: a position has no name; only clients and providers' own calls take a model there. */
function firstArgument(facts: ModuleFacts, context: RuleContext, call: Call, name: string): Given | null {
  const [first] = call.arguments;
  if (first === undefined || first.name !== undefined || TESTS.has(name)) return null;
  if (!(constructsClient(facts, call) || isOfProvider(facts, context, call)) || !mayBeText(facts, first.value)) return null;
  return mayNameModel(facts, context, first.value) ? { value: first.value, name: "" } : null;
}

/** No text is a function, a list or a number; a written text is asked at once. */
function mayBeText(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  if (value?.kind === "string") return modelId(value.value).provider !== null;
  return value !== undefined && !NO_TEXTS.has(value.kind);
}

const NO_TEXTS: ReadonlySet<Value["kind"]> = new Set<Value["kind"]>(["number", "constant", "list", "table", "class", "regex", "template", "binary", "unary", "comprehension", "self", "yield", "caught", "item", "imported", "opaque"]);

/** Calls that ask about a model. */
const LOOKUPS = new Set(callers.lookups);
/** Methods of texts, lists and logs: what they are given is compared or noted. */
const TESTS = new Set(callers.tests);

/** Clients that are made to be asked which models there are, and no more: `Router(model="").list_models()`. */
const onlyLists = onceFor((facts): ReadonlySet<CallId> => new Set(facts.calls.flatMap(({ callee }) => {
  const method = facts.values[callee];
  if (method?.kind !== "member" || method.property === null || !/^list(?:_|[A-Z]|$)/.test(method.property)) return [];
  const client = facts.values[bare(facts, method.object)];
  return client?.kind === "call" ? [client.call] : [];
})));

function sinkOf(value: ValueId, key: string): Sink {
  return { value, how: { kind: "call", key } };
}

function receiver(facts: ModuleFacts, call: Call): string {
  const callee = facts.values[call.callee];
  return callee?.kind === "member" ? lastName(facts, callee.object) : "";
}

/** `OpenAIChat(id="…")`, where that is a model's name. */
function idArgument(facts: ModuleFacts, context: RuleContext, call: Call): Given | null {
  const given = constructsClient(facts, call) && !isDescribed(facts, call) ? argumentOf(facts, call, null, "id") : "absent";
  return typeof given === "number" && mayNameModel(facts, context, given) ? { value: given, name: "id" } : null;
}

/** Whether a construction says how a model is shown, or names it beside its id: an entry of a catalogue, to choose from. */
function isDescribed(facts: ModuleFacts, call: Call): boolean {
  if (callers.shown.some((name) => typeof argumentOf(facts, call, null, name) === "number")) return true;
  const name = argumentOf(facts, call, null, "name");
  return typeof name === "number" && modelId(textOf(facts, name)).provider !== null;
}

/** `create(**settings)`, `create({ ...settings })` with options that the file writes out. */
function spreadArgument(facts: ModuleFacts, call: Call): Given | null {
  if (modelEntries(facts).size === 0) return null;
  for (const { name, value: id } of call.arguments) {
    // Python takes options apart only where they are spread; elsewhere they are an object like others.
    if (facts.language === "python" ? name !== "**" : !HOLDING.has(facts.values[id]?.kind)) continue;
    const given = givenIn(facts, id);
    if (given !== null) return given;
  }
  return null;
}

const HOLDING = new Set<string | undefined>(["name", "table", "spread", "call"]);

/** Whether one of the texts that an expression can be is a name of a known provider. */
function mayNameModel(facts: ModuleFacts, context: RuleContext, id: ValueId): boolean {
  return originsAtCall(facts, context, id)
    .some(({ text }) => modelId(text).provider !== null);
}

/** The callee itself is an API that calls a model provider, or makes the client that does. */
function isOfProvider(facts: ModuleFacts, context: RuleContext, call: Call): boolean {
  const lookup = lookupFor(facts, context);
  return call.references.length > 0 && capabilitiesUsed(facts, context).has("model") && call.references.some((reference) => lookup.of(reference).apis.some((api) => lookup.called(api, call)?.capabilities.includes("model") === true));
}

/** Whether a call runs a model or makes a client of one; through functions of the tree only where it is given a model's name. */
export function callsModel(facts: ModuleFacts, context: RuleContext, id: CallId, value: ValueId): boolean {
  const call = facts.calls[id]!;
  if (isOfProvider(facts, context, call) || distinctiveTail(pathOf(facts, call.callee)) === "model" || constructsClient(facts, call)) return true;
  if (call.arguments.some((given) => isModelsCall(facts, given.value))) return true;
  const effects = effectsOf(facts, context);
  if (effects.ofCall(id).some((effect) => effect.capability === "model")) return true;
  // A function of the tree may take the name of a setting of its own: `{ model: "summary-default" }`.
  if (!mayNameModel(facts, context, value)) return false;
  return effects.reachedBy(id).some((reached) => reached.effect.capability === "model");
}

/** What runs a model and is handed to what calls it later: `partial(client.responses.create, model=…)`, `to_thread(…)`. */
function isModelsCall(facts: ModuleFacts, id: ValueId): boolean {
  return facts.values[id]?.kind === "member" && distinctiveTail(pathOf(facts, id)) === "model";
}

/** Whether an expression is handed to a model's call or client as it stands, by its position or as the model. */
export function callsModelWith(facts: ModuleFacts, context: RuleContext, value: ValueId): boolean {
  const parents = parentsOf(facts);
  const parent = parents[value] ?? -1;
  const table = facts.values[parent];
  const entry = table?.kind === "table" ? table.entries.find((each) => each.value === value) : undefined;
  const taker = facts.values[entry === undefined ? parent : parents[parent] ?? -1];
  if (taker?.kind !== "call") return false;
  const given = facts.calls[taker.call]!.arguments.find((argument) => argument.value === (entry === undefined ? value : parent));
  const name = entry === undefined ? given?.name : entry.key === null ? "" : textOf(facts, entry.key);
  // An entry that another may replace is a default.
  if (entry !== undefined && modelEntries(facts).get(parent)?.isDefault === true) return false;
  return given !== undefined && (name === undefined || namesModel(name)) && callsModel(facts, context, taker.call, value);
}

/** A client by the name of its class or provider: `ChatRouter(model=…)`, `generative.openai({ model })`. */
function constructsClient(facts: ModuleFacts, call: Call): boolean {
  const name = lastName(facts, call.callee);
  if (PROVIDERS.has(name)) return true;
  const isClass = call.construct === true || (facts.language === "python" && /^[A-Z]/.test(name));
  if (!isClass || ANSWERS.has(name) || namesAnswer(name) || ROWS.has(wordsIn(name).at(-1) ?? "")) return false;
  return callers.starts.some((start) => name.startsWith(start) && /^(?:[A-Z]|$)/.test(name.slice(start.length))) || callers.ends.some((end) => name.endsWith(end));
}

/** `create.bind(client, { model })` */
const BORROWING = new Set(["bind", "call", "apply"]);

function pathOf(facts: ModuleFacts, id: ValueId): readonly string[] {
  const path: string[] = [];
  let value = facts.values[id];
  for (let step = 0; step < 8 && value?.kind === "member" && value.property !== null; step++) {
    path.unshift(value.property);
    value = facts.values[value.object];
  }
  if (value?.kind === "name") path.unshift(value.name);
  return BORROWING.has(path.at(-1) ?? "") ? path.slice(0, -1) : path;
}
