import type { BindingId, CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { usesOf } from "../consumers.ts";
import { bare, parentsOf } from "../expressions.ts";
import { resultOf } from "../indexes.ts";

/**
 * Whether a client is made for nothing but to be written down, or to stand in where the caller gives none: neither decides
 * where a request goes.
 */
export function isNeverAsked(facts: ModuleFacts, context: RuleContext, call: CallId): boolean {
  const made = wholeOf(facts, resultOf(facts, call));
  const binding = facts.bindings.findIndex(({ values }) => values.length === 1 && values[0] === made);
  if (binding === -1) return false;
  const uses = usesOf(facts, binding);
  if (uses.length > 0 && uses.every((use) => isDumped(facts, use))) return true;
  // A module that only makes the client.
  if (facts.functions.length > 1 || facts.exports.length === 0) return false;
  const names = facts.exports.filter(({ value, typeOnly }) => value !== null && typeOnly !== true && isOf(facts, value, binding, made)).map(({ name }) => name);
  return names.length > 0 && isGivenWay(context, names);
}

/** The expression that a value is a part of. */
function wholeOf(facts: ModuleFacts, id: ValueId): ValueId {
  let current = id;
  for (let step = 0; step < 16; step++) {
    const parent = parentsOf(facts)[current] ?? -1;
    if (parent < 0) break;
    current = parent;
  }
  return current;
}

function isOf(facts: ModuleFacts, id: ValueId, binding: BindingId, made: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return id === made || (value?.kind === "name" && value.binding === binding);
}

const DUMPS = /^(?:dump|model_?dump|serialize|to_?(?:dict|json|yaml|config|component))/i;

/** `client.dump_component()`: what it would be made with, as data. */
function isDumped(facts: ModuleFacts, use: ValueId): boolean {
  const parent = parentsOf(facts)[use] ?? -1;
  const member = facts.values[parent];
  const called = facts.values[parentsOf(facts)[parent] ?? -1];
  return member?.kind === "member" && member.property !== null && DUMPS.test(member.property) && called?.kind === "call" && facts.calls[called.call]!.callee === parent;
}

/** `options.client ?? client`: wherever a module of the tree uses it, the caller's comes first. */
function isGivenWay({ tree, path }: RuleContext, names: readonly string[]): boolean {
  let used = false;
  for (const importer of tree.importersOf(path) ?? []) {
    const facts = tree.facts(importer);
    if (facts === null) return false;
    for (const [binding, { values }] of facts.bindings.entries()) {
      const value = values.length === 1 ? facts.values[values[0]!] : undefined;
      if (value?.kind !== "imported" || !names.includes(value.path[0] ?? "")) continue;
      const found = tree.resolve(importer, facts.imports[value.import]!.specifier);
      if (found === null || found === "missing" || !("path" in found) || found.path !== path) continue;
      const uses = usesOf(facts, binding);
      if (!uses.every((use) => comesSecond(facts, use))) return false;
      used ||= uses.length > 0;
    }
  }
  return used;
}

function comesSecond(facts: ModuleFacts, use: ValueId): boolean {
  const around = facts.values[parentsOf(facts)[use] ?? -1];
  return (around?.kind === "logical" && around.operator !== "and" && around.right === use) || (around?.kind === "conditional" && around.test !== use);
}
