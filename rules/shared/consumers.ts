import { occurrencesOf } from "@agentgate/parsers";
import type { BindingId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { onceFor } from "./indexes.ts";
import { partsOf } from "./parts.ts";
import { statementsIn } from "./statements.ts";

export interface MemberWrite {
  readonly target: ValueId;
  readonly statement: Extract<Statement, { kind: "assign" }>;
}

interface Consumers {
  /** The statement that takes a value as a whole. */
  readonly statements: readonly (Statement | undefined)[];
  /** By value: 1 where it is assigned to. */
  readonly targets: Uint8Array;
  readonly writes: readonly MemberWrite[];
}

const consumersOf = onceFor((facts): Consumers => {
  const statements = new Array<Statement | undefined>(facts.values.length).fill(undefined);
  const targets = new Uint8Array(facts.values.length);
  const writes: MemberWrite[] = [];
  for (const { body } of facts.functions) {
    for (const statement of statementsIn(body)) {
      for (const value of takenBy(statement)) statements[value] = statement;
      if (statement.kind === "assign" || statement.kind === "loop") for (const target of statement.targets) for (const part of [target, ...partsOf(facts, target)]) targets[part] = 1;
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
  return consumersOf(facts).statements[id];
}

/** The members that an assignment writes to, with what it writes. */
export function memberWrites(facts: ModuleFacts): readonly MemberWrite[] {
  return consumersOf(facts).writes;
}

/** Where a binding stands beside its own declaration, also where it is assigned to. */
export function usesOf(facts: ModuleFacts, binding: BindingId): readonly ValueId[] {
  const [declared] = facts.bindings[binding]!.span;
  return occurrencesOf(facts, binding).filter((occurrence) => facts.values[occurrence]!.span[0] !== declared);
}

/** The reads of a binding: its occurrences that are not assigned to. */
export function readsOf(facts: ModuleFacts, binding: BindingId): readonly ValueId[] {
  const { targets } = consumersOf(facts);
  return occurrencesOf(facts, binding).filter((occurrence) => targets[occurrence] !== 1);
}

const bindingsByValue = onceFor((facts): ReadonlyMap<ValueId, readonly BindingId[]> => {
  const bindings = new Map<ValueId, BindingId[]>();
  facts.bindings.forEach(({ values }, binding) => values.forEach((value) => bindings.set(value, [...(bindings.get(value) ?? []), binding])));
  return bindings;
});

/** The bindings that are given an expression as a whole. */
export function bindingsGiven(facts: ModuleFacts, id: ValueId): readonly BindingId[] {
  return bindingsByValue(facts).get(id) ?? [];
}
