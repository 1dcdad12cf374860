import { functionsOf } from "@agentgate/parsers";
import type { CallId, FunctionId, ModuleFacts, Span } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { callersOf } from "../callers.ts";
import { effectsOf } from "../effects/index.ts";
import { idOfCall, keptWithFacts, takers } from "../indexes.ts";
import { retryDecorator, retryHelper } from "./helpers.ts";
import { repeatsUntilDone } from "./loops.ts";
import { extentOf, isWithin, loopsAround } from "./places.ts";

export { repeatsParameter } from "./helpers.ts";
export { loopsAround } from "./places.ts";

/** A stretch of code that is run again when something in it fails. */
export interface Attempt {
  /** The function that is run again, or in which the loop stands. */
  readonly function: FunctionId;
  /** Of a loop, from its keyword to its end; null where the whole function is run again. */
  readonly extent: Span | null;
  /** What runs it again, to go after "each attempt of": `the loop in line …`, `tenacity.retry`. */
  readonly by: string;
  readonly span: Span;
}

/** Generated code has chains of 200 calls; the calls looked at bound the rest. */
const MOST_LEVELS = 256;
const MOST_CALLS = 2000;

/** The innermost attempt that a call is part of, in its function or in those of the file that run it; null where it is tried once. */
export function attemptAround(facts: ModuleFacts, context: RuleContext, call: CallId): Attempt | null {
  const seen = new Set<CallId>([call]);
  let level: readonly CallId[] = [call];
  for (let depth = 0; level.length > 0 && depth < MOST_LEVELS && seen.size < MOST_CALLS; depth++) {
    for (const each of level) {
      const found = attemptIn(facts, context, each);
      if (found !== null) return found;
    }
    const next = new Set(level.flatMap((each) => runsOf(facts, facts.calls[each]!.function)).filter((each) => !seen.has(each)));
    for (const each of next) seen.add(each);
    level = [...next];
  }
  return null;
}

/** Calls by which a function of the file is run: its callers, or what takes it where it is written. */
function runsOf(facts: ModuleFacts, id: FunctionId): readonly CallId[] {
  if (id === 0) return [];
  const taker = takers(facts).get(id);
  return [...callersOf(facts, id), ...(taker === undefined ? [] : [taker])].map((call) => idOfCall(facts, call));
}

function attemptIn(facts: ModuleFacts, context: RuleContext, call: CallId): Attempt | null {
  const { function: id } = facts.calls[call]!;
  for (const { loop } of loopsAround(facts, call)) {
    if (repeatsUntilDone(facts, loop, call)) return { function: id, extent: extentOf(facts, loop), by: "the loop", span: loop.keywordSpan };
  }
  return id === 0 ? null : repeatedFunction(facts, context, id);
}

const repeated = keptWithFacts<{ readonly tree: RuleContext["tree"]; readonly byFunction: Map<FunctionId, Attempt | null> }>();

/** The function as an attempt: decorated, handed to a helper that repeats it, or calling itself again. */
function repeatedFunction(facts: ModuleFacts, context: RuleContext, id: FunctionId): Attempt | null {
  let known = repeated.get(facts);
  if (known?.tree !== context.tree) repeated.set(facts, (known = { tree: context.tree, byFunction: new Map() }));
  const found = known.byFunction.get(id);
  if (found !== undefined) return found;
  const attempt = findRepeated(facts, context, id);
  known.byFunction.set(id, attempt);
  return attempt;
}

function findRepeated(facts: ModuleFacts, context: RuleContext, id: FunctionId): Attempt | null {
  const { nameSpan, name } = facts.functions[id]!;
  const decorator = retryDecorator(facts, id);
  if (decorator !== null) return { function: id, extent: null, by: decorator, span: nameSpan };
  for (const call of handedTo(facts, id)) {
    const helper = retryHelper(facts, context, call);
    if (helper !== null) return { function: id, extent: null, by: helper, span: facts.calls[call]!.nameSpan };
  }
  const [again] = effectsOf(facts, context).recursionOf(id);
  return again === undefined ? null : { function: id, extent: null, by: name === "" ? "the recursion" : name, span: facts.calls[again]!.nameSpan };
}

const handedByFacts = keptWithFacts<ReadonlyMap<FunctionId, readonly CallId[]>>();

/** The calls that are given a function of the file, in place or by its name. */
function handedTo(facts: ModuleFacts, id: FunctionId): readonly CallId[] {
  let index = handedByFacts.get(facts);
  if (index === undefined) handedByFacts.set(facts, (index = indexHanded(facts)));
  return index.get(id) ?? [];
}

function indexHanded(facts: ModuleFacts): ReadonlyMap<FunctionId, readonly CallId[]> {
  const index = new Map<FunctionId, CallId[]>();
  facts.calls.forEach((call, id) => {
    for (const { value } of call.arguments) {
      const given = facts.values[value];
      const functions = given?.kind === "function" ? [given.function] : given?.kind === "name" || given?.kind === "member" ? functionsOf(facts, value) : [];
      for (const each of functions) {
        const list = index.get(each);
        if (list === undefined) index.set(each, [id]);
        else list.push(id);
      }
    }
  });
  return index;
}

/** Whether a call is evaluated anew in each run of an attempt: it stands in it, or in a function that a call there runs. */
export function runsIn(facts: ModuleFacts, attempt: Attempt, call: CallId): boolean {
  const seen = new Set<CallId>();
  let level: readonly CallId[] = [call];
  for (let depth = 0; level.length > 0 && depth < MOST_LEVELS && seen.size < MOST_CALLS; depth++) {
    if (level.some((each) => standsIn(facts, attempt, each))) return true;
    for (const each of level) seen.add(each);
    level = [...new Set(level.flatMap((each) => runsOf(facts, facts.calls[each]!.function)).filter((each) => !seen.has(each)))];
  }
  return false;
}

function standsIn(facts: ModuleFacts, { function: id, extent }: Attempt, call: CallId): boolean {
  const entry = facts.calls[call]!;
  if (!isWithin(facts, entry.function, id)) return false;
  return extent === null || (entry.span[0] >= extent[0] && entry.span[1] <= extent[1]);
}

/** Whether a function of the tree repeats what it does by itself, or hands it to a helper that does. */
export function retriesItself(context: RuleContext, facts: ModuleFacts, path: string, id: FunctionId): boolean {
  const placed = { ...context, path };
  return effectsOf(facts, placed).own.some((effect) => isWithin(facts, effect.function, id) && attemptAround(facts, placed, effect.call) !== null);
}
