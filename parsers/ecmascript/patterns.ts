import type { Binding, BindingId, ScopeId, Span, TableEntry, ValueId } from "../facts.ts";
import { addTarget, markFollowed } from "./assignments.ts";
import { readDefault } from "./branches.ts";
import { spanOf, startOf } from "./estree.ts";
import type { Node, NodeOf } from "./estree.ts";
import { keyName } from "./members.ts";
import { readType } from "./types.ts";
import type { Walk } from "./walk.ts";

/** What the names of a pattern declare. */
export interface Declaration {
  readonly kind: Binding["kind"];
  readonly scope: ScopeId;
  /** The names are local and their own uses are followed: what they are given is no use by itself. */
  readonly isFollowed: boolean;
  /** No statement gives the names their values, as with parameters: then no target is made for one. */
  readonly isUnstated?: true;
  /** Called with each name declared. */
  readonly onName?: (name: string, value: ValueId | null, span: Span) => void;
}

const NO_TARGET = -1;

/**
 * Gives `source` to a name, a member or a pattern, and returns the target's value: a name, a member, a list or a table;
 * -1 where the declaration is unstated. With a declaration the names are declared, without one they are assigned.
 */
export function bind(walk: Walk, node: Node, source: ValueId, declaration: Declaration | null): ValueId {
  if (!walk.enter(node)) return walk.opaque([], spanOf(node));
  const target = bindInside(walk, node, source, declaration);
  walk.leave();
  return target;
}

function bindInside(walk: Walk, node: Node, source: ValueId, declaration: Declaration | null): ValueId {
  switch (node.type) {
    case "Identifier": return bindName(walk, node, source, declaration);
    case "ObjectPattern": return bindObject(walk, node, source, declaration);
    case "ArrayPattern": return bindArray(walk, node, source, declaration);
    case "AssignmentPattern": return bindDefault(walk, node, source, declaration);
    default: {
      const target = walk.expression(node);
      addTarget(walk, target, source);
      return target;
    }
  }
}

function bindName(walk: Walk, node: NodeOf<"Identifier">, source: ValueId, declaration: Declaration | null): ValueId {
  const { builder } = walk;
  const span = spanOf(node);
  if (declaration === null) {
    const target = builder.name(node.name, span);
    addTarget(walk, target, source);
    return target;
  }
  builder.give(declareName(walk, node, declaration), source);
  if (declaration.isFollowed) markFollowed(walk, source);
  declaration.onName?.(node.name, source, span);
  return declaration.isUnstated ? NO_TARGET : builder.name(node.name, span, declaration.scope);
}

/** Declares a name with its annotation, and gives it nothing yet. */
export function declareName(walk: Walk, node: NodeOf<"Identifier">, declaration: Declaration): BindingId {
  const { builder } = walk;
  const binding = builder.declare(node.name, declaration.kind, spanOf(node), declaration.scope);
  const annotation = node.typeAnnotation == null ? null : readType(walk, node.typeAnnotation);
  if (annotation !== null) builder.binding(binding).annotation ??= annotation;
  return binding;
}

function bindObject(walk: Walk, node: NodeOf<"ObjectPattern">, source: ValueId, declaration: Declaration | null): ValueId {
  const { builder } = walk;
  const entries: TableEntry[] = [];
  for (const property of node.properties) {
    if (property.type === "RestElement") {
      entries.push({ key: null, value: bind(walk, property.argument, source, declaration) });
      continue;
    }
    const name = keyName(property.key, property.computed);
    const span = spanOf(property.key);
    const key = name === null ? walk.expression(property.key) : builder.value({ kind: "string", value: name, span });
    const part = builder.member({
      object: source, property: name, key: name === null ? key : null, propertySpan: span, span: spanOf(property), ...(property.computed && { subscript: true }),
    });
    entries.push({ key, value: bind(walk, property.value, part, declaration) });
  }
  return declaration?.isUnstated ? NO_TARGET : builder.value({ kind: "table", entries, span: spanOf(node) });
}

function bindArray(walk: Walk, node: NodeOf<"ArrayPattern">, source: ValueId, declaration: Declaration | null): ValueId {
  const { builder } = walk;
  const items: ValueId[] = [];
  node.elements.forEach((element, index) => {
    if (element === null) {
      items.push(walk.opaque([], [startOf(node), startOf(node)]));
    } else if (element.type === "RestElement") {
      const value = bind(walk, element.argument, source, declaration);
      items.push(declaration?.isUnstated ? NO_TARGET : builder.value({ kind: "spread", value, span: spanOf(element) }));
    } else {
      const part = builder.value({ kind: "item", of: source, index, span: spanOf(element) });
      items.push(bind(walk, element, part, declaration));
    }
  });
  return declaration?.isUnstated ? NO_TARGET : builder.value({ kind: "list", items, form: "list", span: spanOf(node) });
}

/** `name = fallback` inside a pattern: the name is given either. */
function bindDefault(walk: Walk, node: NodeOf<"AssignmentPattern">, source: ValueId, declaration: Declaration | null): ValueId {
  const right = readDefault(walk, source, node.right);
  const either = walk.builder.value({ kind: "logical", operator: "??", left: source, right, span: spanOf(node) });
  return bind(walk, node.left, either, declaration);
}

/** The annotation of a pattern as a whole, which its names do not have. */
export function patternAnnotation(walk: Walk, pattern: Node): ValueId | null {
  if (pattern.type !== "ObjectPattern" && pattern.type !== "ArrayPattern") return null;
  return pattern.typeAnnotation == null ? null : readType(walk, pattern.typeAnnotation);
}
