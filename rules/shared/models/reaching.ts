import type { BindingId, FunctionId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { onceFor } from "../indexes.ts";
import { bodiesOf, statementsIn } from "../statements.ts";
import { statementAround } from "./statement.ts";

type Body = readonly Statement[];

/** Where a statement stands, the innermost list first. */
interface Level {
  readonly body: Body;
  readonly index: number;
}

const narrowedByName = onceFor(() => new Map<ValueId, readonly ValueId[] | null>());

/**
 * What a name can stand for where it is read, if that is less than all it is ever given: what the nearest assignment
 * gives that always ran before, and those between. Null where all of it may reach.
 */
export function valuesReaching(facts: ModuleFacts, id: ValueId): readonly ValueId[] | null {
  const value = facts.values[id];
  if (value?.kind !== "name" || (facts.bindings[value.binding]?.values.length ?? 0) < 2) return null;
  const known = narrowedByName(facts);
  let narrowed = known.get(id);
  if (narrowed === undefined) known.set(id, (narrowed = narrowedAt(facts, id, value.binding)));
  return narrowed;
}

function narrowedAt(facts: ModuleFacts, id: ValueId, binding: BindingId): readonly ValueId[] | null {
  const { scope, values, kind } = facts.bindings[binding]!;
  const owner = facts.scopes[scope]?.function;
  const { span } = facts.values[id]!;
  if (owner === undefined || kind !== "variable" || !isReadIn(facts, owner, span[0])) return null;
  const { body } = facts.functions[owner]!;
  const given = assignedIn(facts, body, binding);
  // Loops, unpacking and other functions give it values too, at times that no order of statements tells.
  if (!values.every((value) => given.includes(value)) || given.length !== values.length) return null;
  const found = new Set<ValueId>();
  for (const { body: list, index } of levelsOf(body, statementAround(facts, span[0]))) {
    for (const value of list[index] === undefined ? [] : aroundIn(facts, list[index], binding)) found.add(value);
    for (const statement of list.slice(0, index).toReversed()) {
      const inside = assignedIn(facts, [statement], binding);
      for (const value of inside) found.add(value);
      if (inside.length > 0 && statement.kind === "assign") return [...found];
    }
  }
  return null;
}

/** What the statement around a read may have given before: of a loop an earlier round, of a handler what failed. */
function aroundIn(facts: ModuleFacts, statement: Statement, binding: BindingId): readonly ValueId[] {
  return statement.kind === "loop" || statement.kind === "try" ? assignedIn(facts, [statement], binding) : [];
}

/** Whether the innermost function around an offset is this one. */
function isReadIn(facts: ModuleFacts, owner: FunctionId, offset: number): boolean {
  const [start, end] = facts.functions[owner]!.span;
  return facts.functions.every(({ span }, id) => id === owner || span[0] > offset || offset >= span[1] || (span[0] <= start && end <= span[1]));
}

function assignedIn(facts: ModuleFacts, body: Body, binding: BindingId): readonly ValueId[] {
  return statementsIn(body).flatMap((statement) => {
    if (statement.kind !== "assign" || statement.operator !== "=") return [];
    const isIt = statement.targets.some((target) => {
      const value = facts.values[target];
      return value?.kind === "name" && value.binding === binding;
    });
    return isIt ? [statement.value] : [];
  });
}

/** The lists of statements around the first part of a statement. Walks with a stack of its own. */
function levelsOf(body: Body, at: number): readonly Level[] {
  const pending: { readonly body: Body; readonly above: readonly Level[] }[] = [{ body, above: [] }];
  while (pending.length > 0) {
    const { body: list, above } = pending.pop()!;
    const index = list.findIndex((statement) => statement.at === at);
    if (index >= 0) return [{ body: list, index }, ...above];
    list.forEach((statement, place) => {
      for (const inner of bodiesOf(statement)) if (inner.length > 0) pending.push({ body: inner, above: [{ body: list, index: place }, ...above] });
    });
  }
  return [];
}
