import { constantsOf, valuesReturned } from "@agentgate/parsers";
import type { FunctionId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import { bodiesOf, statementsIn } from "../statements.ts";

/** The text that a parameter is given by the call that is looked at; null where that is not known. */
export type TextOfParameter = (id: ValueId) => string | null;

/** What a function returns to a call whose text takes some of its branches: `argv("uninstall")` of one that asks `action == "install"`. */
export function valuesReturnedTo(facts: ModuleFacts, id: FunctionId, textOf: TextOfParameter): readonly ValueId[] {
  const body = facts.functions[id]!.body;
  const written = new Set(statementsIn(body).flatMap((statement) => (statement.kind === "return" && statement.value !== null ? [statement.value] : [])));
  const reached = new Set<ValueId>();
  reach(facts, body, textOf, reached);
  // What an arrow gives without a statement, or a generator yields, is always reached.
  return valuesReturned(facts, id).filter((value) => !written.has(value) || reached.has(value));
}

/** Notes what a body may return; false where it surely comes to no statement after it. */
function reach(facts: ModuleFacts, body: readonly Statement[], textOf: TextOfParameter, reached: Set<ValueId>): boolean {
  for (const statement of body) {
    if (statement.kind === "jump") return false;
    if (statement.kind === "return") {
      if (statement.value !== null) reached.add(statement.value);
      return false;
    }
    if (statement.kind !== "test") {
      for (const inner of bodiesOf(statement)) reach(facts, inner, textOf, reached);
      continue;
    }
    const outcome = outcomeOf(facts, statement.test, textOf);
    const goesOn = [outcome !== false && reach(facts, statement.then, textOf, reached), outcome !== true && reach(facts, statement.else, textOf, reached)];
    if (!goesOn.includes(true)) return false;
  }
  return true;
}

const EQUAL = new Set(["==", "===", "is"]);
const UNEQUAL = new Set(["!=", "!==", "is not"]);

/** How a test of a parameter's text comes out; null where that is only known when the program runs. */
export function outcomeOf(facts: ModuleFacts, test: ValueId, textOf: TextOfParameter): boolean | null {
  const value = facts.values[bare(facts, test)];
  if (value?.kind !== "binary") return null;
  if (value.operator === "in") return isAmong(facts, value.left, value.right, textOf);
  if (!EQUAL.has(value.operator) && !UNEQUAL.has(value.operator)) return null;
  for (const [asked, expected] of [[value.left, value.right], [value.right, value.left]] as const) {
    const [text, other] = [textOf(asked), textWritten(facts, expected)];
    if (text !== null && other !== null) return (text === other) === EQUAL.has(value.operator);
  }
  return null;
}

/** `action in ("install", "update")`. */
function isAmong(facts: ModuleFacts, asked: ValueId, among: ValueId, textOf: TextOfParameter): boolean | null {
  const list = facts.values[bare(facts, among)];
  const text = textOf(asked);
  const texts = list?.kind === "list" ? list.items.map((item) => textWritten(facts, item)) : [null];
  return text === null || texts.includes(null) ? null : texts.includes(text);
}

function textWritten(facts: ModuleFacts, id: ValueId): string | null {
  const constants = constantsOf(facts, id);
  const text = constants?.length === 1 ? constants[0]!.value : null;
  return typeof text === "string" ? text : null;
}
