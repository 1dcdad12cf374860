import type { FunctionFacts, ModuleFacts, Value } from "@agentgate/parsers";

/** Whether a body is `...` alone: a signature for readers and type checkers, which nobody runs. */
export function isSignature(facts: ModuleFacts, body: FunctionFacts["body"]): boolean {
  const values = body.map((statement) => (statement.kind === "expression" ? facts.values[statement.value] : undefined));
  const isEllipsis = (value: Value | undefined): boolean => value?.kind === "opaque" && value.of.length === 0 && value.span[1] - value.span[0] === 3;
  return values.some(isEllipsis) && values.every((value) => isEllipsis(value) || (value?.kind === "string" && value.docstring === true));
}
