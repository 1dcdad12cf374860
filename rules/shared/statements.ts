import type { CallId, FunctionId, ModuleFacts, Statement } from "@agentgate/parsers";
import { onceFor } from "./indexes.ts";

type Body = readonly Statement[];

/** The statement lists directly inside a statement, in source order. */
export function bodiesOf(statement: Statement): readonly Body[] {
  switch (statement.kind) {
    case "test":
      return [statement.then, statement.else];
    case "loop":
      return [statement.before, statement.body, statement.update, statement.otherwise];
    case "try":
      return [statement.body, ...statement.handlers.map((handler) => handler.body), statement.otherwise, statement.finally];
    case "with":
    case "block":
      return [statement.body];
    default:
      return [];
  }
}

/** Where a statement stands: its list, its index there, and the statement whose list it is. */
export interface Place {
  readonly body: Body;
  readonly index: number;
  readonly above: Place | null;
}

const placesByFacts = onceFor(() => new Map<FunctionId, ReadonlyMap<CallId, Place>>());

/** Where each call of a function is evaluated. Walks with a stack of its own, so nesting costs no call stack. */
export function callPlaces(facts: ModuleFacts, id: FunctionId): ReadonlyMap<CallId, Place> {
  const byFunction = placesByFacts(facts);
  const known = byFunction.get(id);
  if (known !== undefined) return known;
  const places = new Map<CallId, Place>();
  const pending: { readonly body: Body; readonly above: Place | null }[] = [{ body: facts.functions[id]?.body ?? [], above: null }];
  while (pending.length > 0) {
    const { body, above } = pending.pop()!;
    body.forEach((statement, index) => {
      const place = { body, index, above };
      if (statement.kind === "call") places.set(statement.call, place);
      for (const inner of bodiesOf(statement)) if (inner.length > 0) pending.push({ body: inner, above: place });
    });
  }
  byFunction.set(id, places);
  return places;
}

/** A test that a call stands in a branch of, and whether in the one that is taken where it holds. */
export interface TestAround {
  readonly statement: Extract<Statement, { kind: "test" }>;
  readonly outcome: boolean;
}

/** The tests in whose branches a call stands inside its own function, the innermost first. */
export function testsAround(facts: ModuleFacts, call: CallId): readonly TestAround[] {
  const found: TestAround[] = [];
  for (let at = callPlaces(facts, facts.calls[call]!.function).get(call) ?? null; at !== null; at = at.above) {
    const above = at.above?.body[at.above.index];
    if (above?.kind === "test") found.push({ statement: above, outcome: above.then === at.body });
  }
  return found;
}

/** Every statement of a body, nested ones too, functions and classes defined in it left out. */
export function statementsIn(body: Body): readonly Statement[] {
  const found: Statement[] = [];
  const pending: Body[] = [body];
  while (pending.length > 0) {
    for (const statement of pending.pop()!) {
      found.push(statement);
      if (NESTING.has(statement.kind)) pending.push(...bodiesOf(statement));
    }
  }
  return found;
}

const NESTING = new Set<Statement["kind"]>(["test", "loop", "try", "with", "block"]);

/**
 * Whether running the list always leaves it for good: on every branch it ends in return, raise, break or continue, or in
 * what is known to end it.
 */
export function alwaysLeaves(body: Body, isEnd: (last: Statement) => boolean = () => false): boolean {
  const pending: Body[] = [body];
  for (let steps = 0; pending.length > 0; steps++) {
    const last = pending.pop()!.at(-1);
    if (last === undefined || steps > 1000) return false;
    if (last.kind === "test") pending.push(last.then, last.else);
    else if (last.kind === "block" || last.kind === "with") pending.push(last.body);
    else if (last.kind !== "return" && last.kind !== "jump" && !isEnd(last)) return false;
  }
  return true;
}
