import type { Call, CallId, FunctionId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { RuleContext, RuleFinding } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import type { Effects, PlacedFunction, ReachedEffect } from "../effects/index.ts";
import { callsWrittenIn } from "../indexes.ts";
import { argumentOf, parametersBefore } from "../arguments.ts";
import { bare, someIngredient } from "../expressions.ts";
import { statementsIn } from "../statements.ts";
import { isBoundedAround } from "./bounded-around.ts";
import { callbacksOf, decidesCallback, returnsIn, withCallbacks } from "./callbacks.ts";
import type { CallbackReturn } from "./callbacks.ts";
import { decidesReturn, returnsBecauseOf } from "./deciders.ts";
import { effectCalls, isCostly, isFromAnswer, isReading, keptEffects, onlyReads } from "./effects.ts";
import { elsewhereIn } from "./elsewhere.ts";
import { escapeOf } from "./escape.ts";
import type { Escape } from "./escape.ts";
import { testsOf } from "./witnesses.ts";
import type { Repetition } from "./witnesses.ts";
import { findingOf, noteOf } from "./findings.ts";
import { comingBackIn } from "./handled.ts";
import { assignedMove, movesOf } from "./moves.ts";
import type { Move } from "./moves.ts";
import { cursorCalls, pagedCalls, withPagesRead } from "./pages.ts";
import { lastName, methodOf, parameterRoot, placeOf } from "./places.ts";
import { isCleared } from "./clears.ts";
import { isGiven } from "./given.ts";
import { heldAt, kindsAt } from "./held.ts";
import { comesOtherwise } from "./otherwise.ts";
import { isPacedByPerson, isToldByPerson } from "./person.ts";
import { isSchedule, isTimerCall } from "./self-setting.ts";
import { LOOPS } from "./vocabulary.ts";

type EffectsOf = (call: CallId) => readonly ReachedEffect[];

/** Functions that call themselves again, or have themselves called by a timer, and repeat an effect without a bound. */
export function recursionFindings(facts: ModuleFacts, context: RuleContext, effects: EffectsOf): RuleFinding[] {
  const tree = effectsOf(facts, context);
  const reported = new Set<FunctionId>();
  return facts.functions.flatMap((_, id) => {
    if (id === 0 || reported.has(id) || !tree.mayComeBack(id) || !callsWrittenIn(facts, id).some((call) => couldRetry(facts, tree, id, call) || callbacksOf(facts, call).length > 0)) return [];
    const calls = tree.recursionOf(id).filter((call) => facts.calls[call]!.function === id);
    const found = calls.length === 0 || isBoundedAround(facts, context, id) ? null : judge(facts, context, id, calls, effects);
    if (found === null) return [];
    // A circle of functions is one repetition.
    for (const member of circleOf(facts, context, id, calls)) reported.add(member);
    return [found];
  });
}

/** The functions of this module on the way from the calls back to the function. */
function circleOf(facts: ModuleFacts, context: RuleContext, id: FunctionId, calls: readonly CallId[]): ReadonlySet<FunctionId> {
  const tree = effectsOf(facts, context);
  const circle = new Set([id]);
  const pending = [...calls];
  for (const call of pending) {
    for (const { path, function: callee } of tree.callees(call)) {
      if (path !== context.path || circle.has(callee) || circle.size >= MOST_IN_CIRCLE) continue;
      circle.add(callee);
      pending.push(...tree.recursionOf(callee));
    }
  }
  return circle;
}

/** What only reads is judged by itself, after what acts. */
function judge(facts: ModuleFacts, context: RuleContext, id: FunctionId, ways: readonly CallId[], effects: EffectsOf): RuleFinding | null {
  const returns = new Map(ways.flatMap((via) => returnsIn(facts, context, id, via)).map((each) => [each.call, each]));
  const vias = new Set([...returns.values()].map(({ via }) => via));
  const recursive = [...ways.filter((call) => !vias.has(call)), ...returns.keys()];
  const body = returns.size === 0 ? facts.functions[id]!.body : withCallbacks(facts, facts.functions[id]!.body);
  const inside = statementsIn(body);
  const own = new Set([...ways, ...recursive]);
  const answers = new Set(effectCalls(inside, effects).filter((call) => !own.has(call)));
  const again = new Map(recursive.filter((call) => mayRetry(facts, context, id, call, answers, inside, effects) && !waitsForPerson(facts, context, id, call, answers)).map((call) => [call, parameterMoves(facts, id, call)]));
  if (again.size === 0) return null;
  const moves = [...inside.flatMap((statement) => movesOf(facts, statement)), ...[...again.values()].flat()];
  const paged = pagedCalls(facts, [...answers], moves);
  const pages = withPagesRead(effects, paged);
  const come: Come = { facts, context, id, own, again, returns, body, inside, paged, cursors: cursorCalls(facts, paged, moves) };
  return judgeEffects(come, keptEffects(pages, (each) => !isReading(each))) ?? judgeEffects(come, keptEffects(pages, isReading));
}

/** Whether a person is asked between what is repeated and the call, or in the function that comes back. */
function waitsForPerson(facts: ModuleFacts, context: RuleContext, id: FunctionId, call: CallId, answers: ReadonlySet<CallId>): boolean {
  return (answers.size > 0 && isToldByPerson(facts, context, id, call, [...answers])) || (isMutual(facts, context, id, call) && isPacedByPerson(facts, context, call));
}

/** A function with the calls by which it comes back to itself. */
interface Come {
  readonly facts: ModuleFacts;
  readonly context: RuleContext;
  readonly id: FunctionId;
  readonly own: ReadonlySet<CallId>;
  readonly again: ReadonlyMap<CallId, readonly Move[]>;
  /** Of those, the ones in a callback. */
  readonly returns: ReadonlyMap<CallId, CallbackReturn>;
  readonly body: readonly Statement[];
  readonly inside: ReturnType<typeof statementsIn>;
  readonly paged: ReadonlySet<CallId>;
  /** Those that are surely given a cursor. */
  readonly cursors: ReadonlySet<CallId>;
}

function judgeEffects(come: Come, effects: EffectsOf): RuleFinding | null {
  const { facts, context, id, own, again, body, inside, paged, cursors } = come;
  const { name } = facts.functions[id]!;
  const calls = effectCalls(inside, effects).filter((call) => !own.has(call));
  // In a circle of functions the effect may lie in another one.
  const beside = calls.length > 0 ? calls : [...again.keys()].filter((call) => isMutual(facts, context, id, call) && effects(call).some(isDispatch));
  if (beside.length === 0) return null;
  const what: Repetition = { inside, tests: testsOf(null, inside), loop: null, body, again, first: [] };
  const effectsBeside: EffectsOf = (call) => (calls.length > 0 && own.has(call) ? [] : effects(call));
  const escape = escapeOf({ facts, context, what, effectsOf: effectsBeside, given: new Map(), elsewhere: elsewhereIn(facts, context), isWorkItem: () => false });
  if (escape === null) return null;
  const call = [...again.keys()].find((each) => facts.calls[each]!.statement === escape.way.jump) ?? [...again.keys()][0]!;
  const isTimer = isTimerCall(facts.calls[call]!, facts);
  if (isTimer && (isCleared(facts, call) || isSchedule(facts, id, [...again.keys()], beside))) return null;
  const reached = beside.flatMap((each) => effects(each));
  if (isTimer && reached.every(opensSocket)) return null;
  if (!isTimer && !reached.some(({ effect }) => isCostly(effect)) && !decides(come, beside, escape)) return null;
  const isPoll = onlyReads(reached);
  // Who reads and comes back to itself asks for the next page; else it logs in, reconnects or goes on with another part.
  if (isPoll && !isTimer && !beside.some((each) => paged.has(each))) return null;
  if ((isPoll && isOwnPage(facts, again.get(call)!, beside)) || (!reached.some(({ effect }) => isCostly(effect)) && unwraps(facts, id, call))) return null;
  return findingOf({
    facts, escape, calls: beside, effectsOf: effects, subject: `${name === "" ? "This function" : name}, which ${isTimer ? "has itself called again" : "calls itself"},`,
    isPaging: isPoll && beside.some((each) => cursors.has(each)), isPoll,
    span: facts.calls[call]!.nameSpan, statement: facts.calls[call]!.statement, handled: comingBackIn(facts, inside, escape.way.state.handler, call, isTimer),
    again: isTimer ? "timer" : "call",
    note: noteOf(facts, context, inside),
  });
}

/** Whether what the calls did is why the function comes back to itself. */
function decides({ facts, id, inside, again, returns }: Come, calls: readonly CallId[], escape: Escape): boolean {
  const acts = new Set(calls);
  const plain = [...again.keys()].filter((call) => !returns.has(call));
  if (plain.length > 0 && decidesReturn(facts, id, inside, calls, plain, escape)) return true;
  return [...again.keys()].some((call) => returns.has(call) && decidesCallback(facts, acts, returns.get(call)!, (via) => returnsBecauseOf(facts, id, acts, via)));
}

const SOCKETS = new Set(LOOPS.streams.sockets);

/** A client that opens its socket again after a pause until it is there, as one does that lives by what others send. */
function opensSocket({ effect }: ReachedEffect): boolean {
  return effect.capability === "net" && !effect.writes && SOCKETS.has(lastName(effect.api));
}

/** `if isinstance(result, State): return read(result)`: what was read holds another one of its kind, as deep as it was made. */
function unwraps(facts: ModuleFacts, id: FunctionId, call: CallId): boolean {
  const kinds = kindsAt(facts, id, call);
  return facts.calls[call]!.arguments.some((argument) => kinds.has(placeOf(facts, argument.value) ?? ""));
}

/** A page number or offset that the function itself moves on, and asks with: `fetchPages(start + answer.size)`. */
function isOwnPage(facts: ModuleFacts, moves: readonly Move[], calls: readonly CallId[]): boolean {
  const advanced = new Set(moves.flatMap((move) => (move.how === "up" || move.how === "any" ? [move.place] : [])));
  return advanced.size > 0 && calls.every((call) => isGiven(facts, call, (place) => advanced.has(place), () => true));
}

/** What `mayRetry` asks of the file alone, of a call that may come back by its name: hardly any function has one. */
function couldRetry(facts: ModuleFacts, tree: Effects, id: FunctionId, call: CallId): boolean {
  const entry = facts.calls[call]!;
  if (isTimerCall(entry, facts)) return true;
  return isOnSameObject(facts, entry) && entry.arguments.every((argument) => isRepeated(facts, id, argument.value, ANY_CALL)) && tree.mayLeadBack(id, call);
}

const ANY_CALL: Pick<ReadonlySet<CallId>, "has"> = { has: () => true };

/**
 * Whether a call by which a function comes back to itself repeats what it did: by itself and not once for each item of
 * something, with the same arguments, constants, or what was answered. A walk goes on with a part of what it was given.
 */
function mayRetry(facts: ModuleFacts, context: RuleContext, id: FunctionId, call: CallId, answers: ReadonlySet<CallId>, inside: ReturnType<typeof statementsIn>, effects: EffectsOf): boolean {
  const entry = facts.calls[call]!;
  const callees = effectsOf(facts, context).callees(call);
  // `setTimeout(run)`, `setTimeout(() => run())`.
  if (isTimerCall(entry, facts)) return callees.some((callee) => !isMutual(facts, context, id, call) || (callee.facts === facts && callsBack(context, id, callee)));
  if (callees.length !== 1 || !isOnSameObject(facts, entry)) return false;
  const [callee] = callees;
  if (isMutual(facts, context, id, call) && !(callsBack(context, id, callee!) && [...answers, call].some((each) => effects(each).some((reached) => isDispatch(reached) && reached.steps.length <= 2)))) return false;
  const walks = inside.some((statement) => statement.kind === "loop" && statement.form === "each" && statementsIn(statement.body).some((inner) => inner.kind === "call" && inner.call === call));
  if (walks) return false;
  if (comesOtherwise(facts, context, id, call)) return false;
  return !carriesDepth(facts, entry, inside) && entry.arguments.every((argument) => isRepeated(facts, id, argument.value, answers));
}

const ORDERED = new Set(["<", "<=", ">", ">="]);

/**
 * `iterations = options.get("iterations", 0)`, compared to a limit, and `iterations + 1` handed on by that name; or the
 * same as an entry of the options: `{ ...options, attempt: attempt + 1 }`.
 */
function carriesDepth(facts: ModuleFacts, call: Call, inside: ReturnType<typeof statementsIn>): boolean {
  const compared = new Set<string>();
  for (const test of testsOf(null, inside)) {
    someIngredient(facts, test, (value) => {
      if (value.kind === "binary" && ORDERED.has(value.operator)) for (const side of [value.left, value.right]) compared.add(placeOf(facts, side) ?? "");
      return false;
    }, 30);
  }
  return handedByName(facts, call).some(([name, given]) => isNextDepth(facts, name, given, compared));
}

/** What a call is given by a name: named arguments, and the entries of tables written there. */
function handedByName(facts: ModuleFacts, call: Call): (readonly [string, ValueId])[] {
  return call.arguments.flatMap((argument): (readonly [string, ValueId])[] => {
    if (argument.name !== undefined) return [[argument.name, argument.value]];
    const table = facts.values[argument.value];
    if (table?.kind !== "table") return [];
    return table.entries.flatMap(({ key, value }) => {
      const text = key === null ? undefined : facts.values[key];
      return text?.kind === "string" ? [[text.value, value] as const] : [];
    });
  });
}

/** The number has to come in by the name that it is handed on by; a fresh one of each call counts nothing. */
function isNextDepth(facts: ModuleFacts, name: string, given: ValueId, compared: ReadonlySet<string>): boolean {
  const value = facts.values[bare(facts, given)];
  if (value?.kind !== "binary" || (value.operator !== "+" && value.operator !== "-")) return false;
  const place = placeOf(facts, value.left);
  const root = facts.values[bare(facts, value.left)];
  if (place === null || !compared.has(place) || root?.kind !== "name") return false;
  return someIngredient(facts, value.left, (each) => (each.kind === "string" && each.value === name) || (each.kind === "member" && each.property === name), 20);
}

/** So many functions on the way are looked through for the one that calls the first again. */
const MOST_IN_CIRCLE = 24;

/** Whether the other function comes back to this one, itself or by way of further ones. */
function callsBack(context: RuleContext, id: FunctionId, other: PlacedFunction): boolean {
  const key = ({ path, function: of }: PlacedFunction): string => `${String(of)}:${path}`;
  const seen = new Set([key(other)]);
  const pending = [other];
  for (const { path, facts, function: current } of pending) {
    const tree = effectsOf(facts, { ...context, path });
    for (const statement of statementsIn(facts.functions[current]?.body ?? [])) {
      if (statement.kind !== "call") continue;
      for (const callee of tree.callees(statement.call)) {
        if (callee.path === context.path && callee.function === id) return true;
        if (seen.has(key(callee)) || seen.size >= MOST_IN_CIRCLE) continue;
        seen.add(key(callee));
        pending.push(callee);
      }
    }
  }
  return false;
}

/** By way of another function. */
function isMutual(facts: ModuleFacts, context: RuleContext, id: FunctionId, call: CallId): boolean {
  return !effectsOf(facts, context).callees(call).some((callee) => callee.path === context.path && callee.function === id);
}

function isDispatch({ effect }: ReachedEffect): boolean {
  return effect.capability === "model" || effect.capability === "tool";
}

/** `self.run()`, `run()`; not `child.run()`. */
function isOnSameObject(facts: ModuleFacts, call: Call): boolean {
  const method = methodOf(facts, call);
  return method === null || facts.values[bare(facts, method.object)]?.kind === "self" || placeOf(facts, method.object) === "self";
}

function isRepeated(facts: ModuleFacts, id: FunctionId, argument: ValueId, answers: Pick<ReadonlySet<CallId>, "has">): boolean {
  const value = facts.values[bare(facts, argument)];
  if (value === undefined) return false;
  if (value.kind === "constant" || value.kind === "number" || value.kind === "string") return true;
  if (isParameter(facts, id, bare(facts, argument))) return !isSteppedByItself(facts, bare(facts, argument));
  if (value.kind === "binary" || value.kind === "unary") return true;
  // `copy(from, to, { ...options, force: true })`: it goes on otherwise than before.
  if (value.kind === "table" && value.entries.some(({ key }) => key === null) && value.entries.some(({ key, value: entry }) => key !== null && facts.values[entry]?.kind === "constant")) return false;
  if (value.kind === "table" || value.kind === "list") {
    const inner = value.kind === "list" ? value.items : value.entries.map((entry) => entry.value);
    return inner.every((each) => isRepeated(facts, id, each, answers));
  }
  if (value.kind === "spread") return isRepeated(facts, id, value.value, answers);
  return isFromAnswer(facts, argument, answers) && !isPartOfParameter(facts, id, argument);
}

function isParameter(facts: ModuleFacts, id: FunctionId, value: ValueId): boolean {
  const named = facts.values[value];
  const binding = named?.kind === "name" ? facts.bindings[named.binding] : undefined;
  return binding?.values.some((each) => {
    const given = facts.values[each];
    return given?.kind === "parameter" && given.function === id;
  }) === true || (named?.kind === "member" && placeOf(facts, value)?.startsWith("self.") === true);
}

/** `retries = retries.increment(error)`: what it gives, or raises, is its own matter. */
function isSteppedByItself(facts: ModuleFacts, id: ValueId): boolean {
  const named = facts.values[id];
  if (named?.kind !== "name") return false;
  return facts.bindings[named.binding]?.values.some((each) => {
    const given = facts.values[bare(facts, each)];
    const method = given?.kind === "call" ? methodOf(facts, facts.calls[given.call]!) : null;
    const object = method === null ? undefined : facts.values[bare(facts, method.object)];
    return object?.kind === "name" && object.binding === named.binding;
  }) === true;
}

/** `walk(node.children)`, `walk(rest[1:])`. */
function isPartOfParameter(facts: ModuleFacts, id: FunctionId, argument: ValueId): boolean {
  const value = facts.values[bare(facts, argument)];
  return value?.kind === "member" && someIngredient(facts, value.object, (part) => part.kind === "parameter" && part.function === id, 20);
}

/** What the next round's parameters are, as if they were assigned. */
function parameterMoves(facts: ModuleFacts, id: FunctionId, call: CallId): readonly Move[] {
  const entry = facts.calls[call]!;
  const subject = facts.functions[id]!;
  const held = heldAt(facts, id, call);
  const bound = parametersBefore(facts, subject);
  return subject.parameters.flatMap((parameter, index) => {
    if (index < bound) return [];
    const given = argumentOf(facts, entry, index - bound, parameter.name);
    const root = parameterRoot(facts, id, index);
    // What is handed on as it is stays what it is.
    const place = typeof given === "number" ? placeOf(facts, given) : null;
    if (typeof given !== "number" || place === root) return [];
    return [place !== null && held.has(place) ? { place: root, how: "constant", text: "true", value: given } : assignedMove(facts, root, madeAs(facts, given))];
  });
}

/** What a name stands for that the function gives a value once: `const next = start + page.size`. */
function madeAs(facts: ModuleFacts, id: ValueId): ValueId {
  const value = facts.values[bare(facts, id)];
  const { values = [], rebound } = value?.kind === "name" ? facts.bindings[value.binding] ?? {} : {};
  const only = rebound !== true && values.length === 1 ? values[0]! : -1;
  return facts.values[only]?.kind === "binary" ? only : id;
}
