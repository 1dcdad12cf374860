import type { CallId, ModuleFacts, Statement } from "@agentgate/parsers";
import { sourceBindings } from "../expressions.ts";
import { statementsIn } from "../statements.ts";
import { bindingsIn } from "./places.ts";
import type { Loop } from "./places.ts";

/**
 * Whether a loop runs a call again until it succeeds: something after the call leaves the loop, or the loop's test asks
 * for what it gave. A loop that goes through work (its variable is what the call is given) is none, unless it stops at
 * the first success.
 */
export function repeatsUntilDone(facts: ModuleFacts, loop: Loop, call: CallId): boolean {
  if (leavesAfter(facts, loop, call)) return true;
  if (goesThroughWork(facts, loop, call)) return false;
  return testChangesInside(facts, loop);
}

/** A `return` or `break` that is reached only when the call did not fail. */
function leavesAfter(facts: ModuleFacts, loop: Loop, call: CallId): boolean {
  const { statement } = facts.calls[call]!;
  const after = statementsOutsideHandlers(loop.body);
  const end = facts.statements[statement]?.[0] ?? 0;
  return after.some((each) => {
    if (each.kind !== "return" && !(each.kind === "jump" && each.to === "break")) return false;
    return each.at === statement || (facts.statements[each.at]?.[0] ?? 0) >= end;
  });
}

/** Statements of a body, those of handlers and of inner loops' own `break` left out. */
function statementsOutsideHandlers(body: readonly Statement[]): readonly Statement[] {
  const found: Statement[] = [];
  const pending: { readonly body: readonly Statement[]; readonly inner: boolean }[] = [{ body, inner: false }];
  while (pending.length > 0) {
    const next = pending.pop()!;
    for (const statement of next.body) {
      if (!(next.inner && statement.kind === "jump" && statement.to === "break" && statement.label === undefined)) found.push(statement);
      if (statement.kind === "test") pending.push({ body: statement.then, inner: next.inner }, { body: statement.else, inner: next.inner });
      else if (statement.kind === "loop") pending.push({ body: statement.body, inner: true });
      else if (statement.kind === "with" || statement.kind === "block") pending.push({ body: statement.body, inner: next.inner });
      else if (statement.kind === "try") for (const part of [statement.body, statement.otherwise, statement.finally]) pending.push({ body: part, inner: next.inner });
    }
  }
  return found;
}

/** What the call is given comes from the loop: an item, or something fetched in each round. */
function goesThroughWork(facts: ModuleFacts, loop: Loop, call: CallId): boolean {
  const items = bindingsIn(facts, loop.form === "count" ? targetsOf(loop.before) : loop.targets);
  if (items.size === 0 && loop.form !== "while") return false;
  const fetched = loop.form === "while" ? bindingsIn(facts, targetsOf(loop.body)) : items;
  const tested = loop.form === "while" && loop.test !== null ? sourceBindings(facts, loop.test) : items;
  const entry = facts.calls[call]!;
  return [entry.callee, ...entry.arguments.map((argument) => argument.value)].some((id) => {
    for (const binding of sourceBindings(facts, id)) if (items.has(binding) || (tested.has(binding) && fetched.has(binding)) || (fetched.has(binding) && isFetched(facts, binding))) return true;
    return false;
  });
}

/** Names that hold a source's next item: `message = queue.get()`. */
function isFetched(facts: ModuleFacts, binding: number): boolean {
  return facts.bindings[binding]!.values.some((id) => {
    const value = facts.values[id];
    return value?.kind === "item" || value?.kind === "await" || (value?.kind === "call" && facts.calls[value.call]!.arguments.length === 0);
  });
}

function targetsOf(body: readonly Statement[]): readonly number[] {
  return statementsIn(body).flatMap((statement) => (statement.kind === "assign" ? statement.targets : []));
}

function testChangesInside(facts: ModuleFacts, loop: Loop): boolean {
  if (loop.form === "each" || loop.test === null) return false;
  const changed = bindingsIn(facts, targetsOf(loop.body));
  for (const binding of sourceBindings(facts, loop.test)) if (changed.has(binding)) return loop.form !== "count";
  return false;
}
