import { constantHead, constantsOf, referencesOf } from "@agentgate/parsers";
import type { Call, FunctionFacts, ModuleFacts, Reference, Value, ValueId } from "@agentgate/parsers";
import type { ArgumentsView } from "../catalogue/classify.ts";

/**
 * The argument at `index`, or with keyword `name`, or with option `name` of an options object.
 * `"absent"` where it is not given, `"unknown"` where a spread may hold it.
 */
export function argumentOf(
  facts: ModuleFacts, call: Call, index: number | null, name: string | null,
): ValueId | "absent" | "unknown" {
  let unknown = false;
  let position = 0;
  for (const argument of call.arguments) {
    const value = facts.values[argument.value];
    if (value?.kind === "spread") {
      unknown = true;
      continue;
    }
    if (argument.name !== undefined) {
      if (argument.name === name) return argument.value;
      continue;
    }
    if (!unknown && position === index) return argument.value;
    position++;
  }
  const option = name === null || facts.language === "python" ? "absent" : optionOf(facts, call, name);
  return option === "absent" && unknown ? "unknown" : option;
}

function optionOf(facts: ModuleFacts, call: Call, name: string): ValueId | "absent" | "unknown" {
  let answer: "absent" | "unknown" = "absent";
  for (const argument of call.arguments) {
    const table = tableOf(facts, argument.value);
    if (table === null) continue;
    for (const entry of table.entries) {
      if (entry.key === null) answer = "unknown";
      else if (keyText(facts, entry.key) === name) return entry.value;
    }
  }
  return answer;
}

/** A table written in the call, or under a name that is given nothing else. */
function tableOf(facts: ModuleFacts, id: ValueId): Extract<Value, { kind: "table" }> | null {
  const value = facts.values[id];
  if (value?.kind === "table") return value;
  const binding = value?.kind === "name" ? facts.bindings[value.binding] : undefined;
  const [only, ...others] = binding?.values ?? [];
  const given = only === undefined || others.length > 0 || binding?.rebound === true ? undefined : facts.values[only];
  return given?.kind === "table" ? given : null;
}

function keyText(facts: ModuleFacts, key: ValueId): string | null {
  const value = facts.values[key];
  return value?.kind === "string" ? value.value : null;
}

/** What the catalogue may ask of a call whose capability depends on its arguments. */
export function argumentsView(facts: ModuleFacts, call: Call): ArgumentsView {
  const given = (index: number | null, name: string | null): ValueId | "absent" | "unknown" => argumentOf(facts, call, index, name);
  return {
    constants(index, name) {
      const argument = given(index, name);
      if (argument === "absent") return "absent";
      if (argument === "unknown") return null;
      return constantsOf(facts, argument)?.map((constant) => constant.value) ?? null;
    },
    head(index, name) {
      const argument = given(index, name);
      return typeof argument === "number" ? constantHead(facts, argument) : "";
    },
    references(index, name) {
      const argument = given(index, name);
      return typeof argument === "number" ? joinedReferences(facts, argument) : [];
    },
  };
}

/** `a | b | 0`, also by a name of it: what each can be; empty where one of them is nothing from outside. */
function joinedReferences(facts: ModuleFacts, argument: ValueId): readonly Reference[] {
  const joined: Reference[] = [];
  const seen = new Set<ValueId>();
  const pending = [argument];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const parts = partsJoined(facts, id);
    if (parts !== null) {
      pending.push(...parts);
      continue;
    }
    const references = referencesOf(facts, id);
    if (references.length === 0) return [];
    joined.push(...references);
  }
  return joined;
}

/** Operands of `|`, or what a name of the file is given; null where the value itself is to be asked. */
function partsJoined(facts: ModuleFacts, id: ValueId): readonly ValueId[] | null {
  const value = facts.values[id]!;
  if (value.kind === "binary" && value.operator === "|") return [value.left, value.right];
  if (value.kind === "number" && value.value === 0) return [];
  if (value.kind !== "name" || value.binding < 0) return null;
  const { values, rebound } = facts.bindings[value.binding]!;
  return rebound !== true && values.length > 0 && values.every((each) => facts.values[each]!.kind === "binary") ? values : null;
}

/** What a call gives for a parameter of a function of the module, by its place, in Python also by its name. */
export function argumentFor(facts: ModuleFacts, call: Call, subject: FunctionFacts, index: number): ReturnType<typeof argumentOf> {
  const name = facts.language === "python" ? subject.parameters[index]?.name ?? null : null;
  return argumentOf(facts, call, index - parametersBefore(facts, subject), name);
}

/** How many parameters of a function come before those of its calls: the object of a Python method. */
export function parametersBefore({ language }: ModuleFacts, { class: owner, static: isStatic }: FunctionFacts): 0 | 1 {
  return language === "python" && owner >= 0 && isStatic !== true ? 1 : 0;
}
