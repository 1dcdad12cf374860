import { functionsOf, valuesReturned } from "@agentgate/parsers";
import type { ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { bindingsGiven, memberWrites, readsOf, usesOf } from "../consumers.ts";
import { bare, callsApi, parentsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { statementsIn } from "../statements.ts";
import { textOf } from "./targets.ts";

/** One entry of options under its name, or options that are put in whole (`name` null). A later part wins. */
export interface Part {
  readonly name: string | null;
  readonly value: ValueId;
}

/** What options are put together from: `{ a, ...b }`, `{"a": a, **b}`, `a | b`, `dict(a, b=c)`, `Object.assign(a, b)`; null for the rest. */
export function mergedParts(facts: ModuleFacts, id: ValueId): readonly Part[] | null {
  const value = facts.values[id];
  if (value?.kind === "table") return value.entries.map(({ key, value: of }) => ({ name: key === null ? null : textOf(facts, key), value: bare(facts, of) }));
  if (value?.kind === "binary" && value.operator === "|" && facts.language === "python") return [value.left, value.right].map((part) => ({ name: null, value: part }));
  return value?.kind === "call" ? callParts(facts, value) : null;
}

/** Python fails where a keyword comes twice, so what `**` brings to `dict` cannot replace a keyword, and a place before it can. */
function callParts(facts: ModuleFacts, { call: id }: Extract<Value, { kind: "call" }>): readonly Part[] | null {
  const call = facts.calls[id]!;
  const isAssign = callsApi(call, ["globalThis.Object.assign"]);
  if (!isAssign && !callsApi(call, ["builtins.dict"])) return null;
  const parts = call.arguments.map(({ name, value }): Part => ({ name: name === undefined || name === "**" ? null : name, value: bare(facts, value) }));
  return isAssign ? parts : [...parts.filter(({ name }) => name === null), ...parts.filter(({ name }) => name !== null)];
}

const DEEPEST = 8;

/** Whether options may hold an entry of that name. Answers of functions that the file does not have may hold anything, and are not counted. */
export function mayHold(facts: ModuleFacts, id: ValueId, name: string, depth = 0): boolean {
  if (depth > DEEPEST) return false;
  const go = (next: ValueId): boolean => mayHold(facts, next, name, depth + 1);
  const parts = mergedParts(facts, id);
  if (parts !== null) return parts.some((part) => (part.name === null ? go(part.value) : part.name === name));
  const value = facts.values[bare(facts, id)];
  switch (value?.kind) {
    case "conditional":
      return go(value.then) || go(value.else);
    case "logical":
      return (value.operator !== "and" && go(value.left)) || go(value.right);
    case "name":
      return bindingMayHold(facts, value.binding, name, go);
    case "member":
      return true;
    case "parameter":
      return parameterMayHold(facts, value, name);
    case "call":
      return functionsOf(facts, facts.calls[value.call]!.callee).some((each) => valuesReturned(facts, each).some(go));
    default:
      return false;
  }
}

/** `**options` holds none of the other parameters. */
function parameterMayHold(facts: ModuleFacts, value: Extract<Value, { kind: "parameter" }>, name: string): boolean {
  const { parameters } = facts.functions[value.function]!;
  const parameter = parameters[value.index];
  return parameter?.kind !== "keyword-rest" || parameters.every((other) => other.name !== name);
}

function bindingMayHold(facts: ModuleFacts, id: number, name: string, go: (next: ValueId) => boolean): boolean {
  const binding = facts.bindings[id];
  if (binding === undefined || binding.kind === "import") return false;
  const { values } = binding;
  if (binding.kind === "parameter" && values.length === 0) return true;
  return values.some((value) => !isTakenApart(facts, value, name) && go(value)) || values.some((value) => isReplacedLater(facts, value, name));
}

/** `{ model, ...rest } = options`: what is taken under a name of its own is not in the rest. */
function isTakenApart(facts: ModuleFacts, source: ValueId, name: string): boolean {
  return takenApart(facts).get(source)?.has(name) === true;
}

/** A pattern takes its members from one value, where an expression names what it takes from each time. */
const takenApart = onceFor((facts): ReadonlyMap<ValueId, ReadonlySet<string>> => {
  const taken = new Map<ValueId, Set<string>>();
  for (const { values } of facts.bindings) for (const id of values) {
    const member = memberIn(facts, id);
    if (member?.property == null) continue;
    const names = taken.get(member.object) ?? new Set();
    taken.set(member.object, names.add(member.property));
  }
  return taken;
});

function memberIn(facts: ModuleFacts, id: ValueId): Extract<Value, { kind: "member" }> | null {
  const value = facts.values[id];
  const first = value?.kind === "logical" ? facts.values[value.left] : value;
  return first?.kind === "member" ? first : null;
}

/** Whether the entry of options that a name is given may get another value: `options.update(given)`, `if given: options["model"] = given`. */
export function isReplacedLater(facts: ModuleFacts, options: ValueId, name: string): boolean {
  return bindingsGiven(facts, options).some((binding) => {
    const { rebound } = facts.bindings[binding]!;
    const uses = rebound === true ? usesOf(facts, binding) : readsOf(facts, binding);
    return uses.some((use) => isUpdated(facts, use, name)) || isWrittenInBranch(facts, binding, name);
  });
}

/** `options.update(given)`, `Object.assign(options, given)`. */
function isUpdated(facts: ModuleFacts, use: ValueId, name: string): boolean {
  const parents = parentsOf(facts);
  const parent = facts.values[parents[use] ?? -1];
  if (parent?.kind === "member" && parent.property === "update" && facts.language === "python") {
    const around = facts.values[parents[parents[use]!] ?? -1];
    const call = around?.kind === "call" ? facts.calls[around.call] : undefined;
    return call !== undefined && facts.values[call.callee] === parent && call.arguments.some((given) => (given.name === undefined || given.name === "**" ? mayHold(facts, given.value, name, 1) : given.name === name));
  }
  const call = parent?.kind === "call" ? facts.calls[parent.call] : undefined;
  return call !== undefined && call.arguments[0]?.value === use && callsApi(call, ["globalThis.Object.assign"])
    && call.arguments.slice(1).some(({ value }) => mayHold(facts, value, name, 1));
}

const inBranches = onceFor((facts): ReadonlySet<number> => {
  const found = new Set<number>();
  for (const { body } of facts.functions) for (const statement of statementsIn(body)) {
    if (statement.kind === "test") for (const each of statementsIn([...statement.then, ...statement.else])) found.add(each.at);
  }
  return found;
});

function isWrittenInBranch(facts: ModuleFacts, binding: number, name: string): boolean {
  return memberWrites(facts).some(({ target, statement }) => {
    const member = facts.values[target];
    const object = member?.kind === "member" && member.property === name ? facts.values[member.object] : undefined;
    return object?.kind === "name" && object.binding === binding && inBranches(facts).has(statement.at);
  });
}
