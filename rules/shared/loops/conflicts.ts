import type { Handler, ModuleFacts, ValueId } from "@agentgate/parsers";
import { someIngredient } from "../expressions.ts";
import { statementsIn } from "../statements.ts";
import { testsOf } from "./witnesses.ts";
import { LOOPS } from "./vocabulary.ts";
import { wordsOf } from "./words.ts";

const WORDS = new Set(LOOPS.conflicts.words);
/** Names as a whole: a connection that was aborted, or a signal that is, says something else. */
const NAMES = new Set(LOOPS.conflicts.names);

/**
 * Whether the error of a handler says that somebody else was first, such as `WatchError`: nothing was carried out, and
 * that another one got through is what the attempt is repeated for.
 */
export function isOfConflict(facts: ModuleFacts, handler: Handler): boolean {
  return asked(facts, handler).some((value) => someIngredient(facts, value, (part) => namesConflict(part), 40));
}

/** Whether a handler goes on where the request was a long poll: that nothing new came in its time is what it was sent for. */
export function isOfLongPoll(facts: ModuleFacts, { body }: Handler): boolean {
  return testsOf(null, statementsIn(body)).some((test) => someIngredient(facts, test, (part) => (part.kind === "name" && LONG_POLL.test(part.name)) || (part.kind === "member" && LONG_POLL.test(part.property ?? "")), 20));
}

const LONG_POLL = /long_?poll/i;

/** The types of a handler; where the language has none, what its body asks the error for. */
function asked(facts: ModuleFacts, { types, body }: Handler): readonly ValueId[] {
  if (types.length > 0 || facts.language === "python") return types;
  return testsOf(null, statementsIn(body));
}

function namesConflict(value: ModuleFacts["values"][number]): boolean {
  const name = value.kind === "name" ? value.name : value.kind === "member" ? value.property : value.kind === "string" ? value.value : null;
  return name !== null && name.length <= 60 && (NAMES.has(name) || wordsOf(name).some((word) => WORDS.has(word)));
}
