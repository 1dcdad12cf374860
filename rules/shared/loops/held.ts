import type { CallId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import { bodiesOf, statementsIn } from "../statements.ts";
import { movesOf } from "./moves.ts";
import { placeOf } from "./places.ts";

type Test = Extract<Statement, { kind: "test" }>;

/** So many tests around a call are read. */
const MOST_TESTS = 40;

/**
 * Places that hold something wherever a call stands, because the branches around it are only entered then:
 * `if found: return main(argv, found)`. One that the branch itself gives another value is left out.
 */
export function heldAt(facts: ModuleFacts, body: readonly Statement[], call: CallId): ReadonlySet<string> {
  const held = new Set<string>();
  for (const { test, branch, outcome } of testsAround(body, call)) {
    const places = truthyPlaces(facts, test.test, outcome);
    if (places.length === 0) continue;
    const changed = new Set(statementsIn(branch).flatMap((statement) => movesOf(facts, statement).map(({ place }) => place)));
    for (const place of places) if (!changed.has(place)) held.add(place);
  }
  return held;
}

interface Around {
  readonly test: Test;
  readonly branch: readonly Statement[];
  readonly outcome: boolean;
}

function testsAround(body: readonly Statement[], call: CallId): Around[] {
  const found: Around[] = [];
  let current: readonly Statement[] | null = body;
  while (current !== null && found.length < MOST_TESTS) {
    let inner: readonly Statement[] | null = null;
    for (const statement of current) {
      if (statement.kind === "call") continue;
      inner = bodiesOf(statement).find((each) => holds(each, call)) ?? null;
      if (inner === null) continue;
      if (statement.kind === "test") found.push({ test: statement, branch: inner, outcome: inner === statement.then });
      break;
    }
    current = inner;
  }
  return found;
}

function holds(body: readonly Statement[], call: CallId): boolean {
  return statementsIn(body).some((statement) => statement.kind === "call" && statement.call === call);
}

/** Places that hold something where a test comes out as `outcome`. */
function truthyPlaces(facts: ModuleFacts, test: ValueId, outcome: boolean): string[] {
  const places: string[] = [];
  const pending: (readonly [ValueId, boolean])[] = [[test, outcome]];
  for (let steps = 0; pending.length > 0 && steps < 32; steps++) {
    const [current, wanted] = pending.pop()!;
    const id = bare(facts, current);
    const value = facts.values[id];
    if (value?.kind === "unary" && value.operator === "not") pending.push([value.value, !wanted]);
    else if (value?.kind === "logical" && (value.operator === "and") === wanted) pending.push([value.left, wanted], [value.right, wanted]);
    else if (wanted) {
      const place = placeOf(facts, id);
      if (place !== null) places.push(place);
    }
  }
  return places;
}
