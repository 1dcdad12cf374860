import type { Call, ModuleFacts } from "@agentgate/parsers";
import { originsOf } from "../expressions.ts";
import { commandLines } from "./command.ts";
import type { Word } from "./match.ts";
import { calledName } from "./menus.ts";

const MOST_OBJECTS = 4;

/** The command lines of a method that stand behind what its object was made with: `new Program("pnpm").run("add", name)`. */
export function linesBehindKept(facts: ModuleFacts, call: Call): readonly (readonly Word[])[] {
  const callee = facts.values[call.callee];
  if (callee?.kind !== "member") return [];
  const made = originsOf(facts, callee.object).values.slice(0, MOST_OBJECTS).flatMap((origin) => {
    const value = facts.values[origin];
    const construction = value?.kind === "call" ? facts.calls[value.call]! : undefined;
    return construction !== undefined && isConstruction(facts, construction) ? [construction] : [];
  });
  const kept = made.flatMap((construction) => commandLines(facts, construction)).filter(([program]) => program?.text != null);
  return kept.flatMap((line) => commandLines(facts, call).map((words) => [...line, ...words]));
}

function isConstruction(facts: ModuleFacts, call: Call): boolean {
  return call.construct === true || (facts.language === "python" && /^_*[A-Z]/.test(calledName(facts, call)));
}
