import type { ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import type { Effect } from "../effects/index.ts";
import { headOf, pathOf } from "../effects/temporary.ts";
import { bare, originsOf } from "../expressions.ts";
import loggers from "./loggers.json" with { type: "json" };

const LOGGERS = { python: new Set(loggers.python), ecmascript: new Set(loggers.ecmascript) };

/** Whether a write is the file of a log, or its folder. */
export function isLog(facts: ModuleFacts, { capability, root, call }: Effect): boolean {
  if (capability !== "fs.write") return false;
  if (LOGGERS[facts.language].has(root)) return true;
  const path = pathOf(facts, facts.calls[call]!);
  return path !== null && isNamedLog(facts, path);
}

/** `log_dir`, `LOG_FILE`, `self._log_path`: what is named so, or begins with it. */
const LOG_NAMES = /^_?(?:[a-z]+_)?logs?_?(?:dir|directory|folder|file|path|file_?path|file_?name)$/i;
const MOST_STEPS = 6;

function isNamedLog(facts: ModuleFacts, path: ValueId): boolean {
  let id: ValueId | null = path;
  for (let step = 0; id !== null && step < MOST_STEPS; step++) {
    const value: Value = facts.values[bare(facts, id)]!;
    const name = value.kind === "name" ? value.name : value.kind === "member" ? value.property ?? "" : "";
    if (LOG_NAMES.test(name)) return true;
    const [origin, ...others]: readonly ValueId[] = originsOf(facts, id).values;
    if (origin === undefined || others.length > 0) return false;
    id = headOf(facts, facts.values[origin]!);
  }
  return false;
}
