import type { CallId, Statement, ValueId } from "@agentgate/parsers";
import { bodiesOf, statementsIn } from "../statements.ts";
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
