import type { BindingId, Call, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";

const MAX_MEMBERS = 8;

/**
 * A variable, or an attribute of one, as text that is equal for equal places: `v12`, `self.count`, `v3.limits.turns`.
 * Null for anything computed. Names of the module itself keep their meaning in all its functions.
 */
export function placeOf(facts: ModuleFacts, id: ValueId): string | null {
  return placeFrom(facts, id, 0);
}

/** Names of an attribute (`const { state } = options`) are followed a few steps. */
const MOST_ALIASES = 4;

function placeFrom(facts: ModuleFacts, id: ValueId, aliases: number): string | null {
  let current = bare(facts, id);
  const members: string[] = [];
  for (let step = 0; step <= MAX_MEMBERS; step++) {
    const value = facts.values[current];
    if (value?.kind === "member" && value.property !== null) {
      members.unshift(value.property);
      current = bare(facts, value.object);
      continue;
    }
    const root = value?.kind === "self" ? "self" : value?.kind === "parameter" ? parameterRoot(facts, value.function, value.index)
      : value?.kind === "name" ? rootOf(facts, value.name, value.binding, aliases) : null;
    return root === null ? null : [root, ...members].join(".");
  }
  return null;
}

/** `self` by its parameter; a name that the file declares; a global. */
function rootOf(facts: ModuleFacts, name: string, id: BindingId, aliases: number): string {
  if (id < 0) return `:${name}`;
  const binding = facts.bindings[id];
  const only = binding?.rebound !== true && binding?.values.length === 1 ? facts.values[binding.values[0]!] : undefined;
  if (only?.kind === "self") return "self";
  const isAlias = only?.kind === "member" && only.property !== null && aliases < MOST_ALIASES && isOfGiven(facts, binding!.values[0]!);
  return (isAlias ? placeFrom(facts, binding!.values[0]!, aliases + 1) : null) ?? `v${String(id)}`;
}

/** An attribute of the object itself, of a parameter, or of a name of one: what is the same in each round. */
function isOfGiven(facts: ModuleFacts, id: ValueId): boolean {
  let current = id;
  for (let step = 0; step <= MAX_MEMBERS; step++) {
    const value = facts.values[bare(facts, current)];
    if (value?.kind === "self" || value?.kind === "parameter") return true;
    if (value?.kind === "member") current = value.object;
    else if (value?.kind === "name") {
      const binding = facts.bindings[value.binding];
      if (binding?.values.length !== 1 || binding.rebound === true) return false;
      current = binding.values[0]!;
    } else return false;
  }
  return false;
}

/** A parameter by its name; one that is taken apart by where it stands. */
export function parameterRoot(facts: ModuleFacts, id: FunctionId, index: number): string {
  const binding = facts.functions[id]?.parameters[index]?.binding ?? -1;
  return binding >= 0 ? `v${String(binding)}` : `q${String(id)}-${String(index)}`;
}

/** The place as a reader knows it: `self.count`, `attempts`. */
export function shownPlace(facts: ModuleFacts, place: string): string {
  const [root = "", ...members] = place.split(".");
  const name = /^v\d+$/.test(root) ? facts.bindings[Number(root.slice(1))]?.name ?? root
    : root === "self" && facts.language === "ecmascript" ? "this" : root.replace(/^:/, "");
  return [name, ...members].join(".");
}

/** What a method is called on, and the method's name; null for a plain function. */
export function methodOf(facts: ModuleFacts, call: Call): { readonly object: ValueId; readonly name: string } | null {
  const callee = facts.values[call.callee];
  return callee?.kind === "member" && callee.property !== null ? { object: callee.object, name: callee.property } : null;
}

/** The last name of what is called: `len`, `append`; empty where it is computed. */
export function calledName(facts: ModuleFacts, call: Call): string {
  const callee = facts.values[call.callee];
  if (callee?.kind === "name") return callee.name;
  return callee?.kind === "member" ? callee.property ?? "" : "";
}

/** The last part of a dotted name: of `httpx.Client.post` it is `post`. */
export function lastName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
