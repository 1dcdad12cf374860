import { constantsOf, functionsOf, occurrencesOf } from "@agentgate/parsers";
import type { Call, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentOf } from "./arguments.ts";
import { bare } from "./expressions.ts";

const callersByFacts = new WeakMap<ModuleFacts, ReadonlyMap<FunctionId, readonly Call[]>>();

function callersOf(facts: ModuleFacts, id: FunctionId): readonly Call[] {
  let callers = callersByFacts.get(facts);
  if (callers === undefined) {
    const index = new Map<FunctionId, Call[]>();
    for (const call of facts.calls) {
      for (const callee of functionsOf(facts, call.callee)) index.set(callee, [...(index.get(callee) ?? []), call]);
    }
    callers = index;
    callersByFacts.set(facts, callers);
  }
  return callers.get(id) ?? [];
}

/**
 * What the callers give for a parameter of a function that only this file can call, where all of them give a
 * constant; null otherwise.
 */
export function givenByCallers(facts: ModuleFacts, argument: ValueId): readonly string[] | null {
  const value = facts.values[bare(facts, argument)];
  const binding = value?.kind === "name" ? facts.bindings[value.binding] : undefined;
  const parameter = binding?.values.length === 1 ? facts.values[binding.values[0]!] : undefined;
  if (binding === undefined || parameter?.kind !== "parameter") return null;
  const callers = callersOf(facts, parameter.function);
  if (callers.length === 0 || !isPrivate(facts, parameter.function, callers)) return null;
  const texts: string[] = [];
  for (const call of callers) {
    const given = argumentOf(facts, call, parameter.index, binding.name);
    const constants = typeof given === "number" ? constantsOf(facts, given) : null;
    if (constants === null) return null;
    texts.push(...constants.map((constant) => String(constant.value)));
  }
  return texts;
}

/** Whether only this file can call a function: not exported (in Python, by its underscore) and never handed on. */
function isPrivate(facts: ModuleFacts, id: FunctionId, callers: readonly Call[]): boolean {
  const subject = facts.functions[id];
  if (subject?.class !== -1 || subject.name === "") return false;
  const binding = facts.scopes[facts.functions[subject.parent]?.scope ?? 0]?.names[subject.name];
  if (binding === undefined || (subject.parent === 0 && isOffered(facts, subject.name))) return false;
  const callees = new Set(callers.map((call) => call.callee));
  return occurrencesOf(facts, binding).every((occurrence) => callees.has(occurrence));
}

function isOffered(facts: ModuleFacts, name: string): boolean {
  if (facts.language === "python") return !name.startsWith("_") || name.startsWith("__");
  return facts.exports.some((entry) => entry.name === name);
}
