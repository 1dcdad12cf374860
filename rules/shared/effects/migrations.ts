import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare, originsOf } from "../expressions.ts";
import { chainOf, plainName } from "./chain.ts";
import type { Effect } from "./effect.ts";
import { sqlOf } from "./statements.ts";
import { MIGRATION_FOLDERS, MIGRATION_HANDLES, MIGRATION_OBJECTS } from "./vocabulary.ts";

const SCHEMA = /^(?:create|drop|alter|add|remove|rename|change|modify|has)_?(?:table|column|columns|index|indexes|constraint|foreign|unique|primary|check|schema|sequence|type|view|extension|enum|database|comment|materialized|trigger|function|role|policy)/i;
const STATEMENT = /^(?:execute|raw|sql|query|run_?sql)$/i;
const DATA = /^[\s(]*(?:insert|update|delete|merge|replace|copy)\b/i;

/** Whether an effect changes a schema through the migration tool's own object, in a folder of migrations. */
export function isSchemaChange(facts: ModuleFacts, call: Call, { capability }: Effect, path: string): boolean {
  if (capability !== "db.write" || !path.split("/").slice(0, -1).some((folder) => MIGRATION_FOLDERS.has(folder.toLowerCase()))) return false;
  const chain = chainOf(facts, call.callee);
  const names = chain?.names ?? [];
  const last = names.at(-1) ?? "";
  const isOfTool = names.slice(0, -1).some((name) => MIGRATION_OBJECTS.has(plainName(name)));
  if (chain === null || (!isOfTool && !(MIGRATION_HANDLES.has(plainName(names[0]!)) && isHandedOver(facts, chain.root)))) return false;
  if (SCHEMA.test(last)) return true;
  const [first] = call.arguments;
  return STATEMENT.test(last) && first !== undefined && isSchemaText(facts, statementIn(facts, first.value));
}

/** `db.execute({ sql: … })`: the statement in an object that is handed over. */
function statementIn(facts: ModuleFacts, given: ValueId): ValueId {
  const value = facts.values[bare(facts, given)];
  if (value?.kind !== "table") return given;
  const entry = value.entries.find(({ key }) => {
    const written = key === null ? undefined : facts.values[key];
    return written?.kind === "string" && STATEMENT_KEYS.has(written.value);
  });
  return entry?.value ?? given;
}

const STATEMENT_KEYS = new Set(["sql", "text", "query", "statement", "raw"]);

/** `up({ db })`: what the tool hands to a migration is its own. */
function isHandedOver(facts: ModuleFacts, id: ValueId): boolean {
  const { values, complete } = originsOf(facts, id);
  return complete && values.length > 0 && values.every((origin) => {
    const value = facts.values[origin]!;
    if (value.kind !== "member") return value.kind === "parameter";
    return originsOf(facts, value.object).values.every((whole) => facts.values[whole]!.kind === "parameter");
  });
}

function isSchemaText(facts: ModuleFacts, id: number): boolean {
  if (sqlOf(facts, id) !== "write") return false;
  const made = facts.values[bare(facts, id)];
  const tagged = made?.kind === "call" ? facts.calls[made.call]! : null;
  // sql`DELETE …`
  const value = tagged?.tagged === true ? facts.values[tagged.arguments[0]?.value ?? -1] : made;
  const first = value?.kind === "template" ? facts.values[value.parts[0] ?? -1] : value;
  return !(first?.kind === "string" && DATA.test(first.value));
}
