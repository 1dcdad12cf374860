import type { Call, CallId, ClassId, FunctionId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import type { PlacedFunction } from "../effects/index.ts";
import { bare, callsApi, originsOf } from "../expressions.ts";
import { bodiesOf, statementsIn } from "../statements.ts";
import { countedEffects, isPause } from "./effects.ts";
import { methodOf } from "./places.ts";
import { endlessHead, endlessIterable, loopSites } from "./sites.ts";
import type { LoopSite } from "./sites.ts";
import { LOOPS } from "./vocabulary.ts";
import { waitsForWork } from "./work.ts";

/** A walk over something that never ends. */
export interface EndlessWalk {
  /** The calls by which its items are made, each time anew: `map(send, repeat(message))`, an endless generator that sends. */
  readonly calls: readonly CallId[];
  /** Items are left out, so that the next one may take any number of rounds. */
  readonly isSifted: boolean;
  /** A certain answer ends it: `iter(send, "done")`. */
  readonly isAnswered: boolean;
}

const NO_CALLS: EndlessWalk = { calls: [], isSifted: false, isAnswered: false };
const MAX_DEPTH = 6;

/** What an expression makes where going through it never ends by itself; null where it may end, or nothing is known of it. */
export function endlessWalk(facts: ModuleFacts, context: RuleContext, id: ValueId, depth = 0): EndlessWalk | null {
  if (depth > MAX_DEPTH) return null;
  const { values, complete } = originsOf(facts, id);
  const [only, ...others] = values;
  const value = only === undefined || others.length > 0 || !complete ? undefined : facts.values[only];
  if (value?.kind === "table") return isEndlessTable(facts, value) ? NO_CALLS : null;
  return value?.kind === "call" ? ofCall(facts, context, value.call, only!, depth) : null;
}

function ofCall(facts: ModuleFacts, context: RuleContext, id: CallId, value: ValueId, depth: number): EndlessWalk | null {
  const call = facts.calls[id]!;
  const { endless } = LOOPS;
  const head = endlessIterable(facts, value, context.loopCeiling);
  if (head !== null && head.kind !== "iterator") return null;
  if (head !== null) return callsApi(call, [endless.iter]) ? { calls: [id], isSifted: false, isAnswered: true } : NO_CALLS;
  const given = call.arguments.map((argument) => argument.value);
  const all = (parts: readonly ValueId[]): EndlessWalk | null => joined(parts.map((part) => endlessWalk(facts, context, part, depth + 1)));
  if (callsApi(call, endless.mapping)) return mapped(id, all(given.slice(1)), callsApi(call, endless.sifting), callsApi(call, [endless.while]));
  if (callsApi(call, endless.joining)) return all(given);
  const method = methodOf(facts, call);
  if (method !== null && endless.mappingMethods.includes(method.name)) return mapped(id, all([method.object]), method.name === "filter");
  return isEndlessObject(facts, call) ? NO_CALLS : ofGenerator(facts, context, id);
}

function joined(walks: readonly (EndlessWalk | null)[]): EndlessWalk | null {
  const known = walks.filter((walk) => walk !== null);
  return known.length === 0 || known.length < walks.length ? null : { calls: known.flatMap(({ calls }) => calls), isSifted: known.some(({ isSifted }) => isSifted), isAnswered: known.some(({ isAnswered }) => isAnswered) };
}

function mapped(id: CallId, over: EndlessWalk | null, sifts: boolean, asks = false): EndlessWalk | null {
  return over === null ? null : { calls: [id, ...over.calls], isSifted: over.isSifted || sifts, isAnswered: over.isAnswered || asks };
}

/** The walk over a generator of the tree that hands out what it has for ever. */
function ofGenerator(facts: ModuleFacts, context: RuleContext, id: CallId): EndlessWalk | null {
  for (const callee of effectsOf(facts, context).callees(id)) {
    const site = endlessSiteOf(callee, context.loopCeiling);
    if (site === null) continue;
    const at = { ...context, path: callee.path };
    const acts = site.inside.some((statement) => statement.kind === "call" && countedEffects(callee.facts, at, statement.call).length > 0);
    return acts ? { ...NO_CALLS, calls: [id] } : NO_CALLS;
  }
  return null;
}

/** The loop of a generator that hands out for ever; what hands on the messages of a socket comes to an end with them. */
function endlessSiteOf({ facts, function: id }: Pick<PlacedFunction, "facts" | "function">, ceiling: number): LoopSite | null {
  if (facts.functions[id]?.generator !== true) return null;
  return loopSites(facts).find((site) => site.function === id && endlessHead(facts, site.loop, ceiling)?.kind === "always" && isHandedOut(facts, site)
    && !site.inside.some((statement) => statement.kind === "call" && waitsForWork(facts, statement.call))) ?? null;
}

/** A generator that hands out what it has for ever: its consumer decides how often. */
export function isHandedOut(facts: ModuleFacts, site: LoopSite): boolean {
  return facts.functions[site.function]?.generator === true && !leaves(site) && site.inside.some((statement) => statement.kind === "expression" && facts.values[statement.value]?.kind === "yield");
}

/** Whether the loop has a way out of its own. A `break` of a loop inside it is none. */
export function leaves({ loop }: LoopSite): boolean {
  return beside(loop.body).some(({ statement, inLoop }) => statement.kind === "return" || (statement.kind === "jump" && statement.to === "break" && (!inLoop || statement.label !== undefined)));
}

interface Beside {
  readonly statement: LoopSite["inside"][number];
  readonly inLoop: boolean;
}

/** The statements of a body without those of its handlers: being cancelled is no end of the work. */
export function beside(body: LoopSite["inside"]): readonly Beside[] {
  const found: Beside[] = [];
  const pending = [{ body, inLoop: false }];
  while (pending.length > 0) {
    const { body: current, inLoop } = pending.pop()!;
    for (const statement of current) {
      found.push({ statement, inLoop });
      const inner = statement.kind === "try" ? [statement.body, statement.otherwise, statement.finally] : bodiesOf(statement);
      for (const each of inner) pending.push({ body: each, inLoop: inLoop || statement.kind === "loop" });
    }
  }
  return found;
}

/** An object of a class of the file that is its own iterator and says nowhere that it is done. */
function isEndlessObject(facts: ModuleFacts, call: Call): boolean {
  const classes = originsOf(facts, call.callee).values.map((origin) => facts.values[origin]);
  return classes.length > 0 && classes.every((value) => value?.kind === "class" && isEndlessClass(facts, value.class));
}

const ITERATES = /^__a?iter__$|^$/;
const GIVES_NEXT = /^(?:__a?next__|next)$/;

function isEndlessClass(facts: ModuleFacts, id: ClassId): boolean {
  if (facts.classes[id]!.bases.length > 0) return false;
  const methods = facts.functions.flatMap((each, index) => (each.class === id ? [index] : []));
  const own = methods.filter((each) => ITERATES.test(facts.functions[each]!.name) && facts.functions[each]!.generator === true);
  if (own.length > 0) return own.every((each) => endlessSiteOf({ facts, function: each }, Infinity) !== null);
  const next = methods.filter((each) => GIVES_NEXT.test(facts.functions[each]!.name));
  return next.length === 1 && methods.some((each) => ITERATES.test(facts.functions[each]!.name)) && isNeverDone(facts, next[0]!);
}

/** `{ [Symbol.iterator]() { return this; }, next() { return { done: false, value }; } }`. */
function isEndlessTable(facts: ModuleFacts, { entries }: Extract<Value, { kind: "table" }>): boolean {
  const isIterator = entries.some(({ key }) => {
    const value = key === null ? undefined : facts.values[key];
    return value?.kind === "member" && (value.property === "iterator" || value.property === "asyncIterator");
  });
  return isIterator && entries.some(({ key, value }) => {
    const name = key === null ? undefined : facts.values[key];
    const given = facts.values[value];
    return name?.kind === "string" && name.value === "next" && given?.kind === "function" && isNeverDone(facts, given.function);
  });
}

/** Whether a method that gives the next item never says that there is none: it raises nothing, asks nobody, and its answer is not done. */
function isNeverDone(facts: ModuleFacts, id: FunctionId): boolean {
  return statementsIn(facts.functions[id]!.body).every((statement) => {
    if (statement.kind === "call") return isPause(facts, statement.call) || isOfLanguage(facts.calls[statement.call]!);
    if (statement.kind === "jump") return statement.to !== "raise";
    return statement.kind !== "return" || facts.language === "python" || (statement.value !== null && isNotDone(facts, statement.value));
  });
}

function isNotDone(facts: ModuleFacts, id: ValueId): boolean {
  const table = facts.values[bare(facts, id)];
  return table?.kind === "table" && table.entries.every(({ key, value }) => {
    const name = key === null ? undefined : facts.values[key];
    const given = facts.values[bare(facts, value)];
    return name?.kind === "string" && (name.value !== "done" || (given?.kind === "constant" && given.value === false));
  });
}

const LANGUAGE: ReadonlySet<string> = new Set(["math", "random", "time", "globalThis"]);
const NUMBERS: ReadonlySet<string> = new Set(["int", "float", "len", "min", "max", "str", "abs", "round", "print"]);

/** What counts or measures: it ends no iteration. */
function isOfLanguage({ references }: Call): boolean {
  return references.length > 0 && references.every(({ module, path }) => LANGUAGE.has(module) || (module === "builtins" && NUMBERS.has(path.at(-1) ?? "")));
}
