import { functionsOf } from "@agentgate/parsers";
import type { BindingId, Call, FunctionFacts, ModuleFacts, Span, ValueId } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import { readsOf } from "../consumers.ts";
import { parentsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { isLogger } from "../keys/names.ts";
import { isTextMethod, lastName } from "./readers.ts";
import { isForOtherPurpose, namesCounter, wordsIn } from "./words.ts";

/** What one use of a model's name does: counts or prices by it, only compares or notes it, or anything else. */
type Purpose = "counts" | "notes" | "other";

const SIZES = new Set(words.sizes);
const COMPARISONS = new Set(words.comparisons);
const COMPARING = new Set(["==", "!=", "===", "!==", "in", "not in", "is", "is not"]);
const MAX_STEPS = 16;
/** Functions that a name is handed on through. */
const MAX_FUNCTIONS = 8;

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

/** Whether an expression is given straight to what counts: `count_tokens(text, model or "…")`. */
export function isCountedArgument(facts: ModuleFacts, id: ValueId): boolean {
  const taken = purposeOfUse(facts, id);
  return typeof taken === "string" ? taken === "counts" : isCountedOnly(facts, taken.binding);
}

const countedByBinding = onceFor(() => new Map<BindingId, boolean>());

/** Of all reads together: one that is neither counting nor noting outweighs the others. */
function purposeOf(facts: ModuleFacts, binding: BindingId): Purpose {
  const pending = [binding];
  const seen = new Set(pending);
  let purpose: Purpose = "notes";
  while (pending.length > 0) {
    const current = pending.pop()!;
    for (const use of readsOf(facts, current)) {
      const taken = isInside(facts, use, counters) ? "counts" : purposeOfUse(facts, use);
      if (taken === "other" || seen.size > MAX_FUNCTIONS) return "other";
      if (typeof taken === "string") purpose = taken === "counts" ? "counts" : purpose;
      else if (!seen.has(taken.binding)) {
        seen.add(taken.binding);
        pending.push(taken.binding);
      }
    }
  }
  return purpose;
}

/** A parameter that takes the name on. */
interface Taker {
  readonly binding: BindingId;
}

function purposeOfUse(facts: ModuleFacts, use: ValueId): Purpose | Taker {
  let current = use;
  for (let step = 0; step < MAX_STEPS; step++) {
    const parent = parentsOf(facts)[current] ?? -1;
    const value = facts.values[parent];
    switch (value?.kind) {
      case "template":
      case "logical":
        break;
      case "conditional":
        if (value.test === current) return "notes";
        break;
      case "binary":
        return COMPARING.has(value.operator) ? "notes" : "other";
      case "member": {
        if (value.key === current) return isOfSizes(lastName(facts, value.object)) ? "counts" : "other";
        if (COMPARISONS.has(value.property ?? "")) return "notes";
        if (!isTextMethod(value.property)) return "other";
        break;
      }
      case "call": {
        const call = facts.calls[value.call]!;
        // The method of the text itself: what it gives is used on.
        if (call.callee === current) break;
        return purposeOfArgument(facts, call, parent, current);
      }
      default:
        return "other";
    }
    current = parent;
  }
  return "other";
}

function purposeOfArgument(facts: ModuleFacts, call: Call, result: ValueId, argument: ValueId): Purpose | Taker {
  const name = lastName(facts, call.callee);
  if (isForOtherPurpose(name)) return "counts";
  if (isLogger(name) || /(?:Error|Exception)$/.test(name)) return "notes";
  const callee = facts.values[call.callee];
  if (callee?.kind === "member" && (callee.property === "get" || callee.property === "has")) return isOfSizes(lastName(facts, callee.object)) ? "counts" : "other";
  // `load(model).tokenizer()`
  const taken = facts.values[parentsOf(facts)[result] ?? -1];
  if (taken?.kind === "member" && taken.object === result && isForOtherPurpose(taken.property ?? "")) return "counts";
  const [target, ...more] = functionsOf(facts, call.callee);
  const parameter = target === undefined || more.length > 0 ? undefined : parameterTaking(facts, facts.functions[target]!, call, argument);
  return parameter ?? "other";
}

/** The parameter of a function that an argument becomes; undefined where a spread or a pattern hides it. */
function parameterTaking(facts: ModuleFacts, { parameters, kind }: FunctionFacts, call: Call, argument: ValueId): Taker | undefined {
  if (kind === "constructor") return undefined;
  const at = call.arguments.findIndex(({ value }) => value === argument);
  const given = call.arguments[at];
  if (given === undefined || call.arguments.some(({ value }) => facts.values[value]?.kind === "spread")) return undefined;
  const first = facts.values[facts.bindings[parameters[0]?.binding ?? -1]?.values[0] ?? -1];
  const offset = first?.kind === "self" ? 1 : 0;
  const parameter = given.name === undefined ? parameters[at + offset] : parameters.find((each) => each.name === given.name);
  const isPlain = parameter !== undefined && parameter.pattern !== true && (parameter.kind === "positional" || parameter.kind === "keyword");
  return isPlain ? { binding: parameter.binding } : undefined;
}

/** `model_to_prompt_size`, `contextLimits`, `PRICES`: a table of what models hold or cost. */
function isOfSizes(name: string): boolean {
  return isForOtherPurpose(name) || wordsIn(name).some((word) => SIZES.has(word));
}
