import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import { wordsOfItems } from "./command.ts";
import type { Word } from "./match.ts";

const ADDERS = new Set(["append", "extend", "push"]);

/** What is added to the list of a command between its making and the call: `words.extend(["pip", python])`, `words.push(...names)`. */
export function wordsAdded(facts: ModuleFacts, call: Call): readonly Word[] {
  const lists = new Set(call.arguments.map(({ value }) => bindingOf(facts, value)).filter((binding) => binding >= 0));
  if (lists.size === 0) return [];
  return facts.calls.filter(({ span, callee, function: id }) => id === call.function && span[1] <= call.span[0] && isAdder(facts, callee, lists)).flatMap((each) => each.arguments.flatMap(({ value }) => {
    const given = facts.values[bare(facts, value)];
    return wordsOfItems(facts, given?.kind === "list" ? given.items : [value]);
  }));
}

function isAdder(facts: ModuleFacts, id: ValueId, lists: ReadonlySet<number>): boolean {
  const callee = facts.values[id];
  return callee?.kind === "member" && ADDERS.has(callee.property ?? "") && lists.has(bindingOf(facts, callee.object));
}

function bindingOf(facts: ModuleFacts, id: ValueId): number {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "name" ? value.binding : -1;
}
