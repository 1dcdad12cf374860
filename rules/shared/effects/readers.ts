import type { Call, ModuleFacts } from "@agentgate/parsers";
import { namedAround } from "../callers.ts";

const READS = /^[_#]*(?:get|list|search|find|query|lookup|count|load|read|fetch|retrieve|poll)(?:_|[A-Z])/;
/** The methods of a vector store that search, whatever more their names say: `similaritySearchVectorWithScore`. */
const SEARCHES = /^[_#]*a?_?(?:similarity_?search|max_?marginal_?relevance_?search)/i;
/** What such a function may do besides, or a helper that sends any request. */
const MORE = /create|update|delete|remove|save|insert|upsert|store|send|post|submit|upload|start|run|write|set|with|json|api|request|execute|call|refresh|generate/i;

/** Whether the function around a call says by its name that it reads: `get_orders`, `#fetchRecords`, `_poll_for_result`. */
export function isInReader(facts: ModuleFacts, call: Call): boolean {
  const { name } = facts.functions[namedAround(facts, call.function)]!;
  return SEARCHES.test(name) || (READS.test(name) && !MORE.test(name));
}
