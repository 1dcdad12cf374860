import { constantsOf, functionsOf } from "@agentgate/parsers";
import type { BindingId, Call, FunctionId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { parametersBefore } from "../arguments.ts";
import { bare, callsApi, originsOf } from "../expressions.ts";
import { givenBy } from "../given.ts";
import { memberOf } from "../models/exported.ts";
import { UNKNOWN } from "./match.ts";
import { outcomeOf, valuesReturnedTo } from "./returns.ts";
import { installToolOf, programName } from "./vocabulary.ts";

const MOST_STEPS = 200;
const MOST_LISTS = 16;
const MOST_RETURNED = 4;
const DEEPEST = 3;
export const MOST_TEXT = 10_000;

/** An expression, with what the parameters of the function around it are given where it is what a call of that returns. */
export interface Placed {
  readonly id: ValueId;
  readonly given: Given;
}

/** By the parameter's name; of a rest parameter all that it collects. */
export type Given = ReadonlyMap<BindingId, readonly Placed[]>;

export const NOTHING_GIVEN: Given = new Map();

/** The lists that an expression can be: written, named, kept in a table or an attribute, joined with `+`, split from text, returned. */
export function listsOf(facts: ModuleFacts, from: Placed, depth = 0): readonly (readonly Placed[])[] {
  const lists: (readonly Placed[])[] = [];
  const pending = [from];
  const seen = new Set<ValueId>();
  while (pending.length > 0 && seen.size < MOST_STEPS && lists.length < MOST_LISTS) {
    const popped = pending.pop()!;
    const id = bare(facts, popped.id);
    if (seen.has(id)) continue;
    seen.add(id);
    const value = facts.values[id];
    const collected = value?.kind === "name" ? popped.given.get(value.binding) : undefined;
    if (value?.kind === "list") lists.push(value.items.map((item) => ({ id: item, given: popped.given })));
    else if (collected !== undefined) lists.push(collected);
    else pending.push(...insideOf(facts, { ...popped, id }, value, depth));
  }
  return lists;
}

function insideOf(facts: ModuleFacts, { id, given }: Placed, value: Value | undefined, depth: number): readonly Placed[] {
  const here = (ids: readonly ValueId[]): readonly Placed[] => ids.map((each) => ({ id: each, given }));
  switch (value?.kind) {
    case "name":
      return here(facts.bindings[value.binding]?.values ?? []);
    case "member":
      return here(entriesOf(facts, id, value));
    // What is added comes after, and the command stands at the beginning.
    case "binary":
      return value.operator === "+" ? here([value.left]) : [];
    case "conditional": {
      const outcome = outcomeOf(facts, value.test, (asked) => textGiven(facts, { id: asked, given }));
      return here(outcome === null ? [value.then, value.else] : [outcome ? value.then : value.else]);
    }
    case "logical":
      return here([value.left, value.right]);
    case "call": {
      const call = facts.calls[value.call]!;
      const callee = facts.values[call.callee];
      const isConcat = callee?.kind === "member" && callee.property === "concat";
      if (isConcat) return here([callee.object]);
      if (callsApi(call, ["builtins.list", "builtins.tuple"])) return here(call.arguments.map((argument) => argument.value));
      return depth < DEEPEST ? returnedBy(facts, call, given) : [];
    }
    default:
      return [];
  }
}

/** What a member of a table, a list or an object was given: by its key, or each of them where they are all lists. */
function entriesOf(facts: ModuleFacts, id: ValueId, member: Extract<Value, { kind: "member" }>): readonly ValueId[] {
  const property = member.property ?? (member.key === null ? null : onlyText(facts, member.key));
  if (property === null) return everyEntry(facts, member.object);
  const entry = memberOf(facts, bare(facts, member.object), [property]);
  return entry === null ? originsOf(facts, id).values.filter((origin) => origin !== id) : [entry];
}

function everyEntry(facts: ModuleFacts, id: ValueId): readonly ValueId[] {
  const [only, ...others] = originsOf(facts, id).values;
  const table = only === undefined || others.length > 0 ? undefined : facts.values[only];
  if (table?.kind !== "table" || table.entries.length > MOST_LISTS) return [];
  return table.entries.every(({ key, value }) => key !== null && facts.values[value]?.kind === "list") ? table.entries.map(({ value }) => value) : [];
}

/** What a function of the file returns to a call, with what that gives it. */
export function returnedBy(facts: ModuleFacts, call: Call, around: Given = NOTHING_GIVEN): readonly Placed[] {
  return functionsOf(facts, call.callee).slice(0, MOST_RETURNED).flatMap((id) => {
    if (facts.functions[id]!.kind === "constructor") return [];
    const given = givenTo(facts, id, call, around);
    return valuesReturnedTo(facts, id, (asked) => textGiven(facts, { id: asked, given })).slice(0, MOST_RETURNED).map((value) => ({ id: value, given }));
  });
}

/** The whole text that a parameter is given. */
function textGiven(facts: ModuleFacts, { id, given }: Placed): string | null {
  const value = facts.values[bare(facts, id)];
  const [only, ...others] = value?.kind === "name" ? given.get(value.binding) ?? [] : [];
  if (value?.kind !== "name" || only === undefined || others.length > 0 || (facts.bindings[value.binding]?.values.length ?? 0) > 1) return null;
  const text = textOf(facts, only);
  return text.includes(UNKNOWN) ? null : text;
}

function givenTo(facts: ModuleFacts, id: FunctionId, call: Call, around: Given): Given {
  const subject = facts.functions[id]!;
  const before = parametersBefore(facts, subject);
  const { arguments: all } = givenBy(facts, call);
  const placed = all.filter(({ name }) => name === undefined).map(({ value }): Placed => ({ id: value, given: around }));
  return new Map(subject.parameters.slice(before).flatMap(({ name, kind, binding }, place): (readonly [BindingId, readonly Placed[]])[] => {
    if (kind === "rest") return [[binding, placed.slice(place)]];
    const named = all.find((each) => each.name === name);
    const given = named === undefined ? placed[place] : { id: named.value, given: around };
    return given === undefined || kind === "keyword-rest" ? [] : [[binding, [given]]];
  }));
}

/**
 * The text that an expression is, with `UNKNOWN` for what is only known when the program runs. Of `shlex.split(text)`,
 * `text.split()` and their like it is the text.
 */
export function textOf(facts: ModuleFacts, from: Placed): string {
  const pieces: string[] = [];
  const pending: (Placed & { readonly depth: number })[] = [{ ...from, depth: 0 }];
  for (let step = 0; pending.length > 0; step++) {
    const popped = pending.pop()!;
    const id = bare(facts, popped.id);
    const text = knownText(facts, id);
    const parts = text === null && step < MOST_STEPS ? partsOf(facts, { ...popped, id }, popped.depth) : null;
    if (parts === null) pieces.push(text ?? UNKNOWN);
    else pending.push(...parts.toReversed().map((part) => ({ ...part, depth: popped.depth + (facts.values[id]?.kind === "call" ? 1 : 0) })));
  }
  return pieces.join("").slice(0, MOST_TEXT);
}

/** The only text that an expression can be; of several the one that names a program which installs. */
function knownText(facts: ModuleFacts, id: ValueId): string | null {
  const constants = constantsOf(facts, id);
  if (constants?.length === 1) return typeof constants[0]!.value === "string" ? constants[0]!.value.slice(0, MOST_TEXT) : null;
  const texts = (constants ?? []).flatMap(({ value }) => (typeof value === "string" ? [value] : []));
  return texts.find((text) => installToolOf(programName(text)) !== null) ?? null;
}

export function onlyText(facts: ModuleFacts, id: ValueId): string | null {
  const constants = facts.values[id] === undefined ? null : constantsOf(facts, id);
  return constants?.length === 1 && typeof constants[0]!.value === "string" ? constants[0]!.value : null;
}

/** What a text is put together from; null where it is one piece. */
function partsOf(facts: ModuleFacts, { id, given }: Placed, depth: number): readonly Placed[] | null {
  const value = facts.values[id];
  const here = (ids: readonly ValueId[]): readonly Placed[] => ids.map((each) => ({ id: each, given }));
  switch (value?.kind) {
    case "template":
      return here(value.parts);
    case "binary":
      return value.operator === "+" ? here([value.left, value.right]) : value.operator === "%" ? here([value.left]) : null;
    case "member": {
      const entry = value.property === null ? null : memberOf(facts, bare(facts, value.object), [value.property]);
      return entry === null || !isText(facts, entry) ? null : here([entry]);
    }
    case "name": {
      const argument = given.get(value.binding);
      if (argument?.length === 1) return argument;
      const binding = facts.bindings[value.binding];
      return binding?.values.length === 1 && binding.kind !== "parameter" && isText(facts, binding.values[0]!) ? here(binding.values) : null;
    }
    case "call":
      return partsOfCall(facts, facts.calls[value.call]!, given, depth);
    default:
      return null;
  }
}

const TEXT_METHODS = new Set(["split", "format", "trim", "strip", "encode"]);

function partsOfCall(facts: ModuleFacts, call: Call, given: Given, depth: number): readonly Placed[] | null {
  const callee = facts.values[call.callee];
  const [first] = call.arguments;
  if (callsApi(call, ["shlex.split", "builtins.str", "globalThis.Buffer.from"]) && first !== undefined) return [{ id: first.value, given }];
  if (callee?.kind === "member" && TEXT_METHODS.has(callee.property ?? "") && isText(facts, callee.object)) return [{ id: callee.object, given }];
  if (depth >= DEEPEST) return null;
  const [only, ...others] = returnedBy(facts, call, given);
  return only !== undefined && others.length === 0 && isText(facts, only.id) ? [only] : null;
}

/** Something that text can be seen in; a name that leads to itself is none. */
function isText(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "string" || value?.kind === "template" || value?.kind === "call" || (value?.kind === "binary" && value.operator !== "/") || value?.kind === "name";
}
