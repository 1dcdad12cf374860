import type { ModuleFacts } from "@agentgate/parsers";
import type { Effect } from "../effects/index.ts";
import loggers from "./loggers.json" with { type: "json" };

const LOGGERS = { python: new Set(loggers.python), ecmascript: new Set(loggers.ecmascript) };

/** Whether a write is the file of a log. */
export function isLog(facts: ModuleFacts, { capability, root }: Effect): boolean {
  return capability === "fs.write" && LOGGERS[facts.language].has(root);
}
