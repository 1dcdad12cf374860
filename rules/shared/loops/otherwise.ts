import type { CallId, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { argumentOf, parametersBefore } from "../arguments.ts";
import { bare } from "../expressions.ts";
import { callPlaces } from "../statements.ts";
import { heldAt } from "./held.ts";
import { isNothing, narrowsWhatIsCompared, takesWhatIsAsked } from "./nearer.ts";
import { parameterRoot } from "./places.ts";

/**
 * Whether the function comes back to itself otherwise than it was called: without what the branch asks for
 * (`if (options.editor) return open(path, {})`), after a mode of its own was set (`self.strategy = Strategy.PLAIN`), or
 * nearer to its end.
 */
export function comesOtherwise(facts: ModuleFacts, context: RuleContext, id: FunctionId, call: CallId): boolean {
  const held = heldAt(facts, id, call);
  const entry = facts.calls[call]!;
  const subject = facts.functions[id]!;
  const bound = parametersBefore(facts, subject);
  const isTaken = subject.parameters.some((parameter, index) => {
    const given = index < bound ? "absent" : argumentOf(facts, entry, index - bound, parameter.name);
    const root = parameterRoot(facts, id, index);
    return typeof given === "number" && isNothing(facts, given) && [...held].some((place) => place === root || place.startsWith(`${root}.`));
  });
  return isTaken || setsMode(facts, id, call) || takesWhatIsAsked(facts, context, id, call) || narrowsWhatIsCompared(facts, id, call);
}

/** Whether an attribute is given a name, a text or true in the branch before the call. What is taken away, such as a token, is asked for anew. */
function setsMode(facts: ModuleFacts, id: FunctionId, call: CallId): boolean {
  const place = callPlaces(facts, id).get(call);
  if (place?.above == null) return false;
  return place.body.slice(0, place.index).some((statement) => statement.kind === "assign" && statement.operator === "=" && isMode(facts, statement.value)
    && statement.targets.some((target) => facts.values[target]?.kind === "member"));
}

function isMode(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "string") return value.value !== "";
  if (value?.kind === "constant") return value.value === true || value.value === false;
  // A member of an enumeration: `Strategy.PLAIN`.
  const object = value?.kind === "member" ? facts.values[bare(facts, value.object)] : undefined;
  return value?.kind === "member" && object?.kind === "name" && /^[A-Z]/.test(object.name);
}
