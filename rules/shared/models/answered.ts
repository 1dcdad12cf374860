import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import { consumerOf } from "../consumers.ts";
import { bare, parentsOf } from "../expressions.ts";
import { statementsIn } from "../statements.ts";
import { textOf } from "./targets.ts";

const STATUS = new Set(words.statusKeys);
const REQUEST = new Set(words.requestKeys);
/** Tables inside of a table that is returned. */
const DEEPEST = 3;

/**
 * `return { uptime, platform, model }`, `return {"message": f"Current model: {model}"}`: a function's answer that tells
 * how things stand. With anything in it that a request is made of, it may be one.
 */
export function isAnswered(facts: ModuleFacts, returned: ValueId): boolean {
  const keys = keysIn(facts, returned, 0);
  return keys.some((key) => STATUS.has(key)) && !keys.some((key) => REQUEST.has(key));
}

function keysIn(facts: ModuleFacts, id: ValueId, depth: number): readonly string[] {
  const table = facts.values[bare(facts, id)];
  if (table?.kind !== "table" || depth > DEEPEST) return [];
  return table.entries.flatMap(({ key, value }) => [key === null ? "" : textOf(facts, key), ...keysIn(facts, value, depth + 1)]);
}

/** `if "gemini" not in model: schema["strict"] = False`: a part of the name is looked for, and nothing is called by the answer. */
export function isShapedBy(facts: ModuleFacts, comparison: ValueId, model: ValueId): boolean {
  const value = facts.values[comparison];
  const isPart = value?.kind === "call" || (value?.kind === "binary" && (value.operator === "in" || value.operator === "not in") && value.right === model);
  if (!isPart) return false;
  const statement = testOf(facts, comparison);
  return statement?.kind === "test" && ![...statementsIn(statement.then), ...statementsIn(statement.else)].some(({ kind }) => kind === "call" || kind === "return");
}

/** The statement that tests a comparison, also by its contrary. */
function testOf(facts: ModuleFacts, comparison: ValueId): ReturnType<typeof consumerOf> {
  const around = parentsOf(facts)[comparison] ?? -1;
  return consumerOf(facts, comparison) ?? (facts.values[around]?.kind === "unary" ? consumerOf(facts, around) : undefined);
}
