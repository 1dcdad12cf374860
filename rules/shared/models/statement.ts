import type { ModuleFacts } from "@agentgate/parsers";
import { onceFor } from "../indexes.ts";

const MOST_BACK = 64;

const byStart = onceFor((facts): Int32Array => Int32Array.from(facts.statements.keys()).sort((one, other) => facts.statements[one]![0] - facts.statements[other]![0]));

/** The innermost statement around an offset; the module's own where none is near. */
export function statementAround(facts: ModuleFacts, offset: number): number {
  const order = byStart(facts);
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (facts.statements[order[middle]!]![0] <= offset) low = middle + 1;
    else high = middle;
  }
  for (let index = low - 1; index >= 0 && index >= low - MOST_BACK; index--) {
    const statement = order[index]!;
    if (facts.statements[statement]![1] >= offset) return statement;
  }
  return 0;
}
