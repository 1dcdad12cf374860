import type { FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { isApi } from "../expressions.ts";
import { statementsIn } from "../statements.ts";

/**
 * The function in which something written in another one runs: field values of a class written without `static` run
 * when it is constructed, static ones and static blocks where the class is defined.
 */
export function runFunction(facts: ModuleFacts, id: FunctionId): FunctionId {
  let current = id;
  for (let step = 0; step < 64; step++) {
    const subject = facts.functions[current];
    if (subject?.kind !== "initializer" || subject.static !== true) return current;
    current = subject.parent;
  }
  return current;
}

/** Finds the innermost function around an offset. */
export function enclosingFunctions(facts: ModuleFacts): (offset: number) => FunctionId {
  const ids = facts.functions.map((_, id) => id).slice(1).filter((id) => facts.functions[id]!.kind !== "initializer");
  ids.sort((one, other) => facts.functions[one]!.span[0] - facts.functions[other]!.span[0] || facts.functions[other]!.span[1] - facts.functions[one]!.span[1]);
  const starts = ids.map((id) => facts.functions[id]!.span[0]);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    let id: FunctionId = ids[low - 1] ?? 0;
    for (let step = 0; id > 0 && step < 256 && facts.functions[id]!.span[1] <= offset; step++) id = facts.functions[id]!.parent;
    return Math.max(id, 0);
  };
}

/**
 * Statements of the module's body that run only where it is the program that was started: below
 * `if __name__ == "__main__"`, `if (require.main === module)`, `if (import.meta.main)`.
 */
export function mainStatements(facts: ModuleFacts): ReadonlySet<number> {
  const found = new Set<number>();
  for (const statement of statementsIn(facts.functions[0]?.body ?? [])) {
    if (statement.kind !== "test" || !asksForMain(facts, statement.test)) continue;
    for (const each of statementsIn(statement.then)) found.add(each.at);
  }
  return found;
}

function asksForMain(facts: ModuleFacts, id: ValueId): boolean {
  const test = facts.values[id];
  if (facts.language === "ecmascript" && isApi(facts, id, ["globalThis.import.meta.main"])) return true;
  if (test?.kind !== "binary" || test.operator !== "==") return false;
  const sides = [test.left, test.right];
  if (facts.language === "ecmascript") return sides.some((side) => isApi(facts, side, ["globalThis.require.main"]));
  const isName = sides.some((side) => {
    const value = facts.values[side];
    return value?.kind === "name" && value.name === "__name__";
  });
  return isName && sides.some((side) => {
    const value = facts.values[side];
    return value?.kind === "string" && value.value === "__main__";
  });
}
