import { occurrencesOf } from "@agentgate/parsers";
import type { BindingId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { onceFor } from "./indexes.ts";
import { statementsIn } from "./statements.ts";

export interface MemberWrite {
  readonly target: ValueId;
  readonly statement: Extract<Statement, { kind: "assign" }>;
}

interface Consumers {
  /** The statement that takes a value as a whole. */
  readonly statements: ReadonlyMap<ValueId, Statement>;
  /** Values that are assigned to. */
  readonly targets: ReadonlySet<ValueId>;
  readonly writes: readonly MemberWrite[];
}

const consumersOf = onceFor((facts): Consumers => {
  const statements = new Map<ValueId, Statement>();
  const targets = new Set<ValueId>();
  const writes: MemberWrite[] = [];
  for (const { body } of facts.functions) {
    for (const statement of statementsIn(body)) {
      for (const value of takenBy(statement)) statements.set(value, statement);
      if (statement.kind === "assign" || statement.kind === "loop") statement.targets.forEach((target) => targets.add(target));
      if (statement.kind === "assign") for (const target of statement.targets) if (facts.values[target]?.kind === "member") writes.push({ target, statement });
    }
  }
  return { statements, targets, writes };
});

function takenBy(statement: Statement): readonly ValueId[] {
  switch (statement.kind) {
    case "assign":
    case "expression":
      return [statement.value];
    case "return":
    case "jump":
      return statement.value === null ? [] : [statement.value];
    case "test":
      return [statement.test];
    case "loop":
      return [statement.test, statement.iterable].filter((value) => value !== null);
    case "with":
      return statement.items;
    default:
      return [];
  }
}

/** The statement that takes a value as a whole: assigns, returns, tests or drops it. Undefined inside an expression. */
export function consumerOf(facts: ModuleFacts, id: ValueId): Statement | undefined {
  return consumersOf(facts).statements.get(id);
}

/** The members that an assignment writes to, with what it writes. */
export function memberWrites(facts: ModuleFacts): readonly MemberWrite[] {
  return consumersOf(facts).writes;
}

/** The reads of a binding: its occurrences that are not assigned to. */
export function readsOf(facts: ModuleFacts, binding: BindingId): readonly ValueId[] {
  const { targets } = consumersOf(facts);
  return occurrencesOf(facts, binding).filter((occurrence) => !targets.has(occurrence));
}
