import { functionsOf } from "@agentgate/parsers";
import type { BindingId, Call, CallId, FunctionFacts, ModuleFacts, Parameter, Span, Value, ValueId } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import { callersOf, isPrivate } from "../callers.ts";
import { bindingsGiven, consumerOf, readsOf } from "../consumers.ts";
import { parentsOf } from "../expressions.ts";
import { idOfCall, onceFor, resultOf } from "../indexes.ts";
import { isLogger } from "../keys/names.ts";
import { isAnswered, isShapedBy } from "./answered.ts";
import { defaultRead, isTextMethod, lastName } from "./readers.ts";
import { holdsNoModels, isMadeUp, isMessaged, isOfLedger, isSentence, isShownAs, isShownBy } from "./shown.ts";
import { textOf } from "./targets.ts";
import { isAttributeKey, isNotedBy } from "./telemetry.ts";
import { isForOtherPurpose, namesAnswer, namesCounter, wordsIn } from "./words.ts";

/** What one use of a model's name does: counts or prices by it, writes it to a log, only compares or notes it, or anything else. */
type Purpose = "counts" | "logs" | "notes" | "other";

const SIZES = new Set(words.sizes);
const COMPARISONS = new Set(words.comparisons);
const REPLACING = new Set(["replace", "replaceAll"]);
const COMPARING = new Set(["==", "!=", "===", "!==", "in", "not in", "is", "is not"]);
const MAX_STEPS = 16;
/** Names, parameters and results that a model's name is handed on through. */
const MAX_TAKERS = 16;

/** Functions and classes whose names say something, with their decorators. */
function spansNamed(facts: ModuleFacts, isNamed: (name: string) => boolean): readonly Span[] {
  return [...facts.functions, ...facts.classes].flatMap(({ name, span, decorators }) =>
    (isNamed(name) ? [span, ...decorators.map((decorator) => facts.values[decorator]!.span)] : []));
}

const otherPurposes = onceFor((facts) => spansNamed(facts, isForOtherPurpose));
/** Of these, what counts tokens: what measures may well ask a model. */
const counters = onceFor((facts) => spansNamed(facts, namesCounter));

/** Whether an expression stands in a function or class that calls no model. */
export function isForOther(facts: ModuleFacts, id: ValueId): boolean {
  return isInside(facts, id, otherPurposes);
}

function isInside(facts: ModuleFacts, id: ValueId, spans: typeof counters): boolean {
  const { span } = facts.values[id]!;
  return spans(facts).some(([start, end]) => start <= span[0] && span[1] <= end);
}

/** Whether all that a name is used for is to count or to price, also in the functions of the module that it is handed to. */
export function isCountedOnly(facts: ModuleFacts, binding: BindingId): boolean {
  const known = countedByBinding(facts);
  let isCounted = known.get(binding);
  if (isCounted === undefined) known.set(binding, (isCounted = purposeOf(facts, binding) === "counts"));
  return isCounted;
}

/** Whether an expression is given straight to what counts or logs: `count_tokens(text, model or "…")`, `console.log(model ?? "…")`. */
export function isCountedArgument(facts: ModuleFacts, id: ValueId): boolean {
  const purpose = purposeOfUses(facts, [id]);
  return purpose === "counts" || purpose === "logs";
}

const countedByBinding = onceFor(() => new Map<BindingId, boolean>());

function purposeOf(facts: ModuleFacts, binding: BindingId): Purpose {
  return purposeOfUses(facts, readsOf(facts, binding));
}

/** Of all uses together: one that does anything else outweighs the others, and counting outweighs logs. */
function purposeOfUses(facts: ModuleFacts, uses: readonly ValueId[]): Purpose {
  const pending = uses.map((use) => ({ use, inText: false }));
  const seen = new Set(uses);
  let purpose: Purpose = "notes";
  let takers = 0;
  while (pending.length > 0) {
    const next = pending.pop()!;
    const taken = isInside(facts, next.use, counters) ? "counts" : purposeOfUse(facts, next);
    if (taken === "other" || takers > MAX_TAKERS) return "other";
    if (typeof taken === "string") purpose = stronger(purpose, taken);
    else {
      takers += 1;
      for (const use of taken.uses.filter((each) => !seen.has(each))) {
        seen.add(use);
        pending.push({ use, inText: taken.inText });
      }
    }
  }
  return purpose;
}

function stronger(one: Purpose, other: Purpose): Purpose {
  return other === "notes" || one === "counts" ? one : other;
}

/** What takes the name on, by where that is used, and whether it stands in a sentence by then. */
interface Taker {
  readonly uses: readonly ValueId[];
  readonly inText: boolean;
}

interface Use {
  readonly use: ValueId;
  readonly inText: boolean;
}

function purposeOfUse(facts: ModuleFacts, { use, inText: before }: Use): Purpose | Taker {
  let current = use;
  let entryName: string | null = "";
  let inText = before;
  for (let step = 0; step < MAX_STEPS; step++) {
    const parent = parentsOf(facts)[current] ?? -1;
    const value = facts.values[parent];
    switch (value?.kind) {
      case "template": case "logical": case "await": case "list":
        inText ||= value.kind === "template" && isSentence(facts, value.parts);
        break;
      case "table":
        entryName = keyOf(facts, value, current);
        if (entryName === null) return "counts";
        break;
      case undefined:
        return takerOf(facts, current, inText) ?? "other";
      case "conditional":
        if (value.test === current) return "notes";
        break;
      case "binary":
        if (value.operator !== "+" || !(inText || isSentence(facts, [value.left, value.right]))) return purposeOfComparison(facts, parent, current);
        inText = true;
        break;
      case "member": {
        const purpose = purposeOfMember(facts, value, current);
        if (purpose !== null) return purpose;
        break;
      }
      case "call":
        if (isHandedTo(facts, value.call, current)) return purposeOfArgument(facts, facts.calls[value.call]!, parent, { value: current, entryName, inText });
        break;
      default:
        return "other";
    }
    current = parent;
  }
  return "other";
}

/** Of the method of the text itself, and of a read of which this is the default, what it gives is used on. */
function isHandedTo(facts: ModuleFacts, id: CallId, current: ValueId): boolean {
  const call = facts.calls[id]!;
  return call.callee !== current && !isDefaultOfRead(facts, id, current) && !isMadeUp(facts, call);
}

/** The key of an entry; null where that says that it is only noted. */
function keyOf(facts: ModuleFacts, { entries }: Extract<Value, { kind: "table" }>, entry: ValueId): string | null {
  const key = entries.find(({ value }) => value === entry)?.key ?? -1;
  return isAttributeKey(facts, key) ? null : textOf(facts, key);
}

function purposeOfComparison(facts: ModuleFacts, comparison: ValueId, model: ValueId): Purpose {
  const value = facts.values[comparison];
  if (value?.kind !== "binary" || !COMPARING.has(value.operator)) return "other";
  return isShapedBy(facts, comparison, model) ? "counts" : "notes";
}

/** `os.environ.get("MODEL", "…")`, `getattr(answer, "model", "…")`: the call gives what is there or this one. */
function isDefaultOfRead(facts: ModuleFacts, call: CallId, current: ValueId): boolean {
  const read = defaultRead(facts, call);
  return (read?.kind === "environment" || read?.kind === "lookup") && read.value === current;
}

/** Null where a method gives the name again. */
function purposeOfMember(facts: ModuleFacts, { object, property, key }: Extract<Value, { kind: "member" }>, current: ValueId): Purpose | null {
  if (key === current) return purposeOfKey(facts, object);
  if (COMPARISONS.has(property ?? "")) return isShapedBy(facts, resultAround(facts, current), current) ? "counts" : "notes";
  return isTextMethod(property) || isShownAs(property) || REPLACING.has(property ?? "") ? null : "other";
}

/** `model.includes` in `model.includes("gemini")`: the call. */
function resultAround(facts: ModuleFacts, object: ValueId): ValueId {
  const method = parentsOf(facts)[object] ?? -1;
  return parentsOf(facts)[method] ?? -1;
}

/** What is looked up under the name. */
function purposeOfKey(facts: ModuleFacts, table: ValueId): Purpose {
  if (isOfSizes(lastName(facts, table))) return "counts";
  return holdsNoModels(facts, table) ? "notes" : "other";
}

/** What a call is given, and the entry of it that holds the name, if it is a table. */
interface Handed {
  readonly value: ValueId;
  readonly entryName: string;
  readonly inText: boolean;
}

function purposeOfArgument(facts: ModuleFacts, call: Call, result: ValueId, argument: Handed): Purpose | Taker {
  const name = lastName(facts, call.callee);
  // What an answer is made of tells which model has run: `ChatResponse(model=…)`.
  if (isForOtherPurpose(name) || isNotedBy(facts, call) || isOfLedger(facts, call) || (/^[A-Z]/.test(name) && namesAnswer(name))) return "counts";
  if (isLogger(name) || isShownBy(facts, call) || (argument.inText && isMessaged(facts, call))) return "logs";
  if (wordsIn(name).includes("hash") || /(?:Error|Exception)$/.test(name)) return "notes";
  const callee = facts.values[call.callee];
  if (callee?.kind === "member" && (callee.property === "get" || callee.property === "has")) return purposeOfKey(facts, callee.object);
  // `load(model).tokenizer()`
  const taken = facts.values[parentsOf(facts)[result] ?? -1];
  if (taken?.kind === "member" && taken.object === result && isForOtherPurpose(taken.property ?? "")) return "counts";
  const [target, ...more] = functionsOf(facts, call.callee);
  const parameter = target === undefined || more.length > 0 ? undefined : parameterTaking(facts, facts.functions[target]!, call, argument);
  return parameter ?? "other";
}

/** The parameter of a function that an argument becomes, or what takes the entry out of it; undefined where a spread hides it. */
function parameterTaking(facts: ModuleFacts, { parameters, kind }: FunctionFacts, call: Call, { value, entryName, inText }: Handed): Taker | undefined {
  if (kind === "constructor") return undefined;
  const at = call.arguments.findIndex((argument) => argument.value === value);
  const given = call.arguments[at];
  if (given === undefined || call.arguments.some((argument) => facts.values[argument.value]?.kind === "spread")) return undefined;
  const first = facts.values[facts.bindings[parameters[0]?.binding ?? -1]?.values[0] ?? -1];
  const offset = first?.kind === "self" ? 1 : 0;
  const parameter = given.name === undefined ? parameters[at + offset] : parameters.find((each) => each.name === given.name);
  if (parameter === undefined || (parameter.kind !== "positional" && parameter.kind !== "keyword")) return undefined;
  const binding = parameter.pattern === true ? bindingOfEntry(facts, parameter, entryName) : parameter.binding;
  return binding === undefined ? undefined : { uses: readsOf(facts, binding), inText };
}

/** `{ model }` as a parameter: the name that is bound to that entry. */
function bindingOfEntry(facts: ModuleFacts, { span: [start, end] }: Parameter, name: string): BindingId | undefined {
  const found = facts.bindings.findIndex(({ span, values }) => start <= span[0] && span[1] <= end && values.some((each) => {
    const value = facts.values[each];
    return value?.kind === "member" && value.property === name;
  }));
  return name === "" || found < 0 ? undefined : found;
}

/** The variable that is given an expression, or the calls of a function of this file alone that returns it. */
function takerOf(facts: ModuleFacts, id: ValueId, inText: boolean): Taker | Purpose | undefined {
  const consumer = consumerOf(facts, id);
  if (consumer?.kind === "return") return isAnswered(facts, id) ? "counts" : resultsOf(facts, id, inText);
  if (consumer?.kind === "test") return "notes";
  const [binding, ...more] = bindingsGiven(facts, id);
  const isLocal = binding !== undefined && more.length === 0 && facts.scopes[facts.bindings[binding]!.scope]?.function !== 0;
  return isLocal ? { uses: readsOf(facts, binding), inText } : undefined;
}

function resultsOf(facts: ModuleFacts, id: ValueId, inText: boolean): Taker | undefined {
  const [start, end] = facts.values[id]!.span;
  const owner = facts.functions.findLastIndex(({ span }) => span[0] <= start && end <= span[1]);
  const calls = owner < 1 ? [] : callersOf(facts, owner);
  return calls.length > 0 && isPrivate(facts, owner, calls) ? { uses: calls.map((call) => resultOf(facts, idOfCall(facts, call))), inText } : undefined;
}

/** `model_to_prompt_size`, `contextLimits`, `PRICES`: a table of what models hold or cost. */
function isOfSizes(name: string): boolean {
  return isForOtherPurpose(name) || wordsIn(name).some((word) => SIZES.has(word));
}
