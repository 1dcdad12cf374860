import type { Call, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { argumentOf, parametersBefore } from "../arguments.ts";
import { callersOf, isPrivate } from "../callers.ts";
import { bare } from "../expressions.ts";
import { callersInTree } from "../tree-callers.ts";
import type { PlacedCall } from "../tree-callers.ts";
import type { TimeoutPlace } from "./defaults.ts";
import { foundAt, isUnlimited } from "./given.ts";
import type { Given } from "./given.ts";

/** A limit that is what a parameter holds where nobody gives one. */
interface Default {
  readonly function: number;
  readonly index: number;
  /** The option of a parameter that is taken apart; null for the parameter itself. */
  readonly option: string | null;
  readonly value: ValueId;
}

/**
 * Whether a call is given the limit of its function's own callers, which is none by default, and none of them gives one:
 * `def ask(path, limit=None): httpx.get(path, timeout=limit)`. Null where one may.
 */
export function unlimitedByDefault(facts: ModuleFacts, context: RuleContext, call: Call, places: readonly TimeoutPlace[], unlimited: readonly (number | boolean)[]): Given | null {
  const given = places.flatMap((place) => {
    const found = place.holds === undefined ? foundAt(facts, call, place) : "absent";
    return found === "absent" ? [] : [{ place, found }];
  });
  const [only, ...others] = given;
  if (only === undefined || others.length > 0 || typeof only.found !== "number") return null;
  const byDefault = defaultOf(facts, only.found);
  if (byDefault === null || !isUnlimited(facts, byDefault.value, unlimited)) return null;
  const callers = allCallers(facts, context, byDefault.function);
  if (callers === null || callers.length === 0) return null;
  const name = byDefault.option ?? facts.functions[byDefault.function]!.parameters[byDefault.index]!.name;
  const index = byDefault.index - parametersBefore(facts, facts.functions[byDefault.function]!);
  const isLeft = callers.every((caller) => argumentOf(caller.facts, caller.call, index, name) === "absent");
  return isLeft ? { kind: "unlimited", place: only.place, value: only.found } : null;
}

type Caller = Pick<PlacedCall, "facts" | "call">;

/** Every call of a function, also of one inside another function, which nobody else can call; null where nobody can tell. */
function allCallers(facts: ModuleFacts, context: RuleContext, id: FunctionId): readonly Caller[] | null {
  const own = callersOf(facts, id);
  return isPrivate(facts, id, own) ? own.map((call) => ({ facts, call })) : callersInTree(facts, context, id);
}

function defaultOf(facts: ModuleFacts, id: ValueId): Default | null {
  const value = facts.values[bare(facts, id)];
  const binding = value?.kind === "name" ? facts.bindings[value.binding] : undefined;
  const [only, ...others] = binding?.values ?? [];
  if (only === undefined || others.length > 0 || binding?.rebound === true) return null;
  const given = facts.values[only];
  if (given?.kind === "parameter") {
    const written = facts.functions[given.function]?.parameters[given.index]?.default ?? null;
    return written === null ? null : { function: given.function, index: given.index, option: null, value: written };
  }
  // `{ limit = 0 } = {}`.
  const member = given?.kind === "logical" ? facts.values[given.left] : undefined;
  const whole = member?.kind === "member" ? facts.values[member.object] : undefined;
  if (given?.kind !== "logical" || member?.kind !== "member" || member.property === null || whole?.kind !== "parameter") return null;
  return { function: whole.function, index: whole.index, option: member.property, value: given.right };
}
