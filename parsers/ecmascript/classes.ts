import type { BindingId, ClassFacts, Span, ValueId } from "../facts.ts";
import type { Decoration } from "./decorators.ts";
import { applyDecorators, readDecorators } from "./decorators.ts";
import { headerSpan, list, spanOf, startOf } from "./estree.ts";
import type { NodeOf } from "./estree.ts";
import { readMember } from "./class-members.ts";
import type { ClassContext } from "./class-members.ts";
import { declareTypeParameters, typeUses } from "./types.ts";
import type { Walk } from "./walk.ts";

type ClassNode = NodeOf<"ClassDeclaration" | "ClassExpression">;

interface Naming {
  readonly name: string;
  readonly span: Span;
  /** -1 where nothing names it. */
  readonly binding: BindingId;
}

/** A class declaration; returns its value, null where it is only declared for the types. */
export function readClassDeclaration(walk: Walk, node: ClassNode): ValueId | null {
  const { builder } = walk;
  const start = startOf(node);
  builder.openStatement(headerSpan(walk.text, start, startOf(node.body)));
  if (walk.isAmbient || node.declare === true) {
    typeUses(walk, node);
    return null;
  }
  const { id } = node;
  const binding = id == null ? -1 : builder.declare(id.name, "class", spanOf(id));
  return readClass(walk, node, { name: id?.name ?? "", span: id == null ? [start, start] : spanOf(id), binding });
}

export function readClassExpression(walk: Walk, node: NodeOf<"ClassExpression">): ValueId {
  const start = startOf(node);
  return readClassNamed(walk, node, "", [start, start]);
}

/** A class expression, which takes `name` where it has none of its own. */
export function readClassNamed(walk: Walk, node: NodeOf<"ClassExpression">, name: string, span: Span): ValueId {
  const { builder } = walk;
  const { id } = node;
  if (id == null) return readClass(walk, node, { name, span, binding: -1 });
  const { scope } = builder;
  // The own name of a class expression is known only inside it.
  builder.scope = builder.openScope("block");
  const binding = builder.declare(id.name, "class", spanOf(id));
  const value = readClass(walk, node, { name: id.name, span: spanOf(id), binding });
  builder.scope = scope;
  return value;
}

function readClass(walk: Walk, node: ClassNode, naming: Naming): ValueId {
  const { builder } = walk;
  const at = builder.statement;
  const decorations = readDecorators(walk, node.decorators);
  const context = openClass(walk, node, naming, decorations);
  const { types } = walk;
  if (node.typeParameters != null) declareTypeParameters(walk, node.typeParameters);
  if (node.superTypeArguments != null) typeUses(walk, node.superTypeArguments);
  for (const contract of list(node.implements)) typeUses(walk, contract);
  for (const member of node.body.body) readMember(walk, member, context);
  walk.types = types;
  builder.statement = at;
  builder.body.push({ kind: "define", class: context.id, at });
  const value = builder.value({ kind: "class", class: context.id, span: spanOf(node) });
  if (naming.binding >= 0) builder.give(naming.binding, value);
  applyDecorators(walk, decorations, value, at);
  return value;
}

function openClass(walk: Walk, node: ClassNode, { name, span, binding }: Naming, decorations: readonly Decoration[]): ClassContext {
  const { builder } = walk;
  const base = node.superClass == null ? null : walk.expression(node.superClass);
  if (base !== null) builder.role(base, "base");
  const id = builder.reserveClass({
    name, bases: base === null ? [] : [base], decorators: decorations.map((decoration) => decoration.value), fields: [],
    span: spanOf(node), nameSpan: span, function: builder.function, binding,
    // Names come from the source: `__proto__` and `constructor` must be plain keys.
    attributes: Object.create(null) as ClassFacts["attributes"],
  });
  return { id, receiver: { class: id, superClass: node.superClass ?? null, base: base ?? -1, scope: builder.scope }, object: -1, static: -1 };
}
