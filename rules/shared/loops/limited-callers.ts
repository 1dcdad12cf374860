import type { Call, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { namedAround } from "../callers.ts";
import { bare } from "../expressions.ts";
import { calledName, methodOf } from "./places.ts";
import { wordsOf } from "./words.ts";

/** So far up callers are followed. */
const MOST_STEPS = 4;
/** A module that more modules load is not followed. */
const MOST_IMPORTERS = 20;
const LIMITS: ReadonlySet<string> = new Set(["deadline", "timeout"]);

/** Whether whoever runs a function has a decorator that is named for a time limit: `@init_deadline`, `@timeout(60)`. */
export function isLimitedByCallers(facts: ModuleFacts, context: RuleContext, id: FunctionId, steps = 0): boolean {
  const named = namedAround(facts, id);
  if (named === 0 || steps > MOST_STEPS) return false;
  const { name, decorators, class: owner } = facts.functions[named]!;
  if (decorators.some((each) => wordsOf(decoratorName(facts, each)).some((word) => LIMITS.has(word)))) return true;
  const className = facts.classes[owner]?.name ?? null;
  const importers = context.tree.importersOf(context.path);
  if (importers === null || importers.length > MOST_IMPORTERS) return false;
  const callers = [context.path, ...importers].flatMap((path) => {
    const of = path === context.path ? facts : context.tree.facts(path);
    return (of?.calls ?? []).flatMap((call) => (calledName(of!, call) === name && isOn(of!, call, className) ? [{ path, facts: of!, function: call.function }] : []));
  });
  return callers.length > 0 && callers.every((caller) => (caller.facts !== facts || caller.function !== named) && isLimitedByCallers(caller.facts, { ...context, path: caller.path }, caller.function, steps + 1));
}

function decoratorName(facts: ModuleFacts, id: ValueId): string {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "call") return calledName(facts, facts.calls[value.call]!);
  return value?.kind === "name" ? value.name : value?.kind === "member" ? value.property ?? "" : "";
}

/** A function is called by its name; a method on the object itself or on its class. */
function isOn(facts: ModuleFacts, call: Call, className: string | null): boolean {
  const method = methodOf(facts, call);
  if (method === null || className === null) return method === null && className === null;
  const object = facts.values[bare(facts, method.object)];
  return object?.kind === "self" || (object?.kind === "name" && (object.name === className || object.name === "self" || object.name === "cls"));
}
