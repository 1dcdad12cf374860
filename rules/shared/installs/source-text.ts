import type { Call, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { usesOf } from "../consumers.ts";
import { callsApi, parentsOf } from "../expressions.ts";

const MOST_FUNCTIONS = 16;

/** Whether a call stands in a function of which the file only takes the source text: it runs where that is sent. */
export function isOnlyText(facts: ModuleFacts, call: Call): boolean {
  let current = call.function;
  for (let step = 0; step < MOST_FUNCTIONS && current > 0; step++) {
    if (isTakenAsText(facts, current)) return true;
    current = facts.functions[current]?.parent ?? -1;
  }
  return false;
}

/** Not for others: in Python by its underscore, in JavaScript as an export would be a use of it. */
function isTakenAsText(facts: ModuleFacts, id: FunctionId): boolean {
  const subject = facts.functions[id]!;
  const scope = facts.functions[subject.parent]?.scope ?? -1;
  const binding = facts.scopes[scope]?.names[subject.name];
  if (subject.class !== -1 || binding === undefined || isOffered(facts, id)) return false;
  const uses = usesOf(facts, binding);
  return uses.length > 0 && uses.every((use) => isSourceOf(facts, use));
}

function isOffered(facts: ModuleFacts, id: FunctionId): boolean {
  const { name, parent } = facts.functions[id]!;
  if (parent !== 0) return false;
  return facts.language === "python" ? !name.startsWith("_") : facts.exports.some((entry) => entry.name === name);
}

/** `inspect.getsource(install)`, `install.toString()`, `String(install)`, `${install}`. */
function isSourceOf(facts: ModuleFacts, use: ValueId): boolean {
  const around = facts.values[parentsOf(facts)[use] ?? -1];
  if (around?.kind === "call") return callsApi(facts.calls[around.call]!, ["inspect.getsource", "inspect.getsourcelines", "globalThis.String"]) && facts.calls[around.call]!.callee !== use;
  if (around?.kind === "template") return facts.language === "ecmascript";
  return around?.kind === "member" && around.property === "toString";
}
