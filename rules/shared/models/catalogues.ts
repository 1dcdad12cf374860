import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import { bare } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { holdsOneOf } from "../names.ts";
import { modelArgument } from "./given.ts";
import { modelId } from "./ids.ts";
import { lastName } from "./readers.ts";
import { targetOf, textOf } from "./targets.ts";
import { wordsIn } from "./words.ts";

/** Names that make a catalogue of what is registered. */
const LEAST_NAMES = 3;
const REGISTERING = new Set(words.registeringWords);
const CATALOGUES = new Set(words.catalogueWords);
const holdsRegistering = holdsOneOf(words.registeringWords);

const catalogued = onceFor((facts): ReadonlySet<ValueId> => new Set([...registered(facts), ...listed(facts)].flatMap((names) => {
  const texts = new Set(names.map((literal) => textOf(facts, literal)));
  return texts.size >= LEAST_NAMES ? names : [];
})));

/** Whether a name is one of three or more that a module offers to choose from, each with what is made for it. */
export function isCatalogued(facts: ModuleFacts, literal: ValueId): boolean {
  return catalogued(facts).has(literal);
}

/** `register(Chat("…"))`, `registry.add(new Chat({ model: "…" }))`, by what registers. */
function registered(facts: ModuleFacts): Iterable<readonly ValueId[]> {
  const groups = new Map<string, ValueId[]>();
  for (const call of facts.calls) {
    const by = registrar(facts, call);
    if (by === "") continue;
    const names = call.arguments.flatMap(({ value }) => nameIn(facts, value));
    if (call.arguments.some(({ name, value }) => name === undefined && isOtherText(facts, value, names))) continue;
    const known = groups.get(by);
    if (known === undefined) groups.set(by, names);
    else known.push(...names);
  }
  return groups.values();
}

/** What is called to register, with what that stands on; empty for other calls. */
function registrar(facts: ModuleFacts, { callee }: Call): string {
  const value = facts.values[callee];
  const path = [value?.kind === "member" ? lastName(facts, value.object) : "", lastName(facts, callee)].join(".");
  return holdsRegistering(path) && wordsIn(path).some((word) => REGISTERING.has(word)) ? path : "";
}

/** A text of its own under which something is registered: it says what that is for, and code chooses by it. */
function isOtherText(facts: ModuleFacts, id: ValueId, names: readonly ValueId[]): boolean {
  const text = textOf(facts, id);
  return text !== "" && !names.some((literal) => textOf(facts, literal) === text);
}

/** `MODELS = [Chat("…"), Chat("…")]`. */
function listed(facts: ModuleFacts): readonly (readonly ValueId[])[] {
  return facts.values.flatMap((value, id) => {
    if (value.kind !== "list" || value.items.length < LEAST_NAMES) return [];
    const names = value.items.flatMap((item) => nameIn(facts, item));
    return names.length >= LEAST_NAMES && CATALOGUES.has(wordsIn(targetOf(facts, id)?.name ?? "").at(-1) ?? "") ? [names] : [];
  });
}

/** The model's name that a construction is given, by name or as the first of its places that holds one. */
function nameIn(facts: ModuleFacts, id: ValueId): readonly ValueId[] {
  const value = facts.values[bare(facts, id)];
  const call = value?.kind === "call" ? facts.calls[value.call]! : null;
  if (call === null) return [];
  const isModel = (given: ValueId): boolean => modelId(textOf(facts, given)).provider !== null;
  const given = modelArgument(facts, call)?.value ?? call.arguments.find(({ name, value: each }) => name === undefined && isModel(each))?.value;
  return given !== undefined && isModel(given) ? [given] : [];
}
