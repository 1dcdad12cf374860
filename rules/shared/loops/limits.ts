import type { Handler, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { bare, callsApi } from "../expressions.ts";
import { calledName } from "./places.ts";
import type { LoopSite } from "./sites.ts";
import { LOOPS } from "./vocabulary.ts";

/** Whether one of the statements around the loop limits its time: `async with asyncio.timeout(60)`. */
export function isTimeLimited(facts: ModuleFacts, around: readonly Statement[]): boolean {
  return around.some((statement) => statement.kind === "with" && statement.items.some((item) => {
    const value = facts.values[item];
    const call = value?.kind === "call" ? facts.calls[value.call] : undefined;
    if (call === undefined || !(callsApi(call, LOOPS.limits.contexts) || NAMED.test(calledName(facts, call)))) return false;
    const limit = call.arguments[0]?.value;
    return limit !== undefined && !isNone(facts, limit);
  }));
}

/** A class or function of the project that is named for it: `with Timeout(self.timeout)`. */
const NAMED = /^_*(?:async_?)?(?:timeout|deadline|fail_after|time_?limit)(?:_?(?:async|after|context|at))?$/i;

/** `None`, or a parameter that is nothing unless somebody sets it. */
function isNone(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "constant") return value.value === null;
  const values = value?.kind === "name" ? facts.bindings[value.binding]?.values ?? [] : [];
  return values.length === 1 && values.some((each) => {
    const given = facts.values[each];
    const byDefault = given?.kind === "parameter" ? facts.functions[given.function]?.parameters[given.index]?.default : null;
    const constant = byDefault == null ? undefined : facts.values[byDefault];
    return constant?.kind === "constant" && constant.value === null;
  });
}

const ENDS = new Set(LOOPS.ends.names);

/** Whether the loop lies in a `try` that waits for the end of an iterator, or leaves by one: `except StopIteration: break`. */
export function endsWithIterator(facts: ModuleFacts, { around, inside }: LoopSite): boolean {
  const saysEnd = (handler: Handler): boolean => handler.types.some((type) => {
    const value = facts.values[type];
    const name = value?.kind === "name" ? value.name : value?.kind === "member" ? value.property : null;
    return name !== null && ENDS.has(name);
  });
  return around.some((statement) => statement.kind === "try" && statement.handlers.some(saysEnd))
    || inside.some((statement) => statement.kind === "try" && statement.handlers.some((handler) => saysEnd(handler) && leaves(handler.body)));
}

function leaves(body: readonly Statement[]): boolean {
  const last = body.at(-1);
  return last?.kind === "return" || (last?.kind === "jump" && last.to === "break");
}
