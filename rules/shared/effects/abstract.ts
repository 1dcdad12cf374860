import { definitionsOf } from "@agentgate/parsers";
import type { FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";

/** Whether a method only says what its overrides do: its body is empty, a docstring, or raises. */
export function isAbstract(facts: ModuleFacts, id: FunctionId): boolean {
  const subject = facts.functions[id];
  if (subject === undefined || subject.class < 0) return false;
  let hasRaised = false;
  for (const statement of subject.body) {
    if (statement.kind === "jump" && statement.to === "raise") hasRaised = true;
    else if (statement.kind === "return" && statement.value === null) continue;
    else if (statement.kind === "expression" && isNothing(facts, statement.value)) continue;
    else if (statement.kind !== "call") return false;
  }
  return hasRaised || subject.body.every((statement) => statement.kind !== "call");
}

function isNothing(facts: ModuleFacts, id: ValueId): boolean {
  const { kind } = facts.values[id]!;
  return kind === "string" || kind === "constant" || kind === "opaque" || (kind === "yield");
}

/** Whether all that a callee can be in its file are abstract methods. */
export function onlyAbstract(facts: ModuleFacts, callee: ValueId): boolean {
  const definitions = definitionsOf(facts, callee);
  return definitions.length > 0 && definitions.every(({ kind, id }) => kind === "function" && isAbstract(facts, id));
}
