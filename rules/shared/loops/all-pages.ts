import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import type { PlacedFunction } from "../effects/index.ts";
import { bare, someIngredient } from "../expressions.ts";
import type { Move } from "./moves.ts";
import { methodOf, placeOf } from "./places.ts";
import { loopSites } from "./sites.ts";

/** Over how many functions of the helper the loop that reads all pages is looked for. */
const MOST_STEPS = 3;
const MOST_CALLEES = 12;

/**
 * Whether what a loop of pages calls goes on by itself as long as its answer holds what the loop asks it for:
 * `while data["next"]: …` in a helper, and `url = answer.get("next")` of what the helper answers. The loop outside finds
 * nothing more to read, and the one in the helper is judged where it stands.
 */
export function readsAllPages(facts: ModuleFacts, context: RuleContext, calls: readonly CallId[], moves: readonly Move[]): boolean {
  // `answer.get("next")` of a client's answer is a call, too, and asks for no page.
  const asking = calls.map((call) => [call, keysGiven(facts, call, moves)] as const).filter(([, keys]) => keys.size > 0);
  return asking.length > 0 && asking.every(([call, keys]) => leadsToPages(facts, context, call, keys));
}

function leadsToPages(facts: ModuleFacts, context: RuleContext, call: CallId, keys: ReadonlySet<string>): boolean {
  let level: readonly PlacedFunction[] = effectsOf(facts, context).callees(call);
  for (let step = 0; step < MOST_STEPS && level.length > 0 && level.length <= MOST_CALLEES; step++) {
    if (level.some((callee) => pagesBy(callee, context, keys))) return true;
    level = level.flatMap(({ facts: there, function: id, path }) => {
      const effects = effectsOf(there, { ...context, path });
      return there.calls.flatMap((each, index) => (each.function === id ? effects.callees(index) : []));
    });
  }
  return false;
}

/** Whether a function repeats a request as long as an entry of that name is there. */
function pagesBy({ facts, function: id, path }: PlacedFunction, context: RuleContext, keys: ReadonlySet<string>): boolean {
  const effects = effectsOf(facts, { ...context, path });
  return loopSites(facts).some(({ function: around, loop, inside }) => around === id && loop.test !== null
    && keysIn(facts, loop.test).some((key) => keys.has(key))
    && inside.some((statement) => statement.kind === "call" && effects.reachedBy(statement.call).some(({ effect }) => effect.capability === "net")));
}

/** The entries of the last answer that a call is given. */
function keysGiven(facts: ModuleFacts, call: CallId, moves: readonly Move[]): ReadonlySet<string> {
  return new Set(facts.calls[call]!.arguments.flatMap(({ value }) => {
    const place = placeOf(facts, value);
    return [value, ...moves.flatMap((move) => (move.place === place && move.value !== undefined ? [move.value] : []))].flatMap((each) => keysIn(facts, each));
  }));
}

/** Names of entries: `answer.next`, `answer["next"]`, `answer.get("next")`. */
function keysIn(facts: ModuleFacts, id: ValueId): readonly string[] {
  const keys: string[] = [];
  someIngredient(facts, id, (part) => {
    const method = part.kind === "call" ? methodOf(facts, facts.calls[part.call]!) : null;
    const asked = part.kind === "call" && method?.name === "get" ? facts.values[bare(facts, facts.calls[part.call]!.arguments[0]?.value ?? -1)] : undefined;
    if (asked?.kind === "string") keys.push(asked.value);
    if (part.kind === "member" && part.property !== null) keys.push(part.property);
    return false;
  }, 40);
  return keys.filter((key) => NEXT.test(key));
}

const NEXT = /next|cursor|token|after/i;
