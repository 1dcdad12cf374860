import { constantHead, constantsOf } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import type { Effect } from "../effects/index.ts";
import loggers from "./loggers.json" with { type: "json" };
import data from "./migrations.json" with { type: "json" };

const FOLDERS = new Set(data.folders);
const TOOLS = { python: new Set(data.tools.python), ecmascript: new Set(data.tools.ecmascript) };
const OBJECTS = new Set(data.objects);
const VERBS = new Set(data.verbs);
const THINGS = new Set(data.things);
const STATEMENTS = new Set(data.statements);

const LOGGERS = { python: new Set(loggers.python), ecmascript: new Set(loggers.ecmascript) };

/** Whether a write is the file of a log. */
export function isLog(facts: ModuleFacts, { capability, root }: Effect): boolean {
  return capability === "fs.write" && LOGGERS[facts.language].has(root);
}

/**
 * Whether a write changes the schema through the migration tool's own object, in a folder of migrations: `op.create_table`,
 * `knex.schema.alterTable`, `queryRunner.query("ALTER TABLE …")`. Data that is written there is no schema.
 */
export function isSchemaStatement(facts: ModuleFacts, path: string, effect: Effect): boolean {
  if (effect.capability !== "db.write" || !path.split("/").slice(0, -1).some((folder) => FOLDERS.has(folder))) return false;
  if (!isToolsOwn(facts, effect)) return false;
  const names = effect.api.split(".");
  if (names.slice(0, -1).includes("schema")) return true;
  const words = wordsOf(names.at(-1)!);
  if (words.length > 1 && VERBS.has(words[0]!) && words.some((word) => THINGS.has(word))) return true;
  const keyword = firstKeyword(facts, effect);
  return VERBS.has(words.join("")) && keyword !== null && STATEMENTS.has(keyword);
}

function isToolsOwn(facts: ModuleFacts, { root, api, told }: Effect): boolean {
  if (told === "resolved") return TOOLS[facts.language].has(root);
  return TOOLS[facts.language].has(root) || api.split(".").slice(0, -1).some((name) => OBJECTS.has(name));
}

/** `create_table` and `createTable` as words. */
function wordsOf(name: string): readonly string[] {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase().split("_").filter((word) => word !== "");
}

/** The first word of the statement that a call is given as text. */
function firstKeyword(facts: ModuleFacts, { call }: Effect): string | null {
  const first = facts.calls[call]?.arguments[0];
  if (first === undefined) return null;
  const folded = constantsOf(facts, first.value)?.[0]?.value;
  const text = typeof folded === "string" ? folded : constantHead(facts, first.value);
  return /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? null;
}
