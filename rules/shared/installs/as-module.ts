import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentOf } from "../arguments.ts";
import { memberWrites } from "../consumers.ts";
import { callsApi, isApi } from "../expressions.ts";
import { wordsOfItems } from "./command.ts";
import type { Word } from "./match.ts";
import { NOTHING_GIVEN, listsOf, onlyText } from "./words.ts";

/** What runs a module as a program, with the arguments of this process. */
const RUNNERS = ["runpy.run_module", "runpy._run_module_as_main"];

/** The command lines of a module that is run as a program: its name before what the file puts into `sys.argv`. */
export function linesOfModule(facts: ModuleFacts, call: Call): readonly (readonly Word[])[] {
  if (!callsApi(call, RUNNERS)) return [];
  const name = argumentOf(facts, call, 0, "mod_name");
  const program = typeof name === "number" ? onlyText(facts, name)?.split(".")[0] : undefined;
  if (program === undefined) return [];
  return memberWrites(facts).flatMap(({ target, statement }) => {
    const first = placeWritten(facts, target);
    if (first === -1) return [];
    return listsOf(facts, { id: statement.value, given: NOTHING_GIVEN }).map((items) => [{ text: program }, ...wordsOfItems(facts, items.map(({ id }) => id)).slice(first)]);
  });
}

/** How many words come before the arguments: one in `sys.argv = …`, none in `sys.argv[1:] = …`; -1 of another target. */
function placeWritten(facts: ModuleFacts, target: ValueId): number {
  if (isApi(facts, target, ["sys.argv"])) return 1;
  const written = facts.values[target];
  return written?.kind === "member" && written.subscript === true && isApi(facts, written.object, ["sys.argv"]) ? 0 : -1;
}
