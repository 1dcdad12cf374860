import type { BindingId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { bindingsIn } from "../attempts/places.ts";
import { someIngredient } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { bodiesOf, statementsIn } from "../statements.ts";

/** What is only given where there is nothing yet. */
interface Lazy {
  /** To an attribute: the object keeps it. */
  readonly attributes: ReadonlySet<ValueId>;
  /** To a name, by the value. */
  readonly names: ReadonlyMap<ValueId, readonly BindingId[]>;
}

const FILLING: ReadonlySet<string> = new Set(["??=", "||="]);

/** `this.key ??= randomUUID()`, `if self.key is None: self.key = uuid4()`: the value that was there stays. */
export const lazyValues = onceFor((facts): Lazy => {
  const attributes = new Set<ValueId>();
  const names = new Map<ValueId, readonly BindingId[]>();
  for (const { body } of facts.functions) {
    for (const statement of statementsIn(body)) {
      if (statement.kind === "assign" && FILLING.has(statement.operator)) note(facts, statement, attributes, names);
      if (statement.kind !== "test") continue;
      for (const inner of bodiesOf(statement).flat()) {
        if (inner.kind === "assign" && inner.operator === "=" && inner.targets.every((target) => asksFor(facts, statement.test, target))) note(facts, inner, attributes, names);
      }
    }
  }
  return { attributes, names };
});

function note(facts: ModuleFacts, { targets, value }: Extract<Statement, { kind: "assign" }>, attributes: Set<ValueId>, names: Map<ValueId, readonly BindingId[]>): void {
  if (targets.every((target) => facts.values[target]?.kind === "member")) attributes.add(value);
  else names.set(value, [...bindingsIn(facts, targets)]);
}

/** Whether a test asks for what is then given: the same name, or an attribute of that name. */
function asksFor(facts: ModuleFacts, test: ValueId, target: ValueId): boolean {
  const asked = facts.values[target];
  return someIngredient(facts, test, (value) => {
    if (asked?.kind === "name") return value.kind === "name" && value.binding === asked.binding;
    return asked?.kind === "member" && asked.property !== null && value.kind === "member" && value.property === asked.property;
  }, 12);
}
