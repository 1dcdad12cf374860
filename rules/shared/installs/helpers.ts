import type { CallId, ModuleFacts } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { callsWrittenIn } from "../indexes.ts";
import { commandLines } from "./command.ts";
import { installIn } from "./match.ts";
import type { Word } from "./match.ts";

/**
 * Whether a helper that is given a program and nothing more puts words of its own behind it with which nothing is
 * installed: `majorVersion("yarn")`, which runs `yarn --version`.
 */
export function isOnlyAsked(facts: ModuleFacts, context: RuleContext, id: CallId, line: readonly Word[]): boolean {
  const [program, ...others] = line;
  if (program === undefined || others.length > 0) return false;
  const added = effectsOf(facts, context).callees(id).flatMap((callee) => callsWrittenIn(callee.facts, callee.function).flatMap((call) => wordsAdded(callee.facts, call)));
  return added.length > 0 && added.every((words) => installIn([program, ...words]) === null);
}

/** The words of a command whose program is only known when the helper is called. */
function wordsAdded(facts: ModuleFacts, id: CallId): readonly (readonly Word[])[] {
  return commandLines(facts, facts.calls[id]!).flatMap(([first, ...words]) => (first?.text === null && words.some(({ text }) => text !== null) ? [words] : []));
}
