import { functionsOf } from "@agentgate/parsers";
import type { Argument, Call, FunctionId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { parametersBefore } from "./arguments.ts";
import { onceFor } from "./indexes.ts";

/** What a place gives to a function: by a call of it, or by binding arguments to it for a later one. */
export interface Giving extends Pick<Call, "arguments" | "span"> {
  /** More may be given than is told: by a later call, or by what is spread. */
  readonly isPartial?: true;
  /** Names that are not written may be given: what is spread is known when it runs. */
  readonly isOpen?: true;
}

/** Names between a call and what it calls. */
const MOST_NAMES = 8;
const MOST_ARGUMENTS = 100;

/** What a call of a function gives it; where its callee is what `partial` or `bind` made, behind what that bound. */
export function givenBy(facts: ModuleFacts, call: Call): Giving {
  const origin = originOf(facts, call.callee);
  const value = facts.values[origin];
  if (value?.kind !== "call") return told(facts, call, call.arguments);
  const bound = boundBy(facts, facts.calls[value.call]!);
  return told(facts, call, [...bound?.arguments ?? [], ...call.arguments], bound === null);
}

/** What is given to a function that is borrowed: by `call`, `apply` or `bind` of it, or by handing it to what does the same. */
export function givenThrough(facts: ModuleFacts, method: string, call: Call): Giving | null {
  const [, ...given] = call.arguments;
  if (method === "bind") return told(facts, call, given, true);
  if (method === "call") return told(facts, call, given);
  return method === "apply" ? applied(facts, call, given[0]) : null;
}

/** What the call around a function, of which it is an argument, gives it. */
export function givenAround(facts: ModuleFacts, id: ValueId, call: Call): Giving | null {
  const [first, ...given] = call.arguments;
  if (first?.value !== id) return null;
  const names = call.references.map(({ module, path }) => [module, ...path].join("."));
  if (names.some((name) => PARTIAL.has(name))) return told(facts, call, given, true);
  return names.includes("globalThis.Reflect.apply") ? applied(facts, call, given[1]) : null;
}

const PARTIAL = new Set(["functools.partial", "functools.partialmethod"]);

function boundBy(facts: ModuleFacts, call: Call): Giving | null {
  const callee = facts.values[call.callee];
  if (callee?.kind === "member" && callee.property === "bind") return givenThrough(facts, "bind", call);
  const [first] = call.arguments;
  return first === undefined ? null : givenAround(facts, first.value, call);
}

function applied(facts: ModuleFacts, call: Call, list: Argument | undefined): Giving | null {
  const value = list === undefined ? undefined : facts.values[list.value];
  return value?.kind === "list" ? told(facts, call, value.items.map((item) => ({ value: item }))) : null;
}

/** Spread tables are written out; behind a spread list nobody can tell which place an argument has. */
function told(facts: ModuleFacts, { span }: Call, given: readonly Argument[], isPartial = false): Giving {
  const all: Argument[] = [];
  let [isWhole, isOpen, isPlaced] = [!isPartial, false, true];
  for (const argument of given.slice(0, MOST_ARGUMENTS)) {
    const spread = spreadOf(facts, argument);
    if (spread === null) {
      if (isPlaced || argument.name !== undefined) all.push(argument);
      continue;
    }
    isWhole = false;
    if (argument.name !== "**") isPlaced = false;
    else if (spread.kind === "table") all.push(...entriesOf(facts, spread));
    else isOpen = true;
  }
  return { arguments: all, span, ...isWhole ? {} : { isPartial: true }, ...isOpen ? { isOpen } : {} };
}

function spreadOf(facts: ModuleFacts, { name, value: id }: Argument): Value | null {
  const value = facts.values[id]!;
  if (value.kind !== "spread" && name !== "**") return null;
  return facts.values[originOf(facts, value.kind === "spread" ? value.value : id)]!;
}

/** In Python the entries of a table are given by name; in ECMAScript no table is spread into arguments. */
function entriesOf(facts: ModuleFacts, { entries }: Extract<Value, { kind: "table" }>): Argument[] {
  return entries.flatMap(({ key, value }) => {
    const name = key === null ? undefined : facts.values[key];
    return name?.kind === "string" ? [{ name: name.value, value }] : [];
  });
}

/** What a name stands for, where it is only ever given one thing. */
function originOf(facts: ModuleFacts, id: ValueId): ValueId {
  let current = id;
  for (let step = 0; step < MOST_NAMES; step++) {
    const value = facts.values[current]!;
    if (value.kind === "await" || value.kind === "assigned") current = value.value;
    else if (value.kind === "name" && value.binding >= 0) {
      const { values, rebound } = facts.bindings[value.binding]!;
      if (values.length !== 1 || rebound === true) return current;
      current = values[0]!;
    } else return current;
  }
  return current;
}

const givingsByFunction = onceFor((facts): ReadonlyMap<FunctionId, readonly Giving[]> => {
  const index = new Map<FunctionId, Giving[]>();
  const add = (callee: ValueId, giving: Giving | null): void => {
    if (giving === null) return;
    for (const id of functionsOf(facts, callee)) {
      const list = index.get(id);
      if (list === undefined) index.set(id, [giving]);
      else list.push(giving);
    }
  };
  for (const call of facts.calls) {
    const callee = facts.values[call.callee];
    add(call.callee, givenBy(facts, call));
    if (callee?.kind === "member" && callee.property !== null && BORROWED.has(callee.property)) add(callee.object, givenThrough(facts, callee.property, call));
    else if (call.references.length > 0 && call.arguments.length > 1) add(call.arguments[0]!.value, givenAround(facts, call.arguments[0]!.value, call));
  }
  return index;
});

const BORROWED = new Set(["bind", "call", "apply"]);
/** Places that give one function something. */
const MOST_GIVINGS = 40;

/** What the places of the file that call a function, or bind it, give for one of its parameters. */
export function givenForParameter(facts: ModuleFacts, id: FunctionId, index: number): readonly ValueId[] {
  const subject = facts.functions[id]!;
  const parameter = subject.parameters[index];
  if (parameter === undefined) return [];
  const place = parameter.kind === "positional" ? index - parametersBefore(facts, subject) : -1;
  return (givingsByFunction(facts).get(id) ?? []).slice(0, MOST_GIVINGS).flatMap(({ arguments: given }) => {
    const named = given.find(({ name }) => name === parameter.name);
    const argument = named ?? (place < 0 ? undefined : given.filter(({ name }) => name === undefined)[place]);
    return argument === undefined ? [] : [argument.value];
  });
}
