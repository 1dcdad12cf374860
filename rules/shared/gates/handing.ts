import { functionsOf } from "@agentgate/parsers";
import type { FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentFor } from "../arguments.ts";
import { bare, originsOf } from "../expressions.ts";

/** A function that runs what one of its parameters is only in a callback of a gate. */
export interface Handing {
  readonly function: FunctionId;
  readonly index: number;
}

/**
 * Functions of a module that hand one of their parameters to a gate: `def gated(run): return lambda *given: write_gate(lambda: run(*given))`.
 * All that calls the parameter stands in what a gate is handed, and it is handed on to nothing.
 */
export function handingTo(facts: ModuleFacts, isReceived: (id: FunctionId) => boolean): readonly Handing[] {
  const found = new Map<string, Handing>();
  const lost = new Set<string>();
  facts.calls.forEach((call) => {
    const of = parameterAt(facts, call.callee);
    if (of === null || of.function === call.function) return;
    const key = `${String(of.index)}:${String(of.function)}`;
    if (isReceived(call.function)) found.set(key, of);
    else lost.add(key);
  });
  for (const call of facts.calls) {
    for (const { value } of call.arguments) {
      const of = found.size === 0 ? null : parameterAt(facts, value);
      if (of !== null && !isOfWraps(facts, call.callee)) lost.add(`${String(of.index)}:${String(of.function)}`);
    }
  }
  return [...found].flatMap(([key, handing]) => (lost.has(key) ? [] : [handing]));
}

/** `functools.wraps(run)` copies a name and runs nothing. */
function isOfWraps(facts: ModuleFacts, callee: ValueId): boolean {
  const value = facts.values[bare(facts, callee)];
  const name = value?.kind === "member" ? value.property : value?.kind === "name" ? value.name : "";
  return name === "wraps" || name === "update_wrapper";
}

function parameterAt(facts: ModuleFacts, id: ValueId): Handing | null {
  const value = facts.values[bare(facts, id)];
  if (value?.kind !== "name") return null;
  const { values, complete } = originsOf(facts, id);
  const given = values.length === 1 && complete ? facts.values[values[0]!] : undefined;
  return given?.kind === "parameter" ? { function: given.function, index: given.index } : null;
}

/** What the calls of such functions hand over, decorators as well as others. */
export function handedBy(facts: ModuleFacts, handing: readonly Handing[]): readonly ValueId[] {
  if (handing.length === 0) return [];
  return facts.calls.flatMap((call) => {
    if (call.decorator === true) return [];
    const given = functionsOf(facts, call.callee).flatMap((id) => handing.filter((each) => each.function === id));
    return given.flatMap(({ function: id, index }) => {
      const value = argumentFor(facts, call, facts.functions[id]!, index);
      return typeof value === "number" ? [value] : [];
    });
  });
}

/** Whether a function carries one of them as its decorator. */
export function isDecoratedBy(facts: ModuleFacts, id: FunctionId, handing: ReadonlySet<FunctionId>): boolean {
  return handing.size > 0 && facts.functions[id]!.decorators.some((decorator) => functionsOf(facts, decorator).some((each) => handing.has(each)));
}
