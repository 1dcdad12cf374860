import { referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { classify } from "../../catalogue/classify.ts";
import listed from "../../data/fallbacks.json" with { type: "json" };
import type { RuleContext } from "../../rule.ts";
import { apiName, originsOf } from "../expressions.ts";
import { isModuleOf, modulesOfApis, writesName } from "../names.ts";
import { entriesOf, optionsOf } from "./options.ts";
import { isNothing } from "./replaced.ts";
import { lastName } from "./talks.ts";
import { namesClient, namesSpare, targetKind } from "./words.ts";

/** Other models that are handed to a client, to go on with when the first one fails. */
export interface HandedList {
  readonly value: ValueId;
  readonly call: Call;
  /** `fallbacks`: how the client calls it. */
  readonly name: string;
}

const { arguments: ARGUMENTS, bodies: BODIES, methods: METHODS, makers: MAKERS } = listed.lists;

export function listsHanded(facts: ModuleFacts, context: RuleContext): readonly HandedList[] {
  if (!writesName(facts, (name) => NAMES.has(name)) && !facts.calls.some(({ references }) => references.some(({ module }) => isModuleOf(MAKING, module)))) return [];
  return facts.calls.flatMap((call): readonly HandedList[] => {
    const found = byName(facts, call) ?? byMethod(facts, context, call) ?? byMaker(facts, call);
    return found === null ? [] : [found];
  });
}

/** One of these is written wherever a list is handed over by its name. */
const NAMES: ReadonlySet<string> = new Set([...ARGUMENTS, ...METHODS].flatMap(({ names }) => names).concat(BODIES.flatMap(({ holders }) => holders)));
const MAKING = modulesOfApis(MAKERS.flatMap(({ paths }) => paths));

function byName(facts: ModuleFacts, call: Call): HandedList | null {
  const options = optionsOf(facts, call);
  const operation = lastName(facts, call.callee);
  for (const { name, value } of options) {
    const entry = ARGUMENTS.find(({ names, roots, callees }) => names.includes(name) && (callees.includes(operation) || (callees.length === 0 && isOf(call, roots))));
    if (entry !== undefined && holdsOthers(facts, value) && !isPassedOn(facts, name, value)) return { value, call, name };
    const body = BODIES.find(({ holders }) => holders.includes(name));
    const inside = body === undefined ? undefined : entriesOf(facts, value).find((each) => body.names.includes(each.name) && holdsOthers(facts, each.value));
    if (inside !== undefined) return { value: inside.value, call, name: inside.name };
  }
  return null;
}

function isOf(call: Call, roots: readonly string[]): boolean {
  return call.references.some(({ module }) => roots.some((root) => module === root || module.startsWith(`${root}.`) || module.startsWith(`${root}/`)));
}

/** `fallbacks=fallbacks`: the caller hands it over, and is asked there. */
function isPassedOn(facts: ModuleFacts, name: string, id: ValueId): boolean {
  const value = facts.values[id];
  return value?.kind === "name" && value.name === name && facts.bindings[value.binding]?.kind === "parameter";
}

/** Something is in it: an empty list and nothing at all hand over nothing. */
function holdsOthers(facts: ModuleFacts, id: ValueId): boolean {
  const { values } = originsOf(facts, id);
  return values.some((origin) => {
    const value = facts.values[origin];
    if (value?.kind === "list") return value.items.length > 0;
    if (value?.kind === "table") return value.entries.length > 0;
    return value?.kind !== "constant";
  });
}

/** `model.with_fallbacks([other])`: only of models; a parser may have others, too. */
function byMethod(facts: ModuleFacts, context: RuleContext, call: Call): HandedList | null {
  const operation = lastName(facts, call.callee);
  const entry = METHODS.find(({ names }) => names.includes(operation));
  const callee = facts.values[call.callee];
  const given = call.arguments.find((argument) => argument.name === entry?.argument) ?? call.arguments[0];
  if (entry === undefined || given === undefined || callee?.kind !== "member" || facts.values[given.value]?.kind === "spread") return null;
  const options = entriesOf(facts, given.value).find(({ name }) => name === entry.argument);
  const list = options?.value ?? given.value;
  if (isCallersChoice(facts, list)) return null;
  return isModel(facts, context, callee.object) || itemsOf(facts, list).some((item) => isModel(facts, context, item)) ? { value: list, call, name: operation } : null;
}

const MOST_STEPS = 100;

/**
 * Whether every model of a list is one that the function is given: whoever calls it chose the fallback, as a setting. What
 * is built around such a model (an agent, tools) is the caller's too; a model that the code names or makes is not.
 */
function isCallersChoice(facts: ModuleFacts, list: ValueId): boolean {
  const pending = [...itemsOf(facts, list)];
  if (pending.length === 0) return false;
  const seen = new Set<ValueId>();
  while (pending.length > 0) {
    const id = pending.pop()!;
    if (seen.has(id)) continue;
    seen.add(id);
    if (seen.size > MOST_STEPS) return false;
    for (const origin of originsOf(facts, id).values) {
      const value = facts.values[origin];
      if (value?.kind === "parameter" || isNothing(facts, origin)) continue;
      const models = value?.kind === "call" ? modelsGiven(facts, facts.calls[value.call]!) : [];
      if (models.length === 0) return false;
      pending.push(...models);
    }
  }
  return true;
}

/** What a call is given as a model, by a model's name or as a name that is a model's, or the model that it is made on (`model.bindTools(…)`). */
function modelsGiven(facts: ModuleFacts, call: Call): readonly ValueId[] {
  const callee = facts.values[call.callee];
  if (callee?.kind === "member" && saysModel(lastName(facts, callee.object))) return [callee.object];
  const placed = call.arguments.filter(({ name, value }) => name === undefined && saysModel(lastName(facts, value))).map(({ value }) => value);
  return [...optionsOf(facts, call).filter(({ name }) => saysModel(name)).map(({ value }) => value), ...placed];
}

function saysModel(name: string): boolean {
  return targetKind(name) === "model" || namesClient(name);
}

function itemsOf(facts: ModuleFacts, id: ValueId): readonly ValueId[] {
  return originsOf(facts, id).values.flatMap((origin) => {
    const value = facts.values[origin];
    return value?.kind === "list" ? value.items : [];
  });
}

/** A client of a model provider, or a name that says that it is one. */
function isModel(facts: ModuleFacts, context: RuleContext, id: ValueId): boolean {
  const name = lastName(facts, id);
  if (targetKind(name) === "model" || (namesClient(name) && namesSpare(name))) return true;
  return referencesOf(facts, id).some((reference) => {
    const answer = classify(facts.language, reference, context.capabilities);
    return answer.kind === "capability" && answer.capabilities.includes("model");
  });
}

function byMaker(facts: ModuleFacts, call: Call): HandedList | null {
  for (const reference of call.references) {
    const maker = MAKERS.find(({ paths }) => paths.includes(apiName(reference)));
    const other = maker === undefined ? undefined : call.arguments.filter((argument) => argument.name === undefined)[maker.from];
    if (other !== undefined) return { value: other.value, call, name: lastName(facts, call.callee) };
  }
  return null;
}
