import type { ValueId } from "../facts.ts";
import { nameSpanOf } from "./calls.ts";
import { list, spanOf } from "./estree.ts";
import type { Node, NodeOf } from "./estree.ts";
import type { Walk } from "./walk.ts";

/** A decorator that was evaluated and is still to be applied. */
export interface Decoration {
  readonly node: NodeOf<"Decorator">;
  readonly value: ValueId;
}

/** Evaluates decorators from top to bottom, before what they decorate is defined. */
export function readDecorators(walk: Walk, nodes: readonly NodeOf<"Decorator">[] | null | undefined): Decoration[] {
  return list(nodes).map((node) => ({ node, value: walk.expression(node.expression) }));
}

/** Applies decorators to what they decorate, the one nearest to it first. `target` null: a field or parameter. */
export function applyDecorators(walk: Walk, decorations: readonly Decoration[], target: ValueId | null, statement: number): void {
  const { builder } = walk;
  builder.statement = statement;
  for (const { node, value } of decorations.toReversed()) {
    const expression: Node = node.expression;
    builder.call({
      callee: value, arguments: target === null ? [] : [{ value: target }], span: spanOf(node), nameSpan: nameSpanOf(expression), decorator: true,
    });
  }
}
