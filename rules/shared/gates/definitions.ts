import { definitionsOf } from "@agentgate/parsers";
import type { ClassId, FunctionId, ModuleFacts, Span, ValueId } from "@agentgate/parsers";
import { isApi } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { membersOf } from "./ends.ts";
import names from "./names.json" with { type: "json" };

/** How a module defines a gate of some name. */
export interface Definition {
  /** Functions that are the gate, those inside them left out. */
  readonly functions: readonly FunctionId[];
  readonly classes: readonly ClassId[];
  readonly span: Span;
  /** Its body calls a parameter, or it can be entered: what is handed to it runs inside of it. */
  readonly runs: boolean;
}

export const MANAGERS = ["contextlib.contextmanager", "contextlib.asynccontextmanager"];
const ENTERED = ["__enter__", "__aenter__"];
const DEEPEST = 200;
const FARTHEST = 12;

/** Definitions at the top of a module, or of its classes' methods where the name is dotted; null where there is none. */
export function definitionIn(facts: ModuleFacts, name: string): Definition | null {
  const kept = definitionsByName(facts);
  let found = kept.get(name);
  if (found === undefined) kept.set(name, (found = findDefinition(facts, name)));
  return found;
}

/** The same of a gate that the policy declares, whose name may be that of a method too. */
export function declaredDefinitionIn(facts: ModuleFacts, name: string): Definition | null {
  return definitionIn(facts, name) ?? (name.includes(".") ? null : definitionIn(facts, `*.${name}`));
}

const BEGINNING = new RegExp(`^(?:${names.begins.join("|")})(?:_|[A-Z])`);

/** Whether a declared gate only begins something, by the last part of its name: a function that runs nothing it is handed. */
export function isBeginning(facts: ModuleFacts, name: string, last: string): boolean {
  return BEGINNING.test(last) && declaredDefinitionIn(facts, name)?.runs !== true;
}

const definitionsByName = onceFor(() => new Map<string, Definition | null>());

function findDefinition(facts: ModuleFacts, name: string): Definition | null {
  const parts = name.split(".");
  const last = parts.at(-1)!;
  const owner = parts.at(-2);
  const { functions, classes } = owner === undefined ? topLevel(facts, last) : methodsNamed(facts, owner, last);
  const first = functions[0] === undefined ? facts.classes[classes[0] ?? -1]?.nameSpan : facts.functions[functions[0]]!.nameSpan;
  if (first === undefined) return null;
  return { functions, classes, span: first, runs: functions.some((id) => functionRuns(facts, id)) || classes.some((id) => classRuns(facts, id)) };
}

/** `def write_gate`, `class WriteGate`, `const writeGate = (run) => …`. */
function topLevel(facts: ModuleFacts, name: string): Pick<Definition, "functions" | "classes"> {
  const functions = new Set<FunctionId>();
  const classes = new Set<ClassId>();
  const binding = Object.hasOwn(facts.scopes[0]?.names ?? {}, name) ? facts.scopes[0]!.names[name]! : -1;
  const exported = facts.exports.flatMap((entry) => (entry.name === name && entry.value !== null && entry.import === undefined ? [entry.value] : []));
  for (const value of [...(facts.bindings[binding]?.values ?? []), ...exported]) {
    for (const { kind, id } of definitionsOf(facts, value)) {
      if (kind === "function") functions.add(id);
      else if (kind === "class" || kind === "instance") classes.add(id);
    }
  }
  for (const id of facts.functions.keys()) {
    const subject = facts.functions[id]!;
    if (subject.name === name && subject.parent === 0 && subject.class === -1) functions.add(id);
  }
  return { functions: [...functions], classes: [...classes] };
}

function methodsNamed(facts: ModuleFacts, owner: string, name: string): Pick<Definition, "functions" | "classes"> {
  const members = membersOf(facts);
  const functions = facts.classes.flatMap((subject, id) => (owner === "*" || subject.name === owner ? members[id]!.get(name) ?? [] : []));
  return { functions, classes: [] };
}

/** Whether a function is one of a gate's own, or lies inside one. */
export function isOwnFunction(facts: ModuleFacts, { functions, classes }: Definition, id: FunctionId): boolean {
  for (let current = id, steps = 0; current > 0 && steps < DEEPEST; current = facts.functions[current]!.parent, steps++) {
    if (functions.includes(current) || classes.includes(facts.functions[current]!.class)) return true;
  }
  return false;
}

function functionRuns(facts: ModuleFacts, id: FunctionId): boolean {
  if (facts.functions[id]!.decorators.some((decorator) => isApi(facts, decorator, MANAGERS))) return true;
  return callsParameter(facts, (each) => isWithin(facts, each, [id]));
}

function classRuns(facts: ModuleFacts, id: ClassId): boolean {
  const members = membersOf(facts)[id]!;
  if (ENTERED.some((name) => members.has(name))) return true;
  return callsParameter(facts, (each) => isMember(facts, each, id));
}

/** Whether a function is one of the others, or lies inside one. */
export function isWithin(facts: ModuleFacts, inner: FunctionId, outer: readonly FunctionId[]): boolean {
  for (let id = inner, steps = 0; id > 0 && steps < DEEPEST; id = facts.functions[id]!.parent, steps++) if (outer.includes(id)) return true;
  return false;
}

function isMember(facts: ModuleFacts, inner: FunctionId, owner: ClassId): boolean {
  for (let id = inner, steps = 0; id > 0 && steps < DEEPEST; id = facts.functions[id]!.parent, steps++) if (facts.functions[id]!.class === owner) return true;
  return false;
}

function callsParameter(facts: ModuleFacts, isOwn: (id: FunctionId) => boolean): boolean {
  return facts.calls.some((call) => isOwn(call.function) && isParameter(facts, call.callee, isOwn));
}

/** Whether a value is a parameter of one of these functions, also by another name, as an attribute, or as `callback.call`. */
function isParameter(facts: ModuleFacts, id: ValueId, isOwn: (id: FunctionId) => boolean): boolean {
  const pending = [id];
  const seen = new Set<ValueId>();
  while (pending.length > 0 && seen.size < FARTHEST * FARTHEST) {
    const current = pending.pop()!;
    const value = facts.values[current];
    if (value === undefined || seen.has(current)) continue;
    seen.add(current);
    if (value.kind === "parameter") {
      const name = facts.functions[value.function]?.parameters[value.index]?.name;
      if (isOwn(value.function) && name !== "self" && name !== "cls") return true;
    } else if (value.kind === "name") pending.push(...(facts.bindings[value.binding]?.values ?? []));
    else if (value.kind === "await" || value.kind === "spread" || value.kind === "assigned") pending.push(value.value);
    else if (value.kind === "member") pending.push(...memberSources(facts, value.object, value.property));
  }
  return false;
}

/** What a member that is called may stand for: an attribute of the object itself, a field of a parameter, a borrowed call. */
function memberSources(facts: ModuleFacts, object: ValueId, property: string | null): readonly ValueId[] {
  const holder = facts.values[object];
  if (property === null || holder === undefined) return [];
  // `function writeGate({ run })`
  if (holder.kind === "parameter") return [object];
  const owner = holder.kind === "self" ? holder.class : holder.kind === "name" ? selfClass(facts, holder.binding) : -1;
  const attributes = facts.classes[owner]?.attributes;
  if (attributes !== undefined) return Object.hasOwn(attributes, property) ? attributes[property]! : [];
  return property === "call" || property === "apply" || property === "bind" ? [object] : [];
}

function selfClass(facts: ModuleFacts, binding: number): ClassId {
  for (const id of facts.bindings[binding]?.values ?? []) {
    const value = facts.values[id];
    if (value?.kind === "self") return value.class;
  }
  return -1;
}
