import type { Call, ModuleFacts, TableEntry, Value, ValueId } from "@agentgate/parsers";
import { memberWrites } from "../consumers.ts";
import { bare, callsApi, childrenOf, originsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";

/** The value of an option; `"unknown"` where something that the file does not show may hold it. */
export type Found = ValueId | "absent" | "unknown";

/** The last name of a member chain; empty where there is none. */
export function lastName(facts: ModuleFacts, id: ValueId): string {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "name") return value.name;
  return value?.kind === "member" ? value.property ?? "" : "";
}

const MOST_STEPS = 200;
const COPIERS = ["globalThis.Object.assign", "globalThis.Object.freeze", "globalThis.structuredClone", "builtins.dict"];

/**
 * The value of an option in what can be a table: literals, names that are given one, spreads and copies, and what is
 * written to it afterwards. `"unknown"` where a part of it comes from elsewhere. What is only a default (`setdefault`, an entry
 * before a spread) is the value where nothing else is.
 */
export function optionIn(facts: ModuleFacts, id: ValueId, name: string): Found {
  const pending = [id];
  const seen = new Set<ValueId>();
  let answer: Found = "absent";
  let fallback: Found = "absent";
  while (pending.length > 0) {
    const current = bare(facts, pending.pop()!);
    if (seen.has(current)) continue;
    if (seen.size > MOST_STEPS) return "unknown";
    seen.add(current);
    const step = stepInto(facts, current, name);
    if (typeof step === "number") return step;
    if (step === "unknown") answer = step;
    else if ("fallback" in step) {
      fallback = step.fallback;
      pending.push(...step.inside);
    } else pending.push(...step);
  }
  return answer === "unknown" ? answer : fallback;
}

/** What an option is where nothing `inside` holds it. */
interface Default {
  readonly fallback: ValueId;
  readonly inside: readonly ValueId[];
}

type Step = ValueId | "unknown" | readonly ValueId[] | Default;

interface TableOptions {
  /** With the spreads that come after it, and may hold the option too. */
  readonly named: ReadonlyMap<string, Default>;
  readonly spread: readonly ValueId[];
}

const NOTHING: readonly ValueId[] = [];

const tables = onceFor(() => new Map<ValueId, TableOptions>());

/** A table by its keys: one of thousands of entries may be the options of as many calls. */
function tableAt(facts: ModuleFacts, id: ValueId, entries: readonly TableEntry[]): TableOptions {
  const known = tables(facts).get(id);
  if (known !== undefined) return known;
  const named = new Map<string, Default>();
  const spread = entries.flatMap(({ key, value }) => (key === null ? [value] : []));
  let passed = 0;
  for (const { key, value } of entries) {
    if (key === null) passed++;
    const text = key === null ? null : keyText(facts, key);
    if (text !== null) named.set(text, { fallback: value, inside: passed < spread.length ? spread.slice(passed) : NOTHING });
  }
  const table = { named, spread };
  tables(facts).set(id, table);
  return table;
}

/** The option itself, or the expressions that may hold it. */
function stepInto(facts: ModuleFacts, id: ValueId, name: string): Step {
  const value = facts.values[id]!;
  switch (value.kind) {
    case "table": {
      const { named, spread } = tableAt(facts, id, value.entries);
      const own = named.get(name);
      return own === undefined ? spread : own.inside.length === 0 ? own.fallback : own;
    }
    case "logical":
    case "conditional":
      return childrenOf(facts, value).slice(-2);
    case "string":
    case "template":
    case "number":
    case "constant":
    case "function":
    case "regex":
    case "list":
      return [];
    case "call": {
      const call = facts.calls[value.call]!;
      if (!callsApi(call, COPIERS)) return "unknown";
      return namedOrSpread(call, name);
    }
    case "name":
      return stepIntoName(facts, value, name);
    default: {
      const { values } = originsOf(facts, id);
      return values.length === 1 && values[0] === id ? "unknown" : values;
    }
  }
}

/** `dict(base, timeout=5, **more)`: the argument of that name, else what may hold it. */
export function namedOrSpread(call: Call, name: string): ValueId | readonly ValueId[] {
  const named = call.arguments.find((argument) => argument.name === name);
  return named?.value ?? call.arguments.flatMap((argument) => (argument.name === undefined || argument.name === "**" ? [argument.value] : []));
}

function stepIntoName(facts: ModuleFacts, { binding: id }: Extract<Value, { kind: "name" }>, name: string): Step {
  const binding = facts.bindings[id];
  if (binding === undefined || binding.kind === "parameter" || binding.rebound === true || binding.values.length === 0) return "unknown";
  const written = writesTo(facts).get(id);
  if (written?.has("") === true) return "unknown";
  const given = written?.get(name);
  if (given === undefined) return binding.values;
  return given.isDefault ? { fallback: given.value, inside: binding.values } : given.value;
}

const FILLERS = new Set(["update", "setdefault"]);

interface Written {
  readonly value: ValueId;
  /** Only where it was not there yet. */
  readonly isDefault: boolean;
}

/** By variable and member what is written to it; under the empty name where that is not known. */
const writesTo = onceFor((facts): ReadonlyMap<number, ReadonlyMap<string, Written>> => {
  const writes = new Map<number, Map<string, Written>>();
  const note = (object: ValueId, name: string, value: ValueId, isDefault = false): void => {
    const target = facts.values[object];
    if (target?.kind !== "name" || target.binding < 0) return;
    const members = writes.get(target.binding);
    if (members === undefined) writes.set(target.binding, new Map([[name, { value, isDefault }]]));
    else if (!isDefault || !members.has(name)) members.set(name, { value, isDefault });
  };
  for (const { target, statement } of memberWrites(facts)) {
    const member = facts.values[target];
    if (member?.kind === "member") note(member.object, member.property ?? "", statement.value);
  }
  for (const call of facts.calls) {
    const callee = facts.values[call.callee];
    if (callee?.kind !== "member" || !FILLERS.has(callee.property ?? "")) continue;
    const isDefault = callee.property === "setdefault";
    note(callee.object, isDefault ? keyText(facts, call.arguments[0]?.value ?? -1) ?? "" : "", call.arguments.at(-1)?.value ?? -1, isDefault);
  }
  return writes;
});

function keyText(facts: ModuleFacts, key: ValueId): string | null {
  const value = facts.values[key];
  return value?.kind === "string" ? value.value : null;
}
