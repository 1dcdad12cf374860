import type { ModuleFacts, Value } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import { atomsFrom, NO_ATOMS } from "./atoms.ts";
import type { Atoms } from "./atoms.ts";
import { constantText } from "./numbers.ts";
import { TEST_MODES } from "./vocabulary.ts";

type Binary = Extract<Value, { kind: "binary" }>;

/** `process.env.NODE_ENV === "test"`, `os.getenv("TESTING") == "1"`. */
export function isTestMode(facts: ModuleFacts, { left, right }: Binary): boolean {
  return [left, right].some((side) => {
    const value = facts.values[bare(facts, side)];
    return value !== undefined && isTestModeName(facts, value);
  });
}

/** What a comparison with a test mode makes sure of where `operator` holds. */
export function modeAtoms(facts: ModuleFacts, { left, right }: Binary, operator: string): Atoms {
  const constant = constantText(facts, right) ?? constantText(facts, left) ?? "";
  const isProduction = constant.startsWith("\"prod");
  const holds = operator === "==" || operator === "is";
  return holds === isProduction ? atomsFrom([{ kind: "mode", place: "mode" }]) : NO_ATOMS;
}

/** Whether an expression asks for a setting that tells test mode. */
export function isTestModeName(facts: ModuleFacts, value: Value): boolean {
  if (value.kind === "member") return value.property !== null && TEST_MODES.has(value.property);
  const call = value.kind === "call" ? facts.calls[value.call] : undefined;
  return call?.arguments.some((argument) => {
    const text = facts.values[argument.value];
    return text?.kind === "string" && TEST_MODES.has(text.value);
  }) === true;
}
