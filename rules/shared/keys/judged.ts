import { functionsOf } from "@agentgate/parsers";
import type { CallId, FunctionId, ModuleFacts } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { attemptAround, retriesItself, runsIn } from "../attempts/index.ts";
import type { Attempt } from "../attempts/index.ts";
import { extentOf, isWithin, loopsAround } from "../attempts/places.ts";
import { effectsOf } from "../effects/index.ts";
import type { Candidate } from "./candidates.ts";
import type { Carried } from "./carriers.ts";
import { isKeyGuarded } from "./key-guards.ts";
import type { Mint } from "./mints.ts";
import { servesOnly } from "./once.ts";
import { isScreen } from "./screens.ts";
import { isIdOfData, writeOf } from "./writes.ts";
import type { Write } from "./writes.ts";

/** A key that no second attempt of its write can give again. */
export interface FreshKey {
  readonly candidate: Candidate;
  readonly write: Write;
  /** What runs the write again with another key; null where the key is made in the write itself. */
  readonly attempt: Attempt | null;
}

/** What is wrong with a key on its way to one call; null where it is the same for all attempts, or the call writes nothing. */
export function judgeKey(facts: ModuleFacts, context: RuleContext, candidate: Candidate, carried: Carried): FreshKey | null {
  const { mint, name } = candidate;
  if (candidate.keeps || (candidate.changes && isKeyGuarded(facts, facts.calls[mint.call]!.statement))) return null;
  const write = isIdOfData(facts, carried, name) ? null : writeOf(facts, context, carried.call, name);
  if (write === null) return null;
  const attempt = attemptAround(facts, context, carried.call);
  if (attempt !== null) return isMadeIn(facts, attempt, mint) ? { candidate, write, attempt } : null;
  return write.sends && isMadeInside(facts, context, candidate, carried) ? { candidate, write, attempt: null } : null;
}

/** Whether each run of an attempt makes the key: by the call itself, by the getter that it reads, or by the object that it makes. */
function isMadeIn(facts: ModuleFacts, attempt: Attempt, { call, by, lazy }: Mint): boolean {
  // `key ??= randomUUID()` of a name that is declared before the first attempt.
  const [start] = attempt.extent ?? facts.functions[attempt.function]!.span;
  if (lazy.some((binding) => facts.bindings[binding]!.span[0] < start)) return false;
  if (by === null) return runsIn(facts, attempt, call);
  const value = facts.values[by]!;
  if (value.kind === "call") return runsIn(facts, attempt, value.call);
  const [from, to] = attempt.extent ?? facts.functions[attempt.function]!.span;
  return value.span[0] >= from && value.span[1] <= to;
}

/** A key that a client's interceptor gives every request: each attempt that sends one runs it. */
export function judgeIntercepted(facts: ModuleFacts, context: RuleContext, candidate: Candidate, { call }: Carried): FreshKey | null {
  const { mint, name } = candidate;
  if (candidate.keeps || mint.byDefault || mint.kept || isKeyGuarded(facts, facts.calls[mint.call]!.statement)) return null;
  const write = writeOf(facts, context, call, name);
  const attempt = write === null ? null : attemptAround(facts, context, call);
  return write === null || attempt === null ? null : { candidate, write, attempt };
}

/** Whether the key is made for this one call and nobody else has it. */
function isMadeInside(facts: ModuleFacts, context: RuleContext, { mint }: Candidate, carried: Carried): boolean {
  if (mint.byDefault || mint.kept || isScreen(facts)) return false;
  const made = facts.calls[mint.call]!;
  const { function: id } = facts.calls[carried.call]!;
  // Made in a function around it: the same for whatever runs it again.
  if (made.function !== id && isWithin(facts, id, made.function)) return false;
  if (made.function === id && isSharedByLoop(facts, mint.call, carried.call)) return false;
  if (!servesOnly(facts, [...new Set([...mint.bindings, ...carried.bindings])], carried.call)) return false;
  return !isRepeatedInside(facts, context, carried.call);
}

/** The call stands in a loop that the making of the key does not. */
function isSharedByLoop(facts: ModuleFacts, made: CallId, call: CallId): boolean {
  const { span } = facts.calls[made]!;
  return loopsAround(facts, call).some(({ loop }) => {
    const [start, end] = extentOf(facts, loop);
    return span[0] < start || span[1] > end;
  });
}

/** The function of the tree that the call runs makes the attempts itself, all with the key that it is given. */
function isRepeatedInside(facts: ModuleFacts, context: RuleContext, call: CallId): boolean {
  const seen = new Set<string>();
  let level = [{ facts, path: context.path, calls: [call] as readonly CallId[] }];
  for (let depth = 0; depth < 3 && level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { facts: at, path, calls } of level) {
      for (const placed of calls.flatMap((each) => calleesOf(at, { ...context, path }, each))) {
        const key = `${placed.path}\0${String(placed.function)}`;
        if (seen.has(key) || seen.size > 50) continue;
        seen.add(key);
        if (retriesItself(context, placed.facts, placed.path, placed.function)) return true;
        next.push({ facts: placed.facts, path: placed.path, calls: callsIn(placed.facts, placed.function) });
      }
    }
    level = next;
  }
  return false;
}

function calleesOf(facts: ModuleFacts, context: RuleContext, call: CallId): { path: string; facts: ModuleFacts; function: FunctionId }[] {
  const own = functionsOf(facts, facts.calls[call]!.callee).map((id) => ({ path: context.path, facts, function: id }));
  return own.length > 0 ? own : [...effectsOf(facts, context).callees(call)];
}

function callsIn(facts: ModuleFacts, id: FunctionId): readonly CallId[] {
  return facts.calls.flatMap((call, each) => (isWithin(facts, call.function, id) ? [each] : [])).slice(0, 40);
}
