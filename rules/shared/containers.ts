import { constantsOf, referencesOf } from "@agentgate/parsers";
import type { BindingId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { bare, originsOf } from "./expressions.ts";
import { memberWrites } from "./consumers.ts";
import { keptWithFacts } from "./indexes.ts";

const WRAPPERS = new Set(["frozenset", "set", "tuple", "list", "dict", "sorted", "Set", "Map", "MappingProxyType", "OrderedDict", "Object.freeze", "Object.keys", "Object.values", "Object.entries", "Array.from", "types.MappingProxyType", "collections.OrderedDict"]);
const VIEWS = new Set(["keys", "values", "items", "copy"]);
const MUTATORS = new Set([
  "append", "add", "update", "insert", "extend", "setdefault", "__setitem__", "push", "unshift", "splice", "set",
]);
const MAX_TEXTS = 512;

/**
 * Every text in a constant list, set or table (keys and values, nested ones too), or null where some part is only
 * known at run time or something in the file changes it. Numbers, booleans and null are no texts and allowed.
 */
export function constantTexts(facts: ModuleFacts, id: ValueId): readonly string[] | null {
  const texts: string[] = [];
  const pending = [id];
  const seen = new Set<ValueId>();
  while (pending.length > 0) {
    const current = pending.pop()!;
    if (seen.has(current)) continue;
    seen.add(current);
    if (seen.size > 4 * MAX_TEXTS || texts.length > MAX_TEXTS) return null;
    const step = unpack(facts, current);
    if (step === null) return null;
    texts.push(...step.texts);
    pending.push(...step.inside);
  }
  return texts;
}

/** Whether an expression is, or names, a container written out as a constant. */
export function isConstantContainer(facts: ModuleFacts, id: ValueId): boolean {
  const origins = originsOf(facts, id);
  if (!origins.complete) return false;
  const shapes = origins.values.map((origin) => facts.values[origin]?.kind);
  if (!shapes.every((kind) => kind === "list" || kind === "table" || kind === "call" || kind === "comprehension")) return false;
  return constantTexts(facts, id) !== null;
}

interface Step {
  readonly texts: readonly string[];
  readonly inside: readonly ValueId[];
}

const EMPTY: Step = { texts: [], inside: [] };

function unpack(facts: ModuleFacts, id: ValueId): Step | null {
  const value = facts.values[bare(facts, id)];
  switch (value?.kind) {
    case "string":
      return { texts: [value.value], inside: [] };
    case "number":
    case "constant":
    case "regex":
    case "function":
    case "class":
      return EMPTY;
    case "list":
      return { texts: [], inside: value.items };
    case "table":
      return { texts: [], inside: value.entries.flatMap((entry) => (entry.key === null ? [entry.value] : [entry.key, entry.value])) };
    case "spread":
      return { texts: [], inside: [value.value] };
    case "name":
      return unpackName(facts, value, id);
    case "call":
      return unpackCall(facts, value);
    case "conditional":
      return { texts: [], inside: [value.then, value.else] };
    case "logical":
      return { texts: [], inside: [value.left, value.right] };
    default:
      return unpackFolded(facts, id);
  }
}

function unpackFolded(facts: ModuleFacts, id: ValueId): Step | null {
  const constants = constantsOf(facts, id);
  if (constants !== null) return { texts: constants.flatMap((constant) => (typeof constant.value === "string" ? [constant.value] : [])), inside: [] };
  // A module or function held in a table is no text that names one.
  const known = referencesOf(facts, id);
  if (known.length > 0 && known.every((reference) => reference.computed !== true)) return EMPTY;
  const origins = originsOf(facts, id);
  return origins.complete && !origins.values.includes(id) ? { texts: [], inside: origins.values } : null;
}

function unpackName(facts: ModuleFacts, value: Extract<Value, { kind: "name" }>, id: ValueId): Step | null {
  const binding = facts.bindings[value.binding];
  if (binding === undefined) return unpackFolded(facts, id);
  if (binding.kind === "import" || binding.kind === "function" || binding.kind === "class") return EMPTY;
  if (binding.kind === "parameter" || binding.rebound === true || isChanged(facts, value.binding)) return null;
  return binding.values.length === 0 ? null : { texts: [], inside: binding.values };
}

function unpackCall(facts: ModuleFacts, value: Extract<Value, { kind: "call" }>): Step | null {
  const call = facts.calls[value.call];
  const callee = call === undefined ? undefined : facts.values[call.callee];
  if (call === undefined || callee === undefined) return null;
  const name = calleeName(facts, callee);
  if (call.arguments.some((argument) => isOutside(facts, argument.value))) return null;
  if (WRAPPERS.has(name)) return { texts: [], inside: call.arguments.map((argument) => argument.value) };
  if (callee.kind === "member" && callee.property !== null && VIEWS.has(callee.property) && !isOutside(facts, callee.object)) return { texts: [], inside: [callee.object] };
  return null;
}

/** Something of the runtime or a package: what its keys are, the file does not show. */
function isOutside(facts: ModuleFacts, id: ValueId): boolean {
  return referencesOf(facts, id).some((reference) => !reference.module.startsWith("."));
}

function calleeName(facts: ModuleFacts, callee: Value): string {
  if (callee.kind === "name") return callee.binding === -1 ? callee.name : "";
  if (callee.kind !== "member" || callee.property === null) return "";
  const object = facts.values[callee.object];
  return object?.kind === "name" ? `${object.name}.${callee.property}` : "";
}

const changedByFacts = keptWithFacts<Set<BindingId>>();

/** Whether something in the file puts text into the container by a method, a subscript or a loop. */
function isChanged(facts: ModuleFacts, binding: BindingId): boolean {
  return (changedByFacts.get(facts) ?? changedBindings(facts)).has(binding);
}

function changedBindings(facts: ModuleFacts): Set<BindingId> {
  const changed = new Set<BindingId>();
  // Set before it is filled: looking at what is put in may ask again.
  changedByFacts.set(facts, changed);
  const note = (id: ValueId): void => {
    const object = facts.values[id];
    if (object?.kind === "name" && object.binding >= 0) changed.add(object.binding);
  };
  for (const call of facts.calls) {
    const callee = facts.values[call.callee];
    if (callee?.kind !== "member" || callee.property === null || !MUTATORS.has(callee.property)) continue;
    if (!call.arguments.every((argument) => constantTexts(facts, argument.value) !== null)) note(callee.object);
  }
  for (const { target } of memberWrites(facts)) {
    const value = facts.values[target];
    if (value?.kind === "member" && value.property === null) note(value.object);
  }
  return changed;
}
