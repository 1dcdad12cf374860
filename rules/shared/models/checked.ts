import type { ModuleFacts } from "@agentgate/parsers";
import type { Unpinned } from "./judged.ts";
import { wordsIn } from "./words.ts";

const CHECKS = new Set(["verify", "validate", "check", "ensure"]);

/** What a function that only checks a setting repeats of its default, where another place of the module takes the same: that one is reported. */
export function checkedDefaults(facts: ModuleFacts, found: readonly Unpinned[]): readonly Unpinned[] {
  const checked = found.filter(({ span }) => isInCheck(facts, span[0]));
  const taken = new Set(found.filter((each) => !checked.includes(each)).map(({ message }) => message));
  return checked.filter(({ message }) => taken.has(message));
}

/** `verify_models()`, `checkModel()`. */
function isInCheck(facts: ModuleFacts, at: number): boolean {
  const around = facts.functions.findLast(({ span, name }) => name !== "" && span[0] <= at && at < span[1]);
  return around !== undefined && CHECKS.has(wordsIn(around.name)[0] ?? "");
}
