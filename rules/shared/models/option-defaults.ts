import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import { bare, parentsOf } from "../expressions.ts";
import type { Unpinned } from "./judged.ts";
import { lastName, settingRead } from "./readers.ts";
import { settingWords, wordsIn } from "./words.ts";

const PARSED = new Set(words.parsedOptions);

/**
 * What stands behind the reads of an option (`args.model or "x"`) and repeats the default that the option itself has in
 * this module: the parser has filled it in, and the option's own default is reported.
 */
export function repeatedOptions(facts: ModuleFacts, found: readonly Unpinned[]): readonly Unpinned[] {
  const filled = new Set(found.flatMap(({ option, key }) => (option === undefined ? [] : [decisionOf(option, key)])));
  if (filled.size === 0) return [];
  return found.filter(({ option, value, key }) => option === undefined && optionsBefore(facts, value).some((read) => filled.has(decisionOf(read, key))));
}

function decisionOf(option: string, model: string): string {
  return `${settingWords(option)} ${model}`;
}

/** The options that a chain asks for before it comes to a literal: `flags.judgeModel ?? flags["judge-model"] ?? literal`. */
function optionsBefore(facts: ModuleFacts, literal: ValueId): readonly string[] {
  const choice = facts.values[parentsOf(facts)[literal] ?? -1];
  if (choice?.kind !== "logical" || choice.operator === "and" || choice.right !== literal) return [];
  const reads: string[] = [];
  let current = choice.left;
  for (let step = 0; step < 8; step++) {
    const value = facts.values[bare(facts, current)];
    const part = value?.kind === "logical" ? value.right : current;
    const read = facts.values[bare(facts, part)];
    if (read?.kind === "member" && PARSED.has(wordsIn(lastName(facts, read.object)).at(-1) ?? "")) reads.push(settingRead(facts, part)?.key ?? "");
    if (value?.kind !== "logical") break;
    current = value.left;
  }
  return reads;
}
