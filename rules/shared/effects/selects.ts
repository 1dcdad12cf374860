import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare, isApi } from "../expressions.ts";
import { readsText } from "./statements.ts";

const MODULES = ["sqlalchemy", "sqlalchemy.future", "sqlalchemy.sql", "sqlalchemy.sql.expression", "sqlmodel", "sqlalchemy.dialects.postgresql"];
const SELECTS = MODULES.flatMap((module) => ["select", "exists", "union", "union_all", "intersect", "except_", "func"].map((name) => `${module}.${name}`));
const TEXTS = MODULES.flatMap((module) => [`${module}.text`]);
/** Members of a statement or a table that make it one that writes. */
const WRITING = new Set(["insert", "update", "delete", "values", "on_conflict_do_update", "on_conflict_do_nothing", "with_for_update"]);
const MOST_STEPS = 64;

/**
 * Whether a statement that a call is given was built, and reads: `select(User).where(…)`, `text("SELECT 1")`,
 * `table.select()`, also built on in steps (`query = query.limit(3)`).
 */
export function isBuiltRead(facts: ModuleFacts, call: Call): boolean {
  const [first] = call.arguments;
  if (first === undefined) return false;
  const seen = new Set<ValueId>();
  const pending = [first.value];
  let reads = false;
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const value = bare(facts, id);
    if (seen.has(value)) continue;
    seen.add(value);
    if (seen.size > MOST_STEPS) return false;
    const step = stepOf(facts, value);
    if (step === null) return false;
    if (step === "read") reads = true;
    else pending.push(...step);
  }
  return reads;
}

/** What a statement is built on; `read` where it begins as one that reads, null where that is not known. */
function stepOf(facts: ModuleFacts, id: ValueId): "read" | readonly ValueId[] | null {
  const value = facts.values[id]!;
  if (value.kind === "conditional") return [value.then, value.else];
  if (value.kind === "name") {
    const binding = facts.bindings[value.binding];
    return binding === undefined || binding.rebound === true || binding.values.length === 0 ? null : binding.values;
  }
  if (value.kind !== "call") return null;
  const made = facts.calls[value.call]!;
  if (isApi(facts, made.callee, SELECTS)) return "read";
  if (isApi(facts, made.callee, TEXTS)) return readsText(facts, made) ? "read" : null;
  const callee = facts.values[made.callee];
  if (callee?.kind !== "member" || callee.property === null || WRITING.has(callee.property)) return null;
  const on = facts.values[bare(facts, callee.object)];
  if (callee.property === "select" && on?.kind !== "call") return "read";
  return [callee.object];
}
