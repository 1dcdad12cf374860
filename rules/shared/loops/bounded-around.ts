import { constantsOf } from "@agentgate/parsers";
import type { Call, CallId, FunctionId, ModuleFacts, Statement, Value, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { bare, originsOf } from "../expressions.ts";
import { callsWrittenIn } from "../indexes.ts";
import { beforeCall } from "./nearer.ts";
import { calledName, methodOf, placeOf } from "./places.ts";

/**
 * Whether a decorator of the tree counts how deep a function is in its own calls, and leaves past a limit before it calls
 * it: who comes back by the decorated name comes to an end.
 */
export function isBoundedAround(facts: ModuleFacts, context: RuleContext, id: FunctionId): boolean {
  return effectsOf(facts, context).decoratedBy(id).some((made) => {
    const ways = made.flatMap(({ facts: of, function: wrapper }) => wrappedCalls(of, wrapper).map((call) => isCountedBefore(of, wrapper, call)));
    return ways.length > 0 && ways.every(Boolean);
  });
}

function wrappedCalls(facts: ModuleFacts, wrapper: FunctionId): readonly CallId[] {
  return callsWrittenIn(facts, wrapper).filter((call) => isOfWrapped(facts, wrapper, facts.calls[call]!));
}

/** `method(*args)`, `method.apply(this, args)`: what the decorator was given. */
function isOfWrapped(facts: ModuleFacts, wrapper: FunctionId, call: Call): boolean {
  const method = methodOf(facts, call);
  const callee = method !== null && (method.name === "apply" || method.name === "call") ? method.object : call.callee;
  return originsOf(facts, callee).values.some((origin) => {
    const value = facts.values[origin];
    const given = value?.kind === "member" ? facts.values[originsOf(facts, value.object).values[0] ?? -1] : value;
    return given?.kind === "parameter" && given.function !== wrapper;
  });
}

function isCountedBefore(facts: ModuleFacts, wrapper: FunctionId, call: CallId): boolean {
  const { statements, tests } = beforeCall(facts, wrapper, call);
  const limited = tests.flatMap(({ test, outcome }) => partsOf(facts, test, outcome).flatMap((part) => limitsIn(facts, wrapper, part, outcome)));
  return limited.some(({ place, above }) => {
    const steps = statements.map((statement) => stepOf(facts, wrapper, statement, place)).filter((step) => step !== null);
    return steps.length > 0 && steps.every((step) => step === (above ? "+" : "-"));
  });
}

/** What each has to be so, or of what one is enough, for the call not to be reached. */
function partsOf(facts: ModuleFacts, test: ValueId, outcome: boolean): readonly ValueId[] {
  const value = facts.values[bare(facts, test)];
  if (value?.kind !== "logical" || value.operator !== (outcome ? "and" : "or")) return [test];
  return [...partsOf(facts, value.left, outcome), ...partsOf(facts, value.right, outcome)];
}

interface Limit {
  readonly place: string;
  /** It leaves where the place is too large, not too small. */
  readonly above: boolean;
}

/** The kept places that a comparison holds to a limit; `outcome` is the one with which the call is reached. */
function limitsIn(facts: ModuleFacts, wrapper: FunctionId, test: ValueId, outcome: boolean): readonly Limit[] {
  const value = facts.values[bare(facts, test)];
  if (value?.kind !== "binary" || !/^[<>]=?$/.test(value.operator)) return [];
  const isGreater = value.operator.startsWith(">");
  const [left, right] = [keptPlace(facts, wrapper, value.left), keptPlace(facts, wrapper, value.right)];
  if (left !== null) return isEndless(facts, value.right) ? [] : [{ place: left, above: isGreater !== outcome }];
  return right === null || isEndless(facts, value.left) ? [] : [{ place: right, above: isGreater === outcome }];
}

function isEndless(facts: ModuleFacts, id: ValueId): boolean {
  return constantsOf(facts, id)?.some(({ value }) => value === null || value === Infinity) ?? /inf/i.test(placeOf(facts, id) ?? "");
}

const READS: ReadonlySet<string> = new Set(["get", "getStore", "getattr"]);

/**
 * What keeps its value from one call of the wrapper to the next: a variable around it, an attribute, or what is read of
 * one by `get`; null where it is made anew in each call.
 */
function keptPlace(facts: ModuleFacts, wrapper: FunctionId, id: ValueId, steps = 0): string | null {
  const value = facts.values[bare(facts, id)];
  if (value === undefined || steps > 4) return null;
  if (value.kind === "name") return keptName(facts, wrapper, value, bare(facts, id), steps);
  if (value.kind === "logical") return keptPlace(facts, wrapper, value.left, steps + 1);
  if (value.kind === "member") return value.property === null ? keptPlace(facts, wrapper, value.object, steps + 1) : placeOf(facts, bare(facts, id));
  const call = value.kind === "call" ? facts.calls[value.call]! : undefined;
  if (call === undefined || !READS.has(calledName(facts, call))) return null;
  const method = methodOf(facts, call);
  return method === null ? attributeOf(facts, call) : keptPlace(facts, wrapper, method.object, steps + 1);
}

function keptName(facts: ModuleFacts, wrapper: FunctionId, value: Extract<Value, { kind: "name" }>, id: ValueId, steps: number): string | null {
  const binding = facts.bindings[value.binding];
  if (binding === undefined || facts.scopes[binding.scope]?.function !== wrapper) return binding === undefined ? null : placeOf(facts, id);
  return binding.values.length === 1 && binding.rebound !== true ? keptPlace(facts, wrapper, binding.values[0]!, steps + 1) : null;
}

/** `getattr(self, "_depth", 0)`, `setattr(self, "_depth", depth + 1)`: the place of the attribute. */
function attributeOf(facts: ModuleFacts, call: Call): string | null {
  const [object, name] = call.arguments.map((argument) => argument.value);
  const of = object === undefined ? null : placeOf(facts, object);
  const text = name === undefined ? undefined : facts.values[bare(facts, name)];
  return of === null || text?.kind !== "string" ? null : `${of}.${text.value}`;
}

/** What a statement does to the place: a step up or down, `set` to something else; null for nothing. */
function stepOf(facts: ModuleFacts, wrapper: FunctionId, statement: Statement, place: string): "+" | "-" | "set" | null {
  if (statement.kind === "call") {
    const call = facts.calls[statement.call]!;
    const method = methodOf(facts, call);
    const to = method?.name === "set" ? keptPlace(facts, wrapper, method.object) : calledName(facts, call) === "setattr" ? attributeOf(facts, call) : null;
    return to !== place ? null : signOf(facts, wrapper, call.arguments.at(-1)?.value ?? -1, place);
  }
  if (statement.kind !== "assign" || !statement.targets.some((target) => (facts.values[target]?.kind === "name" ? placeOf(facts, target) : keptPlace(facts, wrapper, target)) === place)) return null;
  if (statement.operator === "=") return signOf(facts, wrapper, statement.value, place);
  return statement.operator === "+=" ? "+" : statement.operator === "-=" ? "-" : "set";
}

function signOf(facts: ModuleFacts, wrapper: FunctionId, id: ValueId, place: string): "+" | "-" | "set" {
  const value = facts.values[bare(facts, id)];
  if (value?.kind !== "binary" || (value.operator !== "+" && value.operator !== "-")) return "set";
  return keptPlace(facts, wrapper, value.left) === place || (value.operator === "+" && keptPlace(facts, wrapper, value.right) === place) ? value.operator : "set";
}
