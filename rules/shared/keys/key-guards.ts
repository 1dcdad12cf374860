import type { ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { onceFor } from "../indexes.ts";
import { someIngredient } from "../expressions.ts";
import { bodiesOf, statementsIn } from "../statements.ts";
import { keyName } from "./names.ts";

/** Statements that run only where a test asked whether a key is there already: `if "Idempotency-Key" not in headers`. */
const guarded = onceFor((facts): ReadonlySet<number> => {
  const found = new Set<number>();
  for (const { body } of facts.functions) {
    for (const statement of statementsIn(body)) {
      if (statement.kind === "test" && asksForKey(facts, statement.test)) for (const each of insideOf(statement)) found.add(each.at);
    }
  }
  return found;
});

function insideOf(statement: Statement): readonly Statement[] {
  return bodiesOf(statement).flatMap((body) => statementsIn(body));
}

/** Only what the test itself says: what its names were given elsewhere is no question. */
function asksForKey(facts: ModuleFacts, test: ValueId): boolean {
  return someIngredient(facts, test, (value) => {
    if (value.kind === "name") return isKeyName(value.name);
    if (value.kind === "string") return isKeyName(value.value);
    return value.kind === "member" && value.property !== null && isKeyName(value.property);
  }, 12);
}

function isKeyName(text: string): boolean {
  const name = keyName(text);
  return name !== null && name.onlyFor === undefined;
}

/** Whether a statement runs only where no key is there yet. */
export function isKeyGuarded(facts: ModuleFacts, statement: number): boolean {
  return guarded(facts).has(statement);
}
