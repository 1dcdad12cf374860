import type { Call, ModuleFacts } from "@agentgate/parsers";
import { namedAround } from "../callers.ts";

const READS = /^[_#]*(?:get|list|search|find|query|lookup|count|load|read|fetch|retrieve)(?:_|[A-Z])/;
/** What such a function may do besides, or a helper that sends any request. */
const MORE = /create|update|delete|remove|save|insert|upsert|store|send|post|submit|upload|start|run|write|set|with|json|api|request|execute|call|refresh|generate/i;

/** Whether the function around a call says by its name that it reads: `get_orders`, `#fetchRecords`. */
export function isInReader(facts: ModuleFacts, call: Call): boolean {
  const { name } = facts.functions[namedAround(facts, call.function)]!;
  return READS.test(name) && !MORE.test(name);
}
