import type { CallId, FunctionId, ModuleFacts, Statement, Value, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { bare, childrenOf } from "../expressions.ts";
import { bodiesOf, statementsIn } from "../statements.ts";
import { isClock } from "./clocks.ts";
import { isFromAnswer } from "./effects.ts";
import { movesOf } from "./moves.ts";
import type { Move } from "./moves.ts";
import { placeOf } from "./places.ts";
import type { LoopSite } from "./sites.ts";

/** Who can make a condition come out the other way. */
export type Changer =
  /** Only what an effect of the loop answers. */
  | "answer"
  /** Nothing in the loop, and nothing else in the module. */
  | "nobody"
  /** Somebody outside the loop: a stop flag, an event. */
  | "outside"
  /** The loop's own work on data it has. */
  | "itself";

/** All that the statements of a loop do to variables and attributes, and that the next round finds. */
export function loopMoves(facts: ModuleFacts, { inside, loop }: LoopSite): readonly Move[] {
  const last = lastWords([loop.body, ...inside.flatMap((statement) => bodiesOf(statement))]);
  return [...inside, ...loop.update].flatMap((statement) => movesOf(facts, statement).filter(({ how }) => how !== "constant" || !last.has(statement)));
}

/** Assignments that a return follows: `self.offset = 0; return`. */
function lastWords(bodies: readonly (readonly Statement[])[]): ReadonlySet<Statement> {
  return new Set(bodies.flatMap((body) => (body.at(-1)?.kind === "return" ? body.filter(({ kind }) => kind === "assign") : [])));
}

/** Who changes what a condition asks, beside the places of a bound that is known not to hold. */
export function changerOf(
  facts: ModuleFacts, context: RuleContext, site: LoopSite, test: ValueId, effectCalls: ReadonlySet<CallId>, moves: readonly Move[],
  ignored: ReadonlySet<string>,
): Changer {
  const found = new Set<Changer>();
  for (const leaf of leavesOf(facts, test)) if (!isIgnored(facts, leaf, ignored)) found.add(leafChanger(facts, leaf, effectCalls, moves));
  if (found.has("itself")) return "itself";
  if (found.has("answer")) return "answer";
  if (found.has("outside")) return isSetByCallees(facts, context, site, test) ? "itself" : "outside";
  return "nobody";
}

/** A place of those, or a clock that is compared to a deadline which never comes. */
function isIgnored(facts: ModuleFacts, leaf: ValueId, ignored: ReadonlySet<string>): boolean {
  const value = facts.values[leaf]!;
  return value.kind === "call" ? ignored.has(CLOCK) && isClock(facts, value.call) : ignored.has(placeOf(facts, leaf) ?? "");
}

/** Stands for a clock among places. */
export const CLOCK = "a clock";

function leavesOf(facts: ModuleFacts, test: ValueId): ValueId[] {
  const leaves: ValueId[] = [];
  const pending = [test];
  for (let steps = 0; pending.length > 0 && steps < 64; steps++) {
    const current = bare(facts, pending.pop()!);
    const value = facts.values[current]!;
    if (value.kind === "name" || value.kind === "member" || value.kind === "call") leaves.push(current);
    else pending.push(...childrenOf(facts, value));
  }
  return leaves;
}

function leafChanger(facts: ModuleFacts, leaf: ValueId, effectCalls: ReadonlySet<CallId>, moves: readonly Move[]): Changer {
  const value = facts.values[leaf]!;
  if (value.kind === "call") return callChanger(facts, leaf, value, effectCalls, moves);
  const place = placeOf(facts, leaf);
  // `while (!(await send(order)).ok)`: the answer stands in the condition itself.
  if (place === null) return isFromAnswer(facts, leaf, effectCalls) ? "answer" : "itself";
  const own = moves.filter((move) => place === move.place || place.startsWith(`${move.place}.`) || move.place.startsWith(`${place}.`));
  if (own.length === 0) return isChangedElsewhere(facts, value, leaf) ? "outside" : "nobody";
  return own.every((move) => isAnswered(facts, move, effectCalls)) ? "answer" : "itself";
}

/** A move that only comes to pass by what the outside answers: a value made from it, a constant set in a branch, a place it fills. */
function isAnswered(facts: ModuleFacts, move: Move, effectCalls: ReadonlySet<CallId>): boolean {
  if (move.how === "constant" || move.how === "shrinks") return true;
  return move.value !== undefined && (move.how === "given" || move.how === "grows") && isFromAnswer(facts, move.value, effectCalls);
}

function callChanger(facts: ModuleFacts, leaf: ValueId, value: Extract<Value, { kind: "call" }>, effectCalls: ReadonlySet<CallId>, moves: readonly Move[]): Changer {
  if (effectCalls.has(value.call)) return "answer";
  const call = facts.calls[value.call]!;
  const parts = [call.callee, ...call.arguments.map((argument) => argument.value)];
  const places = parts.flatMap((part) => leavesOf(facts, part)).map((part) => placeOf(facts, part)).filter((place) => place !== null);
  const own = moves.filter((move) => places.some((place) => place === move.place || place.startsWith(`${move.place}.`)));
  if (own.length > 0) return own.every((move) => isAnswered(facts, move, effectCalls)) ? "answer" : "itself";
  return isFromAnswer(facts, leaf, effectCalls) ? "answer" : "outside";
}

/** Whether a function that the loop calls gives an attribute of the condition another value. */
function isSetByCallees(facts: ModuleFacts, context: RuleContext, { inside }: LoopSite, test: ValueId): boolean {
  const wanted = new Set(leavesOf(facts, test).flatMap((leaf) => {
    const value = facts.values[leaf]!;
    return value.kind === "member" && value.property !== null ? [value.property] : [];
  }));
  if (wanted.size === 0) return false;
  const effects = effectsOf(facts, context);
  return inside.some((statement) => statement.kind === "call" && effects.callees(statement.call).slice(0, 3).some((callee) => attributesSet(callee.facts, callee.function, wanted)));
}

function attributesSet(facts: ModuleFacts, id: FunctionId, wanted: ReadonlySet<string>): boolean {
  return statementsIn(facts.functions[id]?.body ?? []).some((statement) => movesOf(facts, statement).some(({ place }) => wanted.has(place.slice(place.lastIndexOf(".") + 1)) && place.includes(".")));
}

/** An attribute, or a variable of an outer function, that something else in the module may set. */
function isChangedElsewhere(facts: ModuleFacts, value: Value, leaf: ValueId): boolean {
  if (value.kind === "name") {
    const binding = facts.bindings[value.binding];
    return binding === undefined || binding.rebound === true || binding.values.length > 1 || binding.kind === "import";
  }
  if (value.kind !== "member" || value.property === null) return true;
  const place = placeOf(facts, leaf)?.split(".") ?? [];
  const object = facts.values[bare(facts, value.object)];
  // What lies further inside, such as the size of a list, changes with the object.
  return object?.kind !== "self" && (place[0] !== "self" || place.length > 2) ? true : isAttributeChanged(facts, value.property);
}

/** An attribute that is given more than one value, or holds something that may change by itself: a list, an object. */
function isAttributeChanged(facts: ModuleFacts, property: string): boolean {
  const values = facts.classes.map(({ attributes }) => (Object.hasOwn(attributes, property) ? attributes[property] ?? [] : []));
  // What no class of the file keeps is worked out, or kept by a class that it is derived from.
  return values.every((each) => each.length === 0) || values.some((each) => each.length > 1 || each.some((id) => CHANGING.has(facts.values[bare(facts, id)]?.kind ?? "")));
}

const CHANGING: ReadonlySet<string> = new Set<Value["kind"]>(["table", "list", "call", "comprehension"]);
