import { functionsOf } from "@agentgate/parsers";
import type { CallId, FunctionId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { bare, someIngredient } from "../expressions.ts";
import { callsWrittenIn } from "../indexes.ts";
import { statementsIn, testsAround } from "../statements.ts";
import { methodOf } from "./places.ts";

/** A function written in place that a promise runs when it is settled. */
interface Callback {
  readonly function: FunctionId;
  readonly argument: ValueId;
  /** It is run for an error. */
  readonly isHandler: boolean;
}

/** A call by which a function comes back to itself in a callback of its own promise. */
export interface CallbackReturn {
  /** `deliver(message)`. */
  readonly call: CallId;
  /** `promise.catch(() => deliver(message))`. */
  readonly via: CallId;
  readonly callback: Callback;
}

const NONE: readonly Callback[] = [];

/** The callbacks that a call of a promise's own method is given. */
export function callbacksOf(facts: ModuleFacts, id: CallId): readonly Callback[] {
  if (facts.language !== "ecmascript") return NONE;
  const call = facts.calls[id]!;
  const name = methodOf(facts, call)?.name;
  if (name !== "then" && name !== "catch") return NONE;
  return call.arguments.slice(0, name === "then" ? 2 : 1).flatMap(({ value: argument }, index) => {
    const value = facts.values[argument];
    return value?.kind === "function" ? [{ function: value.function, argument, isHandler: name === "catch" || index === 1 }] : [];
  });
}

const MAX_DEPTH = 3;

/** The calls in the callbacks of a call that run a function again. */
export function returnsIn(facts: ModuleFacts, context: RuleContext, id: FunctionId, via: CallId, depth = 0): readonly CallbackReturn[] {
  if (depth > MAX_DEPTH) return [];
  return callbacksOf(facts, via).flatMap((callback) => callsWrittenIn(facts, callback.function).flatMap((call): readonly CallbackReturn[] => {
    if (runs(facts, context, id, call)) return [{ call, via, callback }];
    return returnsIn(facts, context, id, call, depth + 1).map((inner) => ({ ...inner, via }));
  }));
}

function runs(facts: ModuleFacts, context: RuleContext, id: FunctionId, call: CallId): boolean {
  if (callbacksOf(facts, call).length > 0) return false;
  if (functionsOf(facts, facts.calls[call]!.callee).includes(id)) return true;
  return effectsOf(facts, context).callees(call).some((callee) => callee.path === context.path && callee.function === id);
}

/** A body with what its callbacks do where they are handed over, as a branch that may be taken. */
export function withCallbacks(facts: ModuleFacts, body: readonly Statement[], depth = 0): readonly Statement[] {
  if (depth > MAX_DEPTH) return body;
  const inner = (each: readonly Statement[]): readonly Statement[] => withCallbacks(facts, each, depth + 1);
  return body.flatMap((statement): readonly Statement[] => {
    switch (statement.kind) {
      case "call":
        return [statement, ...callbacksOf(facts, statement.call).map((callback): Statement => ({ kind: "test", test: callback.argument, then: inner(facts.functions[callback.function]!.body), else: [], at: statement.at }))];
      case "test":
        return [{ ...statement, then: inner(statement.then), else: inner(statement.else) }];
      case "try":
        return [{ ...statement, body: inner(statement.body), handlers: statement.handlers.map((handler) => ({ ...handler, body: inner(handler.body) })), otherwise: inner(statement.otherwise), finally: inner(statement.finally) }];
      case "with":
      case "block":
        return [{ ...statement, body: inner(statement.body) }];
      default:
        return [statement];
    }
  });
}

const MOST_PARTS = 60;

/**
 * Whether what the calls did is why a callback comes back: it handles their error, or asks what they answered. `isAsked`
 * says the same of where the callback is handed over.
 */
export function decidesCallback(facts: ModuleFacts, acts: ReadonlySet<CallId>, { call, via, callback }: CallbackReturn, isAsked: (via: CallId) => boolean): boolean {
  const object = methodOf(facts, facts.calls[via]!)?.object;
  const isOfActs = object !== undefined && someIngredient(facts, object, (part) => part.kind === "call" && acts.has(part.call), MOST_PARTS);
  if (isOfActs && callback.isHandler) return true;
  const parameters = new Set(facts.functions[callback.function]!.parameters.map(({ binding }) => binding));
  const tests = [...testsAround(facts, call).map(({ statement }) => statement.test), ...testsBefore(facts, callback.function)];
  if (isOfActs && tests.some((test) => someIngredient(facts, test, (part) => part.kind === "name" && parameters.has(part.binding), MOST_PARTS))) return true;
  return tests.length === 0 && isAsked(via);
}

/** The tests of a callback that leave it. */
function testsBefore(facts: ModuleFacts, id: FunctionId): readonly ValueId[] {
  return statementsIn(facts.functions[id]!.body).flatMap((statement) => (statement.kind === "test" && [statement.then, statement.else].some((branch) => branch.at(-1)?.kind === "return") ? [bare(facts, statement.test)] : []));
}
