import type { ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { bare, childrenOf } from "../expressions.ts";
import { alwaysLeaves, bodiesOf, statementsIn } from "../statements.ts";
import { placeOf } from "./places.ts";
import type { LoopSite } from "./sites.ts";

/** So many parts of an expression are looked at. */
const MOST_PARTS = 20;

/** The two ends that a loop holds against each other, and whether they may be equal in a round. */
interface Ends {
  readonly low: string;
  readonly high: string;
  readonly meet: boolean;
}

/**
 * Whether a loop looks for a place between two ends and halves the way: `while left < right`, the middle made of both,
 * and on each way round an end set to the middle or past it.
 */
export function isHalving(facts: ModuleFacts, { loop, inside }: LoopSite): boolean {
  const ends = loop.test === null ? null : endsOf(facts, loop.test);
  if (ends === null || loop.form !== "while") return false;
  const made = inside.flatMap((statement) => (statement.kind === "assign" && statement.targets.length === 1 && isMiddle(facts, statement.value, ends) ? [placeOf(facts, statement.targets[0]!)] : []));
  const [middle] = made;
  if (middle === undefined || middle === null || made.some((each) => each !== middle)) return false;
  const written = inside.filter((statement) => isWritten(facts, statement, [ends.low, ends.high]));
  return written.every((statement) => isPastMiddle(facts, statement, ends, middle)) && surely(facts, loop.body, ends);
}

function endsOf(facts: ModuleFacts, test: ValueId): Ends | null {
  const value = facts.values[bare(facts, test)];
  if (value?.kind !== "binary" || !/^[<>]=?$/.test(value.operator)) return null;
  const [left, right] = [placeOf(facts, value.left), placeOf(facts, value.right)];
  if (left === null || right === null || left === right) return null;
  const meet = value.operator.endsWith("=");
  return value.operator.startsWith("<") ? { low: left, high: right, meet } : { low: right, high: left, meet };
}

/** `(left + right) // 2`, `Math.floor(left + (right - left) / 2)`, `(left + right) >> 1`. */
function isMiddle(facts: ModuleFacts, id: ValueId, { low, high }: Ends): boolean {
  const named = new Set<string>();
  let halves = false;
  const pending = [id];
  for (let step = 0; pending.length > 0 && step < MOST_PARTS; step++) {
    const at = pending.pop()!;
    const value = facts.values[bare(facts, at)];
    if (value === undefined) continue;
    named.add(placeOf(facts, at) ?? "");
    if (value.kind === "binary" && /^(?:\/\/?|>>>?)$/.test(value.operator)) halves ||= isNumber(facts, value.right, value.operator.startsWith("/") ? 2 : 1);
    pending.push(...childrenOf(facts, value));
  }
  return halves && named.has(low) && named.has(high);
}

function isNumber(facts: ModuleFacts, id: ValueId, wanted: number): boolean {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "number" && value.value === wanted;
}

function isWritten(facts: ModuleFacts, statement: Statement, places: readonly string[]): boolean {
  return statement.kind === "assign" && statement.targets.some((target) => places.includes(placeOf(facts, target) ?? ""));
}

/** The lower end goes past the middle, which may be itself; the upper one past it too where the ends may be equal. */
function isPastMiddle(facts: ModuleFacts, statement: Statement, { low, meet }: Ends, middle: string): boolean {
  if (statement.kind !== "assign" || statement.operator !== "=" || statement.targets.length !== 1) return false;
  const isLow = placeOf(facts, statement.targets[0]!) === low;
  const value = facts.values[bare(facts, statement.value)];
  if (value?.kind === "binary") return value.operator === (isLow ? "+" : "-") && placeOf(facts, value.left) === middle && isNumber(facts, value.right, 1);
  return !isLow && !meet && placeOf(facts, statement.value) === middle;
}

/** Whether each way through the statements that comes to the next round moves an end. */
function surely(facts: ModuleFacts, body: readonly Statement[], ends: Ends): boolean {
  for (const statement of body) {
    if (isWritten(facts, statement, [ends.low, ends.high])) return true;
    const branches = statement.kind === "test" ? [statement.then, statement.else]
      : statement.kind === "try" ? [statement.body, ...statement.handlers.map((handler) => handler.body)]
        : statement.kind === "block" || statement.kind === "with" ? [statement.body] : [];
    if (branches.length > 0 && branches.every((branch) => (alwaysLeaves(branch) && !goesOn(branch)) || surely(facts, branch, ends))) return true;
    if (bodiesOf(statement).some((each) => goesOn(each))) return false;
  }
  return false;
}

function goesOn(body: readonly Statement[]): boolean {
  return statementsIn(body).some((statement) => statement.kind === "jump" && statement.to === "continue");
}
