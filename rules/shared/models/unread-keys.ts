import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { parentsOf } from "../expressions.ts";
import { modulesAbove } from "../modules-above.ts";
import { textOf } from "./targets.ts";

/** Calls, choices and brackets between a literal and the table that it is an entry of. */
const MAX_STEPS = 4;

/** An entry of a table that is one of several, by what they are members of together. */
interface Entry {
  readonly owner: string;
  readonly key: string;
}

/**
 * Whether a literal is an entry which nobody takes out of the tables that a class or a table keeps:
 * `Encoders.OPENAI.value["chat"]`, where every module asks for `["embedding"]` alone.
 */
export function isUnreadKey(facts: ModuleFacts, context: Pick<RuleContext, "path" | "tree">, literal: ValueId): boolean {
  const entry = entryOf(facts, literal);
  const modules = entry === null ? null : modulesAbove(facts, context);
  if (entry === null || modules === null || modules.length < 2) return false;
  const paths = modules.flatMap((module) => pathsFrom(module.facts, entry.owner));
  return paths.length > 0 && paths.every((path) => path.length > 1 && !path.includes(entry.key) && !path.includes(""));
}

function entryOf(facts: ModuleFacts, literal: ValueId): Entry | null {
  let current = literal;
  for (let step = 0; step < MAX_STEPS; step++) {
    const parent = parentsOf(facts)[current] ?? -1;
    const value = facts.values[parent];
    if (value?.kind === "table") {
      const key = value.entries.find((each) => each.value === current)?.key ?? null;
      const owner = ownerOf(facts, parent);
      return key === null || textOf(facts, key) === "" || owner === "" ? null : { owner, key: textOf(facts, key) };
    }
    if (value?.kind !== "call" && value?.kind !== "logical") return null;
    current = parent;
  }
  return null;
}

/** The class that has the table as a field, or the constant that has it as an entry. */
function ownerOf(facts: ModuleFacts, table: ValueId): string {
  const owner = facts.classes.find(({ fields }) => fields.some(({ value }) => value === table));
  if (owner !== undefined) return owner.name;
  let outer = parentsOf(facts)[table] ?? -1;
  if (facts.values[outer]?.kind !== "table") return "";
  // `Object.freeze({ … })`.
  if (facts.values[parentsOf(facts)[outer] ?? -1]?.kind === "call") outer = parentsOf(facts)[outer]!;
  const holder = facts.bindings.find(({ values, scope }) => values.length === 1 && values[0] === outer && facts.scopes[scope]?.function === 0);
  return holder?.name ?? "";
}

/** What a module takes out of what has the name, by the words that it asks with; empty for one that only runs know. */
function pathsFrom(facts: ModuleFacts, owner: string): readonly (readonly string[])[] {
  return facts.values.flatMap((value, id) => {
    const isOwner = (value.kind === "name" && value.name === owner) || (value.kind === "member" && value.property === owner);
    return isOwner && !isDeclared(facts, id) ? [pathFrom(facts, id)] : [];
  });
}

function isDeclared(facts: ModuleFacts, id: ValueId): boolean {
  const { span } = facts.values[id]!;
  return facts.bindings.some((binding) => binding.span[0] === span[0] && binding.span[1] === span[1]) || facts.exports.some(({ value }) => value === id);
}

function pathFrom(facts: ModuleFacts, from: ValueId): readonly string[] {
  const path: string[] = [];
  for (let current = from; path.length < MAX_STEPS;) {
    const parent = parentsOf(facts)[current] ?? -1;
    const member = facts.values[parent];
    if (member?.kind !== "member" || member.object !== current) break;
    const asked = member.property ?? (member.key === null ? "" : textOf(facts, member.key));
    if (asked !== "value") path.push(asked);
    current = parent;
  }
  return path;
}
