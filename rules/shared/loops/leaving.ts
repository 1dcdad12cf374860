import type { CallId, Statement, ValueId } from "@agentgate/parsers";
import { alwaysLeaves, bodiesOf, statementsIn } from "../statements.ts";
import type { Atoms } from "./atoms.ts";
import type { Cases } from "./conditions.ts";
import type { Repetition } from "./witnesses.ts";

type Body = readonly Statement[];

/** How tests and calls are read: what each outcome of a test, and coming past a call, makes sure of, and which bodies leave for good. */
interface Reader {
  readonly leaves: (body: Body) => boolean;
  readonly casesAt: (test: ValueId) => readonly [Cases, Cases];
  readonly passed: (call: CallId) => Atoms;
}

/** The keys of what the tests that leave ask for: what a test only decides on the way is no bound. */
export function leavingKeys(what: Repetition, { leaves, casesAt, passed }: Reader): ReadonlySet<string> {
  const keys = new Set<string>();
  const note = (cases: Cases): void => { for (const atoms of cases) for (const key of atoms.keys()) keys.add(key); };
  if (what.loop?.test != null) note(casesAt(what.loop.test)[0]);
  const pending = [{ body: what.body, isInner: false }];
  while (pending.length > 0) {
    const { body, isInner } = pending.pop()!;
    for (const statement of body) {
      if (statement.kind === "call") note([passed(statement.call)]);
      if (statement.kind === "test") {
        const [held, failed] = casesAt(statement.test);
        const leavesFrom = (branch: Body): boolean => leaves(branch) && !((isInner || what.loop === null) && isBreak(branch.at(-1)));
        if (ends(what, statement.then, statement.else, leavesFrom)) note(failed);
        if (ends(what, statement.else, statement.then, leavesFrom)) note(held);
      }
      for (const each of bodiesOf(statement)) pending.push({ body: each, isInner: isInner || statement.kind === "loop" });
    }
  }
  return keys;
}

/** Whether a branch of a test is one by which no further round comes. */
function ends(what: Repetition, branch: Body, other: Body, leavesFrom: (body: Body) => boolean): boolean {
  if (what.loop !== null) return leavesFrom(branch);
  if (comesBack(what, branch)) return false;
  return leavesFrom(branch) || comesBack(what, other);
}

/** Whether a function calls itself, or sets its timer, in a branch. */
function comesBack({ again }: Repetition, body: Body): boolean {
  return statementsIn(body).some((statement) => statement.kind === "call" && again.has(statement.call));
}

/** In a loop inside, or in a function, a `break` leaves that loop only. */
function isBreak(last: Statement | undefined): boolean {
  return last?.kind === "jump" && last.to === "break" && last.label === undefined;
}

/** Tests by the outcome after which no further round comes. */
export interface LeavingTests {
  readonly held: ReadonlySet<ValueId>;
  readonly failed: ReadonlySet<ValueId>;
}

/** The tests that leave by one of their outcomes, at once or by what stands after them. Those of a loop inside leave that one. */
export function leavingTests(what: Repetition, leaves: (body: Body) => boolean): LeavingTests {
  const held = new Set<ValueId>();
  const failed = new Set<ValueId>(what.loop?.test == null ? [] : [what.loop.test]);
  const pending: Body[] = [what.body];
  while (pending.length > 0) {
    const body = pending.pop()!;
    body.forEach((statement, index) => {
      if (statement.kind === "loop") return;
      pending.push(...bodiesOf(statement));
      if (statement.kind !== "test") return;
      const rest = body.slice(index + 1);
      const isLeft = (branch: Body): boolean => !comesBack(what, branch) && (leaves(branch) || (!alwaysLeaves(branch) && leaves(rest) && !comesBack(what, rest)));
      if (isLeft(statement.then)) held.add(statement.test);
      if (isLeft(statement.else)) failed.add(statement.test);
    });
  }
  return { held, failed };
}
