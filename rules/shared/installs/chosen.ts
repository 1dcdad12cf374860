import { constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import { idOfCall } from "../indexes.ts";
import { testsAround } from "../statements.ts";
import { wordsOf } from "./vocabulary.ts";

const EQUAL = new Set(["==", "===", "is"]);
const COMMAND = new Set(["cmd", "command", "subcommand", "subcmd"]);

/** Whether a call stands where a test found that the command given is one of these: `if (cmd === "add")`, `args.command == "install"`. */
export function isChosenByCommand(facts: ModuleFacts, call: Call, isMeant: (command: string) => boolean): boolean {
  return testsAround(facts, idOfCall(facts, call)).some(({ statement, outcome }) => outcome && comparesCommand(facts, statement.test, isMeant));
}

function comparesCommand(facts: ModuleFacts, test: ValueId, isMeant: (command: string) => boolean): boolean {
  const value = facts.values[bare(facts, test)];
  if (value?.kind !== "binary" || !EQUAL.has(value.operator)) return false;
  return [[value.left, value.right], [value.right, value.left]].some(([asked, given]) => {
    const constants = constantsOf(facts, given!);
    const text = constants?.length === 1 ? constants[0]!.value : null;
    return namesCommand(facts, asked!) && typeof text === "string" && isMeant(text);
  });
}

/** `cmd`, `args.command`, `options.subCommand`. */
function namesCommand(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  const name = value?.kind === "name" ? value.name : value?.kind === "member" ? value.property ?? "" : "";
  return COMMAND.has(wordsOf(name).at(-1) ?? "");
}
