import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { argumentOf } from "../arguments.ts";
import { callersOf, isPrivate } from "../callers.ts";
import { bare, parentsOf } from "../expressions.ts";
import { originsOfModel } from "./origins.ts";
import { settingRead } from "./readers.ts";
import { textOf } from "./targets.ts";

/** What a default stands behind: a parameter, or what is taken out of the options that a parameter is. */
interface Asked {
  readonly parameter: ValueId;
  /** Null for the parameter itself. */
  readonly key: string | null;
}

/**
 * Whether a literal only repeats a default: it stands behind a parameter of a function that this file alone calls, and
 * every call gives what has the same default already.
 */
export function isRepeatedDefault(facts: ModuleFacts, context: RuleContext, literal: ValueId): boolean {
  const asked = askedBefore(facts, literal);
  const given = asked === null ? null : givenFor(facts, asked);
  if (given === null || given.length === 0) return false;
  const text = textOf(facts, literal);
  return given.every((value) => originsOfModel(facts, context, value, { kind: "call", key: "" })
    .some((origin) => origin.how.kind !== "call" && origin.literal !== literal && origin.text === text));
}

/** `model ?? literal`, `options.model ?? literal`, `options.get("model") or literal`. */
function askedBefore(facts: ModuleFacts, literal: ValueId): Asked | null {
  const choice = facts.values[parentsOf(facts)[literal] ?? -1];
  if (choice?.kind !== "logical" || choice.operator === "and" || choice.right !== literal) return null;
  const left = facts.values[bare(facts, choice.left)];
  if (left?.kind === "name") return parameterOf(facts, choice.left, null);
  const read = left?.kind === "call" ? facts.values[facts.calls[left.call]!.callee] : left;
  return read?.kind === "member" ? parameterOf(facts, read.object, settingRead(facts, choice.left)?.key ?? "") : null;
}

function parameterOf(facts: ModuleFacts, id: ValueId, key: string | null): Asked | null {
  const value = facts.values[bare(facts, id)];
  const [parameter, ...others] = value?.kind === "name" ? facts.bindings[value.binding]?.values ?? [] : [];
  return parameter !== undefined && others.length === 0 && facts.values[parameter]?.kind === "parameter" ? { parameter, key } : null;
}

/** What every call of the function gives for it; null where one leaves it out or hides it. */
function givenFor(facts: ModuleFacts, { parameter, key }: Asked): readonly ValueId[] | null {
  const value = facts.values[parameter];
  if (value?.kind !== "parameter") return null;
  const { name, pattern } = facts.functions[value.function]!.parameters[value.index]!;
  const callers = callersOf(facts, value.function);
  if (pattern === true || !isPrivate(facts, value.function, callers)) return null;
  const bound = facts.language === "python" && facts.functions[value.function]!.class !== -1 ? 1 : 0;
  const found: ValueId[] = [];
  for (const call of callers) {
    const given = argumentOf(facts, call, value.index - bound, name);
    const entry = typeof given !== "number" || key === null ? given : entryOf(facts, given, key);
    if (typeof entry !== "number") return null;
    found.push(entry);
  }
  return found;
}

/** The entry of options that are written out at the call. */
function entryOf(facts: ModuleFacts, id: ValueId, name: string): ValueId | null {
  const table = facts.values[bare(facts, id)];
  const entry = table?.kind === "table" ? table.entries.findLast(({ key }) => key !== null && textOf(facts, key) === name) : undefined;
  return entry?.value ?? null;
}
