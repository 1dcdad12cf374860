import { constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { readsOnly } from "../../catalogue/arguments.ts";
import { piecesOf } from "./pieces.ts";

const MUTATING = /^[\s(]*(?:insert\s+(?:or\s+\w+\s+)?into|update\s+[\w"`.[\]\0]+\s+(?:as\s+\w+\s+)?set|delete\s+from|create\s+(?:or\s+replace\s+)?(?:unique\s+)?(?:table|index|view|database|schema|extension|function|trigger|role|user|type|sequence|materialized|policy)|drop\s+(?:table|index|view|database|schema|column|function|trigger|role|user|type|sequence|extension|policy|materialized)|alter\s+(?:table|database|role|user|type|sequence|index|schema|view|function|policy)|truncate\s+|merge\s+into|replace\s+into|grant\s+|revoke\s+|upsert\s+into|copy\s+\w+\s+from)/i;

/** What SQL text does: `null` where it is no SQL statement, or not known well enough. */
export function sqlOf(facts: ModuleFacts, id: ValueId): "read" | "write" | null {
  const constants = constantsOf(facts, id);
  const texts = constants === null ? [piecesOf(facts, id)] : constants.map(({ value }) => value);
  if (texts.length === 0 || !texts.every((text): text is string => typeof text === "string" && text !== "")) return null;
  if (texts.some((text) => MUTATING.test(withoutComments(text)))) return "write";
  // Apache AGE: a select runs any openCypher text.
  if (texts.some((text) => /\bcypher\s*\(/i.test(text))) return null;
  return texts.every((text) => readsOnly(text) || /^[\s(]*(?:select|show|describe|explain|pragma\s+\w+\s*(?:\(|;|$))\b/i.test(withoutComments(text))) ? "read" : null;
}

/** Whether text only reads, makes a temporary table, or opens, sets up or gives up a transaction. */
export function isHarmlessSql(facts: ModuleFacts, id: ValueId): boolean {
  if (sqlOf(facts, id) === "read" || TEMPORARY.test(withoutComments(piecesOf(facts, id)))) return true;
  const constants = constantsOf(facts, id);
  return constants !== null && constants.length > 0 && constants.every(({ value }) => typeof value === "string" && IDLE.test(withoutComments(value)));
}

/** A table that is gone with its session. */
const TEMPORARY = /^[\s(]*create\s+(?:or\s+replace\s+)?(?:local\s+|global\s+)?temp(?:orary)?\s+(?:table|view)\b/i;
const IDLE = /^[\s(]*(?:begin|start\s+transaction|savepoint|release|rollback|pragma|set\s+(?!.*\bupdate\b)|use\s|listen\s|unlisten\s|lock\s+table|commit)\b/i;

/** `text("SELECT 1")`. */
export function readsText(facts: ModuleFacts, made: Call): boolean {
  const [first] = made.arguments;
  return first !== undefined && sqlOf(facts, first.value) === "read";
}

function withoutComments(sql: string): string {
  let text = sql.slice(0, 4000).trimStart();
  for (let step = 0; step < 50; step++) {
    const end = text.startsWith("--") ? text.indexOf("\n") : text.startsWith("/*") ? text.indexOf("*/") + 1 : -1;
    if (end <= 0) return text;
    text = text.slice(end + 1).trimStart();
  }
  return text;
}
