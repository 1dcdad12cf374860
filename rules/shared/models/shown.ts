import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import { bare } from "../expressions.ts";
import { modelId } from "./ids.ts";
import { lastName } from "./readers.ts";
import { wordsIn } from "./words.ts";

const SHOWING = new Set(words.showingVerbs);
const MESSAGES = new Set(words.messageWords);
const STYLES = new Set(words.styles);
const LEDGERS = new Set(words.ledgers);
const SHOWN_AS = new Set(words.shownAs);

/** `output.printBox(…)`, `printTable(…)`, `console.print(…)`: a person reads it. */
export function isShownBy(facts: ModuleFacts, call: Call): boolean {
  return SHOWING.has(wordsIn(lastName(facts, call.callee))[0] ?? "") || isDrawn(facts, call);
}

/** `React.createElement(StatusLine, { model })` too: what is drawn. */
function isDrawn(facts: ModuleFacts, call: Call): boolean {
  return lastName(facts, call.callee) === "createElement";
}

/** `buffer.addMessage(`Model: ${model}`)`, `set_status("Using " + model)`: a sentence for whoever watches. */
export function isMessaged(facts: ModuleFacts, call: Call): boolean {
  return MESSAGES.has(wordsIn(lastName(facts, call.callee)).at(-1) ?? "");
}

/** Whether a text that is put together is one that people read: no name of a model has spaces or brackets in it. */
export function isSentence(facts: ModuleFacts, parts: readonly ValueId[]): boolean {
  return parts.some((part) => {
    const value = facts.values[part];
    return value?.kind === "string" && /[\s[\]]/.test(value.value);
  });
}

/** `chalk.bold(model)`, `click.style(model, bold=True)`, `"\n".join(lines)`: the same text, made up for a reader. */
export function isMadeUp(facts: ModuleFacts, call: Call): boolean {
  return STYLES.has(lastName(facts, call.callee));
}

/** `name.toUpperCase()`, `lines.filter(Boolean)`, `lines.join("\n")`: a name or lines as they are shown. */
export function isShownAs(name: string | null): boolean {
  return name !== null && SHOWN_AS.has(name);
}

/** `budget.reserve({ model })`, `this.ledger.record(model)`: what is spent is written down beside the name. */
export function isOfLedger(facts: ModuleFacts, call: Call): boolean {
  const callee = facts.values[call.callee];
  return callee?.kind === "member" && LEDGERS.has(wordsIn(lastName(facts, callee.object)).at(-1) ?? "");
}

/** A table that is written out, and that holds no name of a model: icons, ranks, prompts. */
export function holdsNoModels(facts: ModuleFacts, id: ValueId): boolean {
  const first = bare(facts, id);
  const name = facts.values[first];
  const binding = name?.kind === "name" ? facts.bindings[name.binding] : undefined;
  const table = facts.values[binding === undefined || binding.rebound === true || binding.values.length !== 1 ? first : bare(facts, binding.values[0]!)];
  if (table?.kind !== "table" || table.entries.length === 0) return false;
  return table.entries.every(({ key, value }) => {
    const entry = facts.values[value];
    if (key === null || entry === undefined) return false;
    return entry.kind === "number" || entry.kind === "constant" || (entry.kind === "string" && isNoModel(entry.value));
  });
}

function isNoModel(text: string): boolean {
  const { provider, standing } = modelId(text);
  return provider === null && standing === "unknown";
}
