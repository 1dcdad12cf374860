import { constantsOf, functionsOf } from "@agentgate/parsers";
import type { Call, CallId, FunctionId, ModuleFacts, Statement, TableEntry, Value, ValueId } from "@agentgate/parsers";
import { parametersBefore } from "../arguments.ts";
import { onceFor, resultOf } from "../indexes.ts";
import { memberWrites } from "../consumers.ts";
import { parentsOf } from "../expressions.ts";
import { fieldsBeside, isKeeper, isSetter, keyName } from "./names.ts";
import type { KeyName } from "./names.ts";

/** A place where something is given under a key's name. */
export interface KeySite {
  readonly name: KeyName;
  /** The expression given. */
  readonly key: ValueId;
  /** What holds it from there on: a table, the object written to, or the result of the call that takes it. */
  readonly holder: ValueId;
  /** The call that takes it as an argument of its own. */
  readonly call: CallId | null;
  /** `holder` is an object that is changed, so that every use of it holds the key. */
  readonly changes?: true;
  /** A value that is there already stays. */
  readonly keeps?: true;
}

/** Every place of the file where something is given under a name that receivers recognise repeated writes by. */
export const keySites = onceFor((facts): readonly KeySite[] => [...tableSites(facts), ...inArguments(facts), ...writeSites(facts)]);

function inTables(facts: ModuleFacts): KeySite[] {
  const sites: KeySite[] = [];
  for (let id = 0; id < facts.values.length; id++) {
    const value = facts.values[id]!;
    if (value.kind === "table") {
      for (const entry of value.entries) if (entry.key !== null) sites.push(...siteOf(facts, entry.key, entry.value, id), ...fieldSite(facts, value, entry, id));
    } else if (value.kind === "list" && value.items.length === 2 && facts.values[value.items[0]!]?.kind === "string") {
      sites.push(...siteOf(facts, value.items[0]!, value.items[1]!, id));
    }
  }
  return sites;
}

function siteOf(facts: ModuleFacts, name: ValueId, key: ValueId, holder: ValueId): readonly KeySite[] {
  const text = textOf(facts, name);
  const named = text === null ? null : keyName(text);
  return named === null ? NO_SITES : [{ name: named, key, holder, call: null }];
}

/** A field that is a key for the other fields of its record. */
function fieldSite(facts: ModuleFacts, record: Extract<Value, { kind: "table" }>, entry: TableEntry, holder: ValueId): readonly KeySite[] {
  const named = facts.values[entry.key!];
  const beside = named?.kind === "string" ? fieldsBeside(named.value) : null;
  if (beside === null || named?.kind !== "string") return NO_SITES;
  const known = record.entries.some(({ key }) => {
    const other = key === null ? undefined : facts.values[key];
    return other?.kind === "string" && beside.has(other.value);
  });
  return known ? [{ name: { shown: named.value }, key: entry.value, holder, call: null }] : NO_SITES;
}

const NO_SITES: readonly KeySite[] = [];

function textOf(facts: ModuleFacts, id: ValueId): string | null {
  const value = facts.values[id];
  if (value?.kind === "string") return value.value;
  if (value?.kind !== "name" && value?.kind !== "member") return null;
  const constants = constantsOf(facts, id);
  return constants?.length === 1 && typeof constants[0]!.value === "string" ? constants[0]!.value : null;
}

function inArguments(facts: ModuleFacts): KeySite[] {
  const sites: KeySite[] = [];
  for (let id = 0; id < facts.calls.length; id++) {
    const call = facts.calls[id]!;
    if (call.arguments.length === 0) continue;
    for (const argument of call.arguments) {
      const name = argument.name === undefined ? null : keyName(argument.name);
      if (name !== null) sites.push({ name, key: argument.value, holder: resultOf(facts, id), call: id });
    }
    sites.push(...setters(facts, call), ...byParameter(facts, call, id));
  }
  return sites;
}

function setters(facts: ModuleFacts, call: Call): KeySite[] {
  const callee = facts.values[call.callee];
  const [first, second] = call.arguments;
  if (callee?.kind !== "member" || callee.property === null || first === undefined || second === undefined) return [];
  const keeps = isKeeper(callee.property);
  if (!keeps && !isSetter(callee.property)) return [];
  return siteOf(facts, first.value, second.value, callee.object).map((site) => ({ ...site, changes: true, ...(keeps ? { keeps } : {}) }));
}

/** Positional arguments of the file's own functions whose parameter has a key's name, or is put under one. */
function byParameter(facts: ModuleFacts, call: Call, id: CallId): KeySite[] {
  if (!hasKeyParameters(facts) || call.arguments.every((argument) => argument.name !== undefined)) return [];
  return functionsOf(facts, call.callee).flatMap((called) => givenToParameters(facts, facts, call, id, called));
}

/** The arguments of a call that a function takes as keys; the function may be of another module. */
export function givenToParameters(facts: ModuleFacts, of: ModuleFacts, call: Call, id: CallId, called: FunctionId): KeySite[] {
  const subject = hasKeyParameters(of) ? of.functions[called] : undefined;
  if (subject === undefined) return [];
  const own = parametersBefore(of, subject);
  let position = own;
  return call.arguments.flatMap((argument): KeySite[] => {
    if (argument.name !== undefined || facts.values[argument.value]?.kind === "spread") return [];
    const parameter = subject.parameters[position++];
    const name = parameter === undefined || parameter.pattern === true ? null : parameterKey(of, parameter.binding, parameter.name);
    return name === null ? [] : [{ name, key: argument.value, holder: resultOf(facts, id), call: id }];
  });
}

const keyParameters = onceFor((facts) => ({
  any: facts.functions.some(({ parameters }) => parameters.some(({ binding, name, pattern }) => pattern !== true && parameterKey(facts, binding, name) !== null)),
}));

/** Whether any function of a module takes a key by position. */
function hasKeyParameters(facts: ModuleFacts): boolean {
  return keyParameters(facts).any;
}

function parameterKey(facts: ModuleFacts, binding: number, name: string): KeyName | null {
  const own = keyName(name);
  if (own !== null && own.onlyFor === undefined) return own;
  return parameterNames(facts).get(binding) ?? null;
}

const tableSites = onceFor(inTables);
const writeSites = onceFor(inWrites);

/** Parameters by binding that the file itself puts under a key's name. */
export const parameterNames = onceFor((facts): ReadonlyMap<number, KeyName> => {
  const found = new Map<number, KeyName>();
  for (const { name, key } of [...tableSites(facts), ...writeSites(facts)]) {
    const value = facts.values[key];
    if (name.onlyFor === undefined && value?.kind === "name" && facts.bindings[value.binding]?.kind === "parameter") found.set(value.binding, name);
  }
  return found;
});

function inWrites(facts: ModuleFacts): KeySite[] {
  return memberWrites(facts).flatMap(({ target, statement }): KeySite[] => {
    const member = facts.values[target];
    if (member?.kind !== "member") return [];
    const text = member.property ?? (member.key === null ? null : textOf(facts, member.key));
    const name = text === null ? null : keyName(text);
    if (name === null) return [];
    const keeps = isKept(facts, statement, target);
    return [{ name, key: statement.value, holder: member.object, call: null, changes: true, ...(keeps ? { keeps: true } : {}) }];
  });
}

/** `x.key ??= …`, `x.key = x.key or …`: what the object brings stays. */
function isKept(facts: ModuleFacts, statement: Extract<Statement, { kind: "assign" }>, target: ValueId): boolean {
  if (statement.operator !== "=") return true;
  const given = facts.values[statement.value];
  const first = given?.kind === "logical" ? facts.values[given.left] : undefined;
  const member = facts.values[target];
  return first?.kind === "member" && member?.kind === "member" && first.property === member.property;
}

/** The call that an expression is an argument or the receiver of, itself included in neither; -1 where it is none. */
export function parentCall(facts: ModuleFacts, id: ValueId): CallId {
  const parent = facts.values[parentsOf(facts)[id] ?? -1];
  return parent?.kind === "call" ? parent.call : -1;
}
