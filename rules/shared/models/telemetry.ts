import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import { holdsOneOf } from "../names.ts";
import { lastName } from "./readers.ts";
import { textOf } from "./targets.ts";
import { wordsIn } from "./words.ts";

const NOTED = new Set(words.telemetryNames);
const NOTING = new Set(words.telemetryVerbs);
const CONVENTIONS = new Set(words.conventionWords);
const holdsNoted = holdsOneOf(words.telemetryNames);
const holdsConvention = holdsOneOf(words.conventionWords);

/** Whether a call only writes down what it is given: `tracer.startSpan(…)`, `span.set_attribute(…)`, `stampVersion(span, …)`. */
export function isNotedBy(facts: ModuleFacts, call: Call): boolean {
  const name = lastName(facts, call.callee);
  const parts = wordsIn(name);
  const [first] = call.arguments;
  if (holdsNoted(name) && parts.some((word) => NOTED.has(word)) && (NOTING.has(parts[0]!) || NOTED.has(parts.at(-1)!))) return true;
  return NOTING.has(parts[0] ?? "") && first !== undefined && isSpan(facts, first.value);
}

function isSpan(facts: ModuleFacts, id: ValueId): boolean {
  return wordsIn(lastName(facts, id)).at(-1) === "span";
}

/** Whether a key is one of the conventions for attributes: `SpanAttributes.LLM_REQUEST_MODEL`, `"gen_ai.request.model"`. */
export function isAttributeKey(facts: ModuleFacts, key: ValueId): boolean {
  const value = facts.values[key];
  if (value?.kind !== "member") return words.attributePrefixes.some((prefix) => textOf(facts, key).startsWith(prefix));
  if (!/^[A-Z][A-Z\d_]+$/.test(value.property ?? "")) return false;
  return pathTo(facts, value.object).some((name) => holdsConvention(name) && wordsIn(name).some((word) => CONVENTIONS.has(word)));
}

/** The names before a member, for `semantic_convention.default.NAME` too. */
function pathTo(facts: ModuleFacts, id: ValueId): readonly string[] {
  const names: string[] = [];
  let current = id;
  for (let step = 0; step < 4; step++) {
    const value = facts.values[current];
    if (value === undefined) break;
    names.push(lastName(facts, current));
    if (value.kind !== "member") break;
    current = value.object;
  }
  return names;
}
