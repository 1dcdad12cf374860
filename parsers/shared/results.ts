import type { FunctionId, Statement, ValueId } from "../facts.ts";
import { shapesOfAnnotation } from "./annotations.ts";
import type { Resolver } from "./resolver.ts";
import type { Shape } from "./shapes.ts";
import { Union } from "./union.ts";

/** What calling a function of the file gives: what it returns or yields; its annotation where that tells nothing. */
export function shapesOfResult(resolver: Resolver, id: FunctionId): readonly Shape[] {
  const union = new Union();
  for (const value of returnedBy(resolver, id)) union.add(resolver.shapesOf(value));
  const shapes = union.result(resolver.world);
  const { returnAnnotation } = resolver.facts.functions[id]!;
  return shapes.length > 0 || returnAnnotation === null ? shapes : shapesOfAnnotation(resolver, returnAnnotation);
}

/** The values that a function returns; of a generator also what it yields. */
export function returnedBy(resolver: Resolver, id: FunctionId): readonly ValueId[] {
  const { body, generator } = resolver.facts.functions[id]!;
  const values: ValueId[] = [];
  eachStatement(body, (statement) => {
    if (statement.kind === "return" && statement.value !== null) values.push(statement.value);
    if (generator && (statement.kind === "expression" || statement.kind === "assign")) {
      const value = resolver.value(statement.value);
      if (value.kind === "yield" && value.value !== null) values.push(value.value);
    }
  });
  return values;
}

/** Visits every statement of a body with all inside it, without recursion. */
export function eachStatement(body: readonly Statement[], visit: (statement: Statement) => void): void {
  const lists: (readonly Statement[])[] = [body];
  while (lists.length > 0) {
    for (const statement of lists.pop()!) {
      visit(statement);
      // Most statements are calls.
      if (statement.kind !== "call") addInner(statement, lists);
    }
  }
}

function addInner(statement: Statement, lists: (readonly Statement[])[]): void {
  switch (statement.kind) {
    case "test":
      if (statement.then.length > 0) lists.push(statement.then);
      if (statement.else.length > 0) lists.push(statement.else);
      return;
    case "loop": lists.push(statement.before, statement.update, statement.body, statement.otherwise); return;
    case "try":
      lists.push(statement.body, statement.otherwise, statement.finally);
      for (const handler of statement.handlers) lists.push(handler.body);
      return;
    case "with":
    case "block": lists.push(statement.body); return;
    default:
  }
}
