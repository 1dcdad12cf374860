import type { Call, ModuleFacts } from "@agentgate/parsers";
import { chainOf, plainName } from "./chain.ts";
import type { Effect } from "./effect.ts";
import { sqlOf } from "./statements.ts";
import { MIGRATION_FOLDERS, MIGRATION_OBJECTS } from "./vocabulary.ts";

const SCHEMA = /^(?:create|drop|alter|add|remove|rename|change|modify|has)_?(?:table|column|columns|index|indexes|constraint|foreign|unique|primary|check|schema|sequence|type|view|extension|enum|database|comment|materialized|trigger|function|role|policy)/i;
const STATEMENT = /^(?:execute|raw|sql|query|run_?sql)$/i;
const DATA = /^[\s(]*(?:insert|update|delete|merge|replace|copy)\b/i;

/** Whether an effect changes a schema through the migration tool's own object, in a folder of migrations. */
export function isSchemaChange(facts: ModuleFacts, call: Call, { capability }: Effect, path: string): boolean {
  if (capability !== "db.write" || !path.split("/").slice(0, -1).some((folder) => MIGRATION_FOLDERS.has(folder.toLowerCase()))) return false;
  const names = chainOf(facts, call.callee)?.names ?? [];
  const last = names.at(-1) ?? "";
  if (!names.slice(0, -1).some((name) => MIGRATION_OBJECTS.has(plainName(name)))) return false;
  if (SCHEMA.test(last)) return true;
  const [first] = call.arguments;
  return STATEMENT.test(last) && first !== undefined && isSchemaText(facts, first.value);
}

function isSchemaText(facts: ModuleFacts, id: number): boolean {
  if (sqlOf(facts, id) !== "write") return false;
  const value = facts.values[id];
  return !(value?.kind === "string" && DATA.test(value.value));
}
