import type { Call, ModuleFacts } from "@agentgate/parsers";
import { consumerOf } from "../consumers.ts";
import { parentsOf } from "../expressions.ts";
import { idOfCall, resultOf } from "../indexes.ts";
import { chainEnd } from "./chain.ts";
import { sqlOf } from "./statements.ts";

/** Packages whose client is called as the tag of a statement, which runs when it is awaited. */
export const STATEMENT_TAGS: ReadonlySet<string> = new Set(["postgres"]);

/** Whether a template of SQL that writes is run where it stands. */
export function isStatementRun(facts: ModuleFacts, call: Call): boolean {
  const [first] = call.arguments;
  return first !== undefined && sqlOf(facts, first.value) === "write" && isAwaited(facts, call);
}

/** `await sql`…``, also of several at once. What is kept, or handed to something that runs it, is text only. */
export function isAwaited(facts: ModuleFacts, call: Call): boolean {
  const parents = parentsOf(facts);
  let id = resultOf(facts, idOfCall(facts, call));
  for (let step = 0; step < 4; step++) {
    const parent = facts.values[parents[id] ?? -1];
    if (parent === undefined) return ["expression", "return"].includes(consumerOf(facts, id)?.kind ?? "");
    if (parent.kind === "await" || parent.kind === "member") return true;
    if (parent.kind === "call") return /^(?:all|allSettled|race)$/.test(chainEnd(facts, facts.calls[parent.call]!.callee));
    if (parent.kind !== "list" && parent.kind !== "conditional") return false;
    id = parents[id]!;
  }
  return false;
}
