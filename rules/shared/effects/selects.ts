import { functionsOf, valuesReturned } from "@agentgate/parsers";
import type { Call, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { verbOfName } from "../../catalogue/verbs.ts";
import { argumentOf } from "../arguments.ts";
import { callersOf } from "../callers.ts";
import { bare, isApi } from "../expressions.ts";
import { chainEnd, chainOf } from "./chain.ts";
import { readsText, sqlOf } from "./statements.ts";

const MODULES = ["sqlalchemy", "sqlalchemy.future", "sqlalchemy.sql", "sqlalchemy.sql.expression", "sqlmodel", "sqlalchemy.dialects.postgresql"];
const SELECTS = MODULES.flatMap((module) => ["select", "exists", "union", "union_all", "intersect", "except_", "func"].map((name) => `${module}.${name}`));
const TEXTS = MODULES.flatMap((module) => [`${module}.text`]);
/** Members of a statement or a table that make it one that writes. */
const WRITING = new Set(["insert", "update", "delete", "values", "on_conflict_do_update", "on_conflict_do_nothing", "on_duplicate_key_update"]);
/** Members that only statements that read have. */
const READING = new Set(["order_by", "limit", "offset", "group_by", "having", "subquery", "scalar_subquery", "distinct", "select_from", "outerjoin", "with_for_update"]);
/** SQLAlchemy's types of statements that read. */
const READ_TYPES = new Set(["Select", "SelectBase", "CompoundSelect", "ScalarSelect", "SelectOfScalar"]);
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
  let isOpen = false;
  let isCertain = false;
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const value = bare(facts, id);
    if (seen.has(value)) continue;
    seen.add(value);
    if (seen.size > MOST_STEPS) return false;
    const step = stepOf(facts, value);
    if (step === "write") return false;
    if (step === null) isOpen = true;
    else if (step === "read") reads = true;
    else pending.push(...step);
    isCertain ||= onlyReadsHave(facts, value);
  }
  return isCertain || (reads && !isOpen);
}

/** `statement.limit(20)`, wherever the statement came from. */
function onlyReadsHave(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id]!;
  const callee = value.kind === "call" ? facts.values[facts.calls[value.call]!.callee] : undefined;
  return facts.language === "python" && callee?.kind === "member" && callee.property !== null && READING.has(callee.property);
}

/** What a statement is built on; `read` or `write` where it begins as one that does, null where that is not known. */
function stepOf(facts: ModuleFacts, id: ValueId): "read" | "write" | readonly ValueId[] | null {
  const value = facts.values[id]!;
  if (value.kind === "string" || value.kind === "template" || value.kind === "binary") return sqlOf(facts, id);
  if (value.kind === "conditional") return [value.then, value.else];
  if (value.kind === "name") {
    const binding = facts.bindings[value.binding];
    return binding === undefined || binding.rebound === true || binding.values.length === 0 ? null : binding.values;
  }
  if (value.kind === "parameter") return handedIn(facts, value.function, value.index);
  // One of several that a helper gives: `query, joined = self.build(…)`.
  if (value.kind === "item") return value.index === null ? null : itemsOf(facts, value.of, value.index);
  if (value.kind !== "call") return null;
  const made = facts.calls[value.call]!;
  if (isApi(facts, made.callee, SELECTS)) return "read";
  if (isApi(facts, made.callee, TEXTS)) return readsText(facts, made) ? "read" : null;
  const helpers = functionsOf(facts, made.callee);
  if (helpers.length > 0) {
    const returned = helpers.flatMap((helper) => valuesReturned(facts, helper));
    return returned.length === 0 ? null : returned;
  }
  const callee = facts.values[made.callee];
  if (callee?.kind === "name") return WRITING.has(callee.name) ? "write" : handedThrough(facts, made);
  if (callee?.kind !== "member" || callee.property === null) return null;
  if (WRITING.has(callee.property)) return "write";
  const on = facts.values[bare(facts, callee.object)];
  if (callee.property === "select" && on?.kind !== "call") return "read";
  return [callee.object];
}

/** `apply_sorting(statement, table)`: a helper from elsewhere that builds on what it is given. */
function handedThrough(facts: ModuleFacts, made: Call): readonly ValueId[] | null {
  const [first] = made.arguments;
  return first !== undefined && facts.values[bare(facts, first.value)]?.kind === "name" && verbOfName(chainEnd(facts, made.callee)) !== "write" ? [first.value] : null;
}

/** Parameters that say by their annotation that they are statements that read, and what callers in the file hand in. */
function handedIn(facts: ModuleFacts, id: FunctionId, index: number): "read" | readonly ValueId[] | null {
  const parameter = facts.functions[id]?.parameters[index];
  if (parameter === undefined) return null;
  const annotated = parameter.annotation === null ? undefined : chainOf(facts, annotationHead(facts, parameter.annotation))?.names.at(-1);
  if (annotated !== undefined && READ_TYPES.has(annotated)) return "read";
  const isMethod = facts.language === "python" && facts.functions[id]!.class !== -1 && facts.functions[id]!.static !== true;
  const callers = callersOf(facts, id);
  const given = callers.map((call) => argumentOf(facts, call, index - (isMethod ? 1 : 0), parameter.name));
  return given.length > 0 && given.every((each) => typeof each === "number") ? given : null;
}

/** `Select` of `Select[tuple[User]]`, also in quotes. */
function annotationHead(facts: ModuleFacts, id: ValueId): ValueId {
  const value = facts.values[id];
  if (value?.kind === "opaque") return value.of.find((each) => facts.values[each]?.kind !== "string") ?? id;
  return value?.kind === "member" && value.subscript === true ? value.object : id;
}

/** What stands at one place of the tuples that a call of a helper returns. */
function itemsOf(facts: ModuleFacts, of: ValueId, index: number): readonly ValueId[] | null {
  const value = facts.values[bare(facts, of)];
  const helpers = value?.kind === "call" ? functionsOf(facts, facts.calls[value.call]!.callee) : [];
  const returned = helpers.flatMap((helper) => valuesReturned(facts, helper)).map((id) => facts.values[bare(facts, id)]);
  const items = returned.map((each) => (each?.kind === "list" ? each.items[index] : undefined));
  return items.length > 0 && items.every((item) => item !== undefined) ? items : null;
}
