import type { BindingId, FunctionId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { onceFor } from "../indexes.ts";
import { bare } from "../expressions.ts";
import { alwaysLeaves, bodiesOf, statementsIn } from "../statements.ts";
import { errorFlags } from "./flags.ts";
import { tellsFailure } from "./words.ts";

type Body = readonly Statement[];
type Loop = Extract<Statement, { kind: "loop" }>;

/** What runs when something failed. */
export interface ErrorPath {
  readonly function: FunctionId;
  /** What was tried: the body of the `try`, or the statements before the test. */
  readonly tried: readonly Statement[];
  /** What runs because of the failure. */
  readonly body: readonly Statement[];
  /** What runs afterwards, too: behind the handler, where that goes on. */
  readonly later: readonly Statement[];
  /** The loop that goes round again after the failure. */
  readonly loop: Loop | null;
  /** Of a test, the names that hold the response which it asks. */
  readonly response: ReadonlySet<BindingId> | null;
  /** The test only asks whether anything came back: `if result is None`. */
  readonly empty?: true;
}

interface Level {
  readonly body: Body;
  readonly index: number;
  readonly above: Level | null;
}

const MOST_STATEMENTS = 400;

/** Every error path of the file: handlers, and branches of tests for a response that failed. */
export const errorPaths = onceFor((facts): readonly ErrorPath[] => facts.functions.flatMap(({ body }, id) => pathsIn(facts, id, body)));

function pathsIn(facts: ModuleFacts, id: FunctionId, whole: Body): ErrorPath[] {
  const paths: ErrorPath[] = [];
  const pending: { readonly body: Body; readonly above: Level | null }[] = [{ body: whole, above: null }];
  while (pending.length > 0) {
    const { body, above } = pending.pop()!;
    body.forEach((statement, index) => {
      const level = { body, index, above };
      if (statement.kind === "try") paths.push(...ofHandlers(id, statement, level));
      else if (statement.kind === "test") paths.push(...ofTest(facts, id, statement, level));
      for (const inner of bodiesOf(statement)) if (inner.length > 0) pending.push({ body: inner, above: level });
    });
  }
  return paths;
}

function ofHandlers(id: FunctionId, statement: Extract<Statement, { kind: "try" }>, level: Level): ErrorPath[] {
  const tried = cut(statement.body);
  return statement.handlers.map((handler): ErrorPath => {
    const goesOn = !leaves(handler.body);
    const { rest, loop } = following(level);
    // Behind a `try` that returned, only a failure arrives.
    const onlyFailed = goesOn && alwaysLeaves([...statement.body, ...statement.otherwise]);
    const round = goesOn || goesRound(handler.body) ? loop ?? innermostLoop(level) : null;
    return {
      function: id, tried, body: [...cut(handler.body), ...(onlyFailed ? cut(rest) : [])],
      later: goesOn ? cut(rest) : [], loop: round, response: null,
    };
  });
}

function ofTest(facts: ModuleFacts, id: FunctionId, statement: Extract<Statement, { kind: "test" }>, level: Level): ErrorPath[] {
  const flagged = ofFlag(facts, id, statement, level);
  if (flagged !== null) return [flagged];
  const asked = askedResponse(facts, statement.test);
  if (asked === null) return [];
  const branch = asked.failed ? statement.then : statement.else;
  const other = asked.failed ? statement.else : statement.then;
  const tried = cut(before(level));
  const { rest, loop } = following(level);
  const behind = alwaysLeaves(other) && other.length > 0 ? rest : [];
  const goesOn = !leaves(branch);
  const round = goesOn || goesRound(branch) ? loop ?? innermostLoop(level) : null;
  return [{ function: id, tried, body: [...cut(branch), ...cut(behind)], later: goesOn ? cut(rest) : [], loop: round, response: asked.response, ...(asked.empty === true && { empty: true }) }];
}

/** A test of a name that only an error makes true: `if is_down`. */
function ofFlag(facts: ModuleFacts, id: FunctionId, statement: Extract<Statement, { kind: "test" }>, level: Level): ErrorPath | null {
  const asked = askedFlag(facts, statement.test);
  const flag = asked === null ? undefined : errorFlags(facts).get(asked.binding);
  if (asked === null || flag?.function !== id) return null;
  const [branch, other] = asked.failed ? [statement.then, statement.else] : [statement.else, statement.then];
  const { rest, loop } = following(level);
  const behind = alwaysLeaves(other) && other.length > 0 ? rest : [];
  const goesOn = !leaves(branch);
  return {
    function: id, tried: flag.tried, body: [...cut(branch), ...cut(behind)], later: goesOn ? cut(rest) : [],
    loop: goesOn || goesRound(branch) ? loop ?? innermostLoop(level) : null, response: null,
  };
}

/** The name that a test asks, and whether it holds where that is set. */
function askedFlag(facts: ModuleFacts, test: ValueId): { readonly binding: BindingId; readonly failed: boolean } | null {
  let id = bare(facts, test);
  let failed = true;
  for (let step = 0; step < 8; step++) {
    const value = facts.values[id];
    if (value?.kind === "name") return value.binding < 0 ? null : { binding: value.binding, failed };
    if (value?.kind === "unary" && value.operator === "not") [id, failed] = [bare(facts, value.value), !failed];
    else if (value?.kind === "binary" && NOTHING_TESTS.has(value.operator) && isNothing(facts, value.right)) [id, failed] = [bare(facts, value.left), NOTHING_TESTS.get(value.operator) === failed];
    else return null;
  }
  return null;
}

/** By the operator whether the flag is set where a comparison with nothing holds. */
const NOTHING_TESTS: ReadonlyMap<string, boolean> = new Map([["is", false], ["==", false], ["is not", true], ["!=", true]]);

function isNothing(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "constant" && value.value === null;
}

function cut(body: Body): readonly Statement[] {
  return statementsIn(body).slice(0, MOST_STATEMENTS);
}

/** Leaves what is around it for good; `continue` only goes round. */
function leaves(body: Body): boolean {
  return alwaysLeaves(body);
}

function goesRound(body: Body): boolean {
  const last = body.at(-1);
  return last?.kind === "jump" && last.to === "continue";
}

/** What runs behind a statement, up to the end of the function or of the loop around it. */
function following(level: Level): { readonly rest: Body; readonly loop: Loop | null } {
  const rest: Statement[] = [];
  for (let current: Level | null = level; current !== null; current = current.above) {
    rest.push(...current.body.slice(current.index + 1));
    const above = current.above?.body[current.above.index];
    if (above?.kind === "loop") return { rest, loop: above };
    if (alwaysLeaves(rest)) return { rest, loop: null };
  }
  return { rest, loop: null };
}

function innermostLoop(level: Level): Loop | null {
  for (let current = level.above; current !== null; current = current.above) {
    const statement = current.body[current.index];
    if (statement?.kind === "loop") return statement;
  }
  return null;
}

function before(level: Level): Body {
  const found: Statement[] = [];
  for (let current: Level | null = level; current !== null; current = current.above) found.push(...current.body.slice(Math.max(0, current.index - 12), current.index));
  return found;
}

const MOST_PARTS = 24;

/** Whether a test asks a response if it failed, and in which branch it did. */
function askedResponse(facts: ModuleFacts, test: ValueId): { readonly response: ReadonlySet<BindingId>; readonly failed: boolean; readonly empty?: true } | null {
  const pending: { readonly id: ValueId; readonly outcome: boolean }[] = [{ id: test, outcome: true }];
  for (let steps = 0; pending.length > 0 && steps < MOST_PARTS; steps++) {
    const { id, outcome } = pending.shift()!;
    const value = facts.values[bare(facts, id)];
    if (value?.kind === "unary" && value.operator === "not") pending.push({ id: value.value, outcome: !outcome });
    else if (value?.kind === "logical") pending.push({ id: value.left, outcome }, { id: value.right, outcome });
    else {
      const told = value === undefined ? null : toldBy(facts, id);
      if (told !== null) return { response: holdersOf(facts, told.object), failed: told.failed === outcome };
      const asked = value === undefined ? null : askedForNothing(facts, bare(facts, id));
      if (asked !== null) return { response: new Set([asked.binding]), failed: asked.failed === outcome, empty: true };
    }
  }
  return null;
}

/** The name at the head of what is asked: `result` of `result.response`. */
function holdersOf(facts: ModuleFacts, object: ValueId): ReadonlySet<BindingId> {
  let value = facts.values[bare(facts, object)];
  for (let step = 0; value?.kind === "member" && step < 16; step++) value = facts.values[bare(facts, value.object)];
  return new Set(value?.kind === "name" && value.binding >= 0 ? [value.binding] : []);
}

/** `result`, `result is None`, `result !== null`: whether there is something, of a name that a call gave. */
function askedForNothing(facts: ModuleFacts, id: ValueId): { readonly binding: BindingId; readonly failed: boolean } | null {
  const value = facts.values[id];
  if (value?.kind === "name") return isGivenByCall(facts, value.binding) ? { binding: value.binding, failed: false } : null;
  if (value?.kind !== "binary") return null;
  const [left, right] = [facts.values[bare(facts, value.left)], facts.values[bare(facts, value.right)]];
  if (left?.kind !== "name" || right?.kind !== "constant" || right.value !== null || !isGivenByCall(facts, left.binding)) return null;
  if (value.operator === "is" || value.operator === "==") return { binding: left.binding, failed: true };
  return value.operator === "is not" || value.operator === "!=" ? { binding: left.binding, failed: false } : null;
}

function isGivenByCall(facts: ModuleFacts, binding: BindingId): boolean {
  const values = facts.bindings[binding]?.values ?? [];
  return values.length > 0 && values.length < 16 && values.some((given) => isMadeByCall(facts, given));
}

function isMadeByCall(facts: ModuleFacts, id: ValueId): boolean {
  let value = facts.values[bare(facts, id)];
  for (let step = 0; value?.kind === "member" && step < 12; step++) value = facts.values[bare(facts, value.object)];
  return value?.kind === "call";
}

/** `response.ok`, `response.status_code >= 500`, `response is None`: whether it holds where the response failed. */
function toldBy(facts: ModuleFacts, id: ValueId): { readonly object: ValueId; readonly failed: boolean } | null {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "member" && value.property !== null && tellsFailure(value.property)) {
    return { object: value.object, failed: /error|failed/i.test(value.property) };
  }
  if (value?.kind !== "binary") return null;
  const left = facts.values[bare(facts, value.left)];
  if (left?.kind !== "member" || left.property === null || !/status|code/i.test(left.property)) return null;
  const right = facts.values[bare(facts, value.right)];
  const number = right?.kind === "number" ? right.value : null;
  const { operator } = value;
  if (operator === "in" && number === null) return { object: left.object, failed: true };
  if (number === null) return null;
  // Below 400 it is a redirect, not a failure.
  if (operator === ">=" || operator === ">") return number < 399 ? null : { object: left.object, failed: true };
  if (operator === "<" || operator === "<=") return { object: left.object, failed: false };
  const isGood = number < 400;
  if (operator === "==") return { object: left.object, failed: !isGood };
  return operator === "!=" ? { object: left.object, failed: isGood } : null;
}
