import { functionsOf } from "@agentgate/parsers";
import type { Call, CallId, FunctionId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { parametersBefore } from "../arguments.ts";
import { bindingsIn } from "../attempts/places.ts";
import { consumerOf } from "../consumers.ts";
import { effectsOf } from "../effects/index.ts";
import { bare, parentsOf } from "../expressions.ts";
import { keptWithFacts, resultOf } from "../indexes.ts";
import { ownClass } from "../selves.ts";
import { entriesOf } from "./options.ts";
import { likeness } from "./same.ts";
import { isLooseModelName, looksUp, setsUp, takesAddress, targetKind } from "./words.ts";
import type { TargetKind } from "./words.ts";

/** What a call is given that decides where it goes. */
export interface Slot {
  readonly kind: TargetKind;
  /** The name of the option or parameter; of a position its number. */
  readonly name: string;
  readonly value: ValueId;
}

/** A call that talks to a model or a host, by itself or through functions of the tree. */
export interface Talk {
  readonly call: CallId;
  readonly capability: "net" | "model";
  /** `create`: the last name of what is called. */
  readonly operation: string;
  readonly slots: readonly Slot[];
  /** The likeness of what it is given beside that. */
  readonly work: ReadonlySet<string>;
}

const kept = keptWithFacts<{ readonly tree: RuleContext["tree"]; readonly beyond: boolean; readonly byCall: Map<CallId, Talk | null> }>();

/** What a call says to whom; null where it talks to nobody. */
export function talkOf(facts: ModuleFacts, context: RuleContext, call: CallId): Talk | null {
  let known = kept.get(facts);
  const beyond = context.beyond === true;
  if (known?.tree !== context.tree || known.beyond !== beyond) kept.set(facts, (known = { tree: context.tree, beyond, byCall: new Map() }));
  const found = known.byCall.get(call);
  if (found !== undefined) return found;
  const talk = findTalk(facts, context, call);
  known.byCall.set(call, talk);
  return talk;
}

function findTalk(facts: ModuleFacts, context: RuleContext, call: CallId): Talk | null {
  const effects = effectsOf(facts, context);
  const own = effects.ofCall(call).map((effect) => effect.capability);
  const capabilities = [...own, ...effects.reachedBy(call).map(({ effect }) => effect.capability)];
  const capability = capabilities.includes("model") ? "model" : capabilities.includes("net") ? "net" : null;
  if (capability === null || (!own.includes(capability) && setsUp(lastName(facts, facts.calls[call]!.callee)))) return null;
  const entry = facts.calls[call]!;
  const slots = [...slotsOf(facts, entry, parametersOf(facts, context, call), own.includes("net")), ...clientSlots(facts, entry)]
    .filter((slot) => slot.kind !== "model" || capability === "model" || own.includes("net") || !looksUp(lastName(facts, entry.callee)))
    .filter((slot) => slot.kind !== "model" || own.includes("model") || !isLooseModelName(/^\d+$/.test(slot.name) ? lastName(facts, slot.value) : slot.name));
  const taken = new Set(slots.map((slot) => slot.value));
  const work = entry.arguments.flatMap(({ value }) => partsOf(facts, value)).filter((id) => !taken.has(id) && !isConstant(facts, id)).map((id) => likeness(facts, id));
  return { call, capability, operation: lastName(facts, entry.callee), slots, work: new Set(work) };
}

/** The parameters of the function that a call runs, by position. */
function parametersOf(facts: ModuleFacts, context: RuleContext, call: CallId): readonly string[] {
  const [id] = functionsOf(facts, facts.calls[call]!.callee);
  const placed = id === undefined ? effectsOf(facts, context).callees(call)[0] : { facts, function: id };
  const subject = placed?.facts.functions[placed.function];
  if (placed === undefined || subject === undefined) return [];
  return subject.parameters.slice(parametersBefore(placed.facts, subject)).map((parameter) => parameter.name);
}

function slotsOf(facts: ModuleFacts, call: Call, parameters: readonly string[], isRequest: boolean): readonly Slot[] {
  const named = call.arguments.flatMap(({ name, value }): Slot[] => (name === undefined ? [...optionSlots(facts, value)] : slotNamed(name, value)));
  const positional = call.arguments.filter((argument) => argument.name === undefined && facts.values[argument.value]?.kind !== "table");
  const verb = ["request", "stream"].includes(lastName(facts, call.callee)) && positional.length > 1 ? 1 : 0;
  const placed = positional.flatMap(({ value }, position): Slot[] => {
    const parameter = parameters[position];
    if (parameter !== undefined) return slotNamed(parameter, value);
    if (isRequest && parameters.length === 0 && position === verb && takesAddress(lastName(facts, call.callee))) return [{ kind: "address", name: String(position), value }];
    const kind = isRequest ? null : targetKind(lastName(facts, value));
    return kind === null ? [] : [{ kind, name: String(position), value }];
  });
  return [...named, ...placed];
}

function slotNamed(name: string, value: ValueId): Slot[] {
  const kind = targetKind(name);
  return kind === null ? [] : [{ kind, name, value }];
}

function optionSlots(facts: ModuleFacts, id: ValueId): readonly Slot[] {
  return entriesOf(facts, id).flatMap(({ name, value }) => slotNamed(name, value));
}

/** What the client of a call is, and what it was made with where it is made in place: `ChatOpenAI(model=…).invoke(…)`. */
function clientSlots(facts: ModuleFacts, call: Call): readonly Slot[] {
  const callee = facts.values[call.callee];
  if (callee?.kind !== "member") return [];
  let object = callee.object;
  for (let step = 0; step < 8; step++) {
    const value = facts.values[object];
    if (value?.kind === "call") return slotsOf(facts, facts.calls[value.call]!, [], false);
    if (value?.kind === "name" && ownClass(facts, object) >= 0) return [];
    if (value?.kind === "name") return isImported(facts, value.binding) ? [] : [{ kind: "client", name: "", value: object }];
    if (value?.kind !== "member") return [];
    if (ownClass(facts, value.object) >= 0) return [{ kind: "client", name: "", value: object }];
    object = value.object;
  }
  return [];
}

function isImported(facts: ModuleFacts, binding: number): boolean {
  const kind = facts.bindings[binding]?.kind;
  return kind === undefined || kind === "import" || kind === "class";
}

function partsOf(facts: ModuleFacts, id: ValueId): readonly ValueId[] {
  const table = facts.values[bare(facts, id)];
  return table?.kind === "table" ? table.entries.map((entry) => entry.value) : [id];
}

function isConstant(facts: ModuleFacts, id: ValueId): boolean {
  const kind = facts.values[bare(facts, id)]?.kind;
  return kind === "number" || kind === "constant" || kind === "string" || kind === "function";
}

/** The last name of an expression: `create` of `client.chat.create`, `model` of `this.model`. */
export function lastName(facts: ModuleFacts, id: ValueId): string {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "member" ? value.property ?? "" : value?.kind === "name" ? value.name : "";
}

/** Whether two calls do the same for the program: given the same, or giving their result to the same name or caller. */
export function doSameWork(facts: ModuleFacts, one: Talk, other: Talk): boolean {
  return one.operation === other.operation && sharesWork(facts, one, other);
}

/** Whether two calls are given the same, or give their result to the same name or caller. */
export function sharesWork(facts: ModuleFacts, one: Talk, other: Talk): boolean {
  for (const work of other.work) if (one.work.has(work)) return true;
  const [first, second] = [outcomeOf(facts, one.call), outcomeOf(facts, other.call)];
  return first !== null && first === second;
}

/** Where the result of a call goes: `return`, or the name that it is given to. */
export function outcomeOf(facts: ModuleFacts, call: CallId): string | null {
  const consumer = consumerOfResult(facts, call);
  // `with session.get(url) as answer: return answer.json()`.
  if (consumer?.kind === "return" || (consumer?.kind === "with" && consumer.body.at(-1)?.kind === "return")) return "return";
  return consumer?.kind === "assign" ? consumer.targets.map((target) => likeness(facts, target)).join() : null;
}

const PROBES = new Set(["head", "options"]);

/** A request that only asks whether somebody is there: nothing of the answer is used. */
export function isProbe(facts: ModuleFacts, { call, operation }: Talk): boolean {
  return PROBES.has(operation) || ((operation === "get" || operation === "fetch") && isDropped(facts, call));
}

/** Whether nothing is done with what a call gives. */
export function isDropped(facts: ModuleFacts, call: CallId): boolean {
  return consumerOfResult(facts, call)?.kind === "expression";
}

/** The names that are given what a call gives, or something made of it. */
export function resultBindings(facts: ModuleFacts, call: CallId): ReadonlySet<number> {
  const consumer = consumerOfResult(facts, call);
  return consumer?.kind === "assign" ? bindingsIn(facts, consumer.targets) : new Set();
}

function consumerOfResult(facts: ModuleFacts, call: CallId): Statement | undefined {
  let current = resultOf(facts, call);
  for (let step = 0; step < 64; step++) {
    const parent = parentsOf(facts)[current] ?? -1;
    if (parent < 0 || facts.values[parent]?.kind === "function") break;
    current = parent;
  }
  return consumerOf(facts, current);
}

/** The functions of the file that a call runs. */
export function ownCallees(facts: ModuleFacts, call: CallId): readonly FunctionId[] {
  return functionsOf(facts, facts.calls[call]!.callee);
}
