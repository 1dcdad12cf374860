import { constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import data from "../../data/package-installs.json" with { type: "json" };
import { originsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";

const { asks, choices } = data.commands.menus;

/** Whether a module lets a person choose: `prompt([{ type: "checkbox", choices }])`, `questionary.select("…", choices=names)`. */
export const offersChoice = onceFor((facts) => ({ found: facts.calls.some((call) => isMenu(facts, call)) }));

/** The name by which a call calls. */
export function calledName(facts: ModuleFacts, call: Call): string {
  const callee = facts.values[call.callee];
  return callee?.kind === "name" ? callee.name : callee?.kind === "member" ? callee.property ?? "" : "";
}

export function isMenu(facts: ModuleFacts, call: Call): boolean {
  if (!asks.includes(calledName(facts, call))) return false;
  return call.arguments.some((argument) => choices.includes(argument.name ?? "") || hasChoices(facts, argument.value));
}

/** A table with choices, or a list that holds such a table or a call with them. */
function hasChoices(facts: ModuleFacts, id: ValueId, inList = false): boolean {
  return originsOf(facts, id).values.some((origin) => {
    const value = facts.values[origin];
    if (value?.kind === "table") return value.entries.some(({ key }) => key !== null && isChoices(facts, key));
    if (value?.kind === "list") return !inList && value.items.some((item) => hasChoices(facts, item, true));
    return inList && value?.kind === "call" && facts.calls[value.call]!.arguments.some(({ name }) => choices.includes(name ?? ""));
  });
}

function isChoices(facts: ModuleFacts, key: ValueId): boolean {
  const constants = constantsOf(facts, key);
  return constants?.length === 1 && choices.includes(String(constants[0]!.value));
}
