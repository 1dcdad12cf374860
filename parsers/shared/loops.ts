import type { BindingId, Statement, ValueId } from "../facts.ts";
import type { Resolver } from "./resolver.ts";
import { eachStatement } from "./results.ts";

type Loop = Extract<Statement, { kind: "loop" }>;

/** The one name that takes the items of an iterable, where its loop holds no condition. */
export function loopBinding(resolver: Resolver, iterable: ValueId): BindingId | undefined {
  const loop = resolver.once("loops", () => findLoops(resolver)).get(iterable);
  const [target] = loop?.targets ?? [];
  if (loop === undefined || target === undefined || loop.targets.length !== 1) return undefined;
  if (loop.body.some((statement) => statement.kind === "test")) return undefined;
  const value = resolver.value(target);
  return value.kind === "name" && value.binding >= 0 ? value.binding : undefined;
}

function findLoops(resolver: Resolver): Map<ValueId, Loop> {
  const loops = new Map<ValueId, Loop>();
  for (const { body } of resolver.facts.functions) {
    eachStatement(body, (statement) => {
      if (statement.kind === "loop" && statement.iterable !== null) loops.set(statement.iterable, statement);
    });
  }
  return loops;
}
