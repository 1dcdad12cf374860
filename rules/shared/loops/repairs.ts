import type { CallId, Handler, ModuleFacts, Statement, Value, ValueId } from "@agentgate/parsers";
import { bare, callsApi, someIngredient } from "../expressions.ts";
import { statementsIn } from "../statements.ts";
import { isGiven } from "./given.ts";
import { leavesForGood } from "./process-ends.ts";
import { movesOf } from "./moves.ts";
import type { Move } from "./moves.ts";
import { calledName, placeOf } from "./places.ts";
import { LOOPS } from "./vocabulary.ts";
import { wordsOf } from "./words.ts";

/** What an error says: words of its name or text, and its codes. */
interface Told {
  readonly phrases: readonly string[];
  readonly codes: ReadonlySet<string>;
  /** Words that turn the meaning round. */
  readonly denied: string | null;
}

const TAKEN: Told = { phrases: LOOPS.taken.phrases, codes: new Set(LOOPS.taken.codes), denied: "not exists" };
const MISSING: Told = { phrases: LOOPS.missing.phrases, codes: new Set(LOOPS.missing.codes), denied: null };

/**
 * Whether a handler does something about an error that says what was wrong, so that the repeat is another one and comes
 * to its end: a name that was taken is given up for the next one, in the handler or where the round makes it, and what was
 * missing is made. Nothing was carried out.
 */
export function isRepaired(facts: ModuleFacts, handler: Handler, tried: readonly CallId[], round: readonly Statement[]): boolean {
  if (isOnlyFor(facts, handler, TAKEN)) return tried.length > 0 && (givesAnother(facts, handler.body, tried) || givesAnother(facts, round, tried));
  return isOnlyFor(facts, handler, MISSING) && makesMissing(facts, handler.body);
}

/** Whether the handler goes on after this kind of error only: by its types, or by what its body asks the error for. */
function isOnlyFor(facts: ModuleFacts, { types, body }: Handler, told: Told): boolean {
  const named = types.flatMap((type) => typesIn(facts, type));
  if (named.length > 0 && named.every((type) => says(facts.values[type], told))) return true;
  return asksFirst(facts, body, told);
}

function typesIn(facts: ModuleFacts, id: ValueId): readonly ValueId[] {
  const value = facts.values[id];
  return value?.kind === "list" ? value.items : [id];
}

/** `if (error.code !== "EEXIST") throw error`, or a branch for the kind with everything beside it leaving. */
function asksFirst(facts: ModuleFacts, body: readonly Statement[], told: Told): boolean {
  return body.some((statement, index) => {
    if (statement.kind !== "test") return false;
    if (saysSo(facts, statement.test, false, told)) return leavesForGood(facts, statement.then);
    if (!saysSo(facts, statement.test, true, told)) return false;
    return leavesForGood(facts, statement.else) || leavesForGood(facts, body.slice(index + 1)) || asksFirst(facts, statement.else, told);
  });
}

/** Whether a test that comes out as `outcome` says that the error is of this kind. */
function saysSo(facts: ModuleFacts, id: ValueId, outcome: boolean, told: Told): boolean {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "unary" && value.operator === "not") return saysSo(facts, value.value, !outcome, told);
  if (value?.kind === "logical") {
    const sides = [value.left, value.right].map((side) => saysSo(facts, side, outcome, told));
    return (value.operator === "and") === outcome ? sides.includes(true) : sides.every(Boolean);
  }
  if (value?.kind === "binary" && !EQUAL.has(value.operator)) return UNEQUAL.has(value.operator) && !outcome && mentions(facts, id, told);
  return outcome && mentions(facts, id, told);
}

const EQUAL: ReadonlySet<string> = new Set(["==", "===", "is", "in", "instanceof"]);
const UNEQUAL: ReadonlySet<string> = new Set(["!=", "!==", "is not", "not in"]);

function mentions(facts: ModuleFacts, id: ValueId, told: Told): boolean {
  return someIngredient(facts, id, (part) => says(part, told), 40);
}

function says(value: Value | undefined, { phrases, codes, denied }: Told): boolean {
  const text = value?.kind === "name" ? value.name : value?.kind === "member" ? value.property : value?.kind === "string" || value?.kind === "number" ? String(value.value) : null;
  if (text === null || text.length > 80) return false;
  if (codes.has(text)) return true;
  const words = ` ${wordsOf(text).join(" ")} `;
  return (denied === null || !words.includes(` ${denied} `)) && phrases.some((phrase) => words.includes(` ${phrase} `));
}

/** Whether the handler gives another value in each round to what all of the calls are given: `slug = next_slug(slug)`. */
function givesAnother(facts: ModuleFacts, body: readonly Statement[], tried: readonly CallId[]): boolean {
  const moves = statementsIn(body).flatMap((statement) => movesOf(facts, statement));
  const changed = new Set<string>();
  for (let before = -1; before < changed.size;) {
    before = changed.size;
    for (const move of moves) if (isAnother(facts, move, changed)) changed.add(move.place);
  }
  const isChanged = (place: string): boolean => [...changed].some((each) => each === place || each.startsWith(`${place}.`));
  return changed.size > 0 && tried.every((call) => isGiven(facts, call, isChanged, () => true));
}

/** A step from what it was, or something made by chance, from the next item, or from what has changed itself. A fixed other name is the same each time. */
function isAnother(facts: ModuleFacts, { place, how, value }: Move, changed: ReadonlySet<string>): boolean {
  if (how === "up" || how === "down" || how === "any") return true;
  if (value === undefined || how === "constant") return false;
  return someIngredient(facts, value, (part, id) => {
    if (part.kind === "call") return isFresh(facts, part.call);
    if (part.kind !== "name" && part.kind !== "member") return false;
    const from = placeOf(facts, id);
    return from !== null && (from === place ? how === "given" || how === "grows" : changed.has(from));
  }, 40);
}

/** A call that is given nothing answers by chance, a clock or a state of its own. */
function isFresh(facts: ModuleFacts, id: CallId): boolean {
  const call = facts.calls[id]!;
  return call.arguments.length === 0 || callsApi(call, LOOPS.random.apis) || calledName(facts, call) === "next";
}

const MAKES = new Set(LOOPS.missing.makes);

/** Whether the handler makes something, and an error of that does not go round in silence. */
function makesMissing(facts: ModuleFacts, body: readonly Statement[]): boolean {
  const swallowed = new Set(statementsIn(body).flatMap((statement) => (statement.kind !== "try" || statement.handlers.every((handler) => leavesForGood(facts, handler.body) || isOnlyFor(facts, handler, TAKEN)) ? [] : statementsIn(statement.body))));
  return statementsIn(body).some((statement) => statement.kind === "call" && !swallowed.has(statement) && MAKES.has(wordsOf(calledName(facts, facts.calls[statement.call]!))[0] ?? ""));
}
