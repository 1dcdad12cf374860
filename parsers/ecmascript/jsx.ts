import type { TableEntry, ValueId } from "../facts.ts";
import { spanOf } from "./estree.ts";
import type { Node, NodeOf } from "./estree.ts";
import type { Walk } from "./walk.ts";

type ElementName = NodeOf<"JSXOpeningElement">["name"];
type Attribute = NodeOf<"JSXOpeningElement">["attributes"][number];

/** An element is opaque: the component, its attributes as a table, then its children. */
export function readElement(walk: Walk, node: NodeOf<"JSXElement">): ValueId {
  const { openingElement: opening } = node;
  const of: ValueId[] = [];
  const component = readName(walk, opening.name);
  if (component !== null) of.push(component);
  if (opening.attributes.length > 0) {
    const entries = opening.attributes.map((attribute) => readAttribute(walk, attribute));
    of.push(walk.builder.value({ kind: "table", entries, span: [spanOf(opening.attributes[0]!)[0], spanOf(opening.attributes.at(-1)!)[1]] }));
  }
  readChildren(walk, node.children, of);
  return walk.opaque(of, spanOf(node));
}

export function readFragment(walk: Walk, node: NodeOf<"JSXFragment">): ValueId {
  const of: ValueId[] = [];
  readChildren(walk, node.children, of);
  return walk.opaque(of, spanOf(node));
}

/** The component that an element names; null for the elements of the page itself, such as `div`. */
function readName(walk: Walk, name: ElementName): ValueId | null {
  const span = spanOf(name);
  if (name.type === "JSXMemberExpression") {
    const members: NodeOf<"JSXMemberExpression">[] = [];
    let inner: NodeOf<"JSXMemberExpression">["object"] = name;
    while (inner.type === "JSXMemberExpression") {
      members.push(inner);
      inner = inner.object;
    }
    let value = readObjectName(walk, inner);
    for (const member of members.reverse()) {
      const { property } = member;
      value = walk.builder.member({ object: value, property: property.name, key: null, propertySpan: spanOf(property), span: spanOf(member) });
    }
    return value;
  }
  // `<a:b>` names nothing in the file; a small first letter is an element of the page.
  if (name.type !== "JSXIdentifier" || /^[a-z]/.test(name.name)) return null;
  return walk.builder.name(name.name, span);
}

function readObjectName(walk: Walk, node: NodeOf<"JSXIdentifier">): ValueId {
  const span = spanOf(node);
  if (node.name !== "this") return walk.builder.name(node.name, span);
  return walk.receiver === null ? walk.opaque([], span) : walk.builder.value({ kind: "self", class: walk.receiver.class, span });
}

function readAttribute(walk: Walk, node: Attribute): TableEntry {
  if (node.type === "JSXSpreadAttribute") return { key: null, value: walk.expression(node.argument) };
  const span = spanOf(node.name);
  const name = node.name.type === "JSXNamespacedName" ? `${node.name.namespace.name}:${node.name.name.name}` : node.name.name;
  const key = walk.builder.value({ kind: "string", value: name, span });
  const value = node.value == null
    ? walk.builder.value({ kind: "constant", value: true, span })
    : readContent(walk, node.value) ?? walk.opaque([], spanOf(node.value));
  return { key, value };
}

function readChildren(walk: Walk, children: readonly Node[], of: ValueId[]): void {
  for (const child of children) {
    const value = readContent(walk, child);
    if (value !== null) of.push(value);
  }
}

/** What stands between tags or as the value of an attribute; null for text and for an empty container. */
function readContent(walk: Walk, node: Node): ValueId | null {
  if (node.type === "JSXText" || node.type === "JSXEmptyExpression") return null;
  if (node.type === "JSXSpreadChild" || node.type === "JSXExpressionContainer") {
    return node.expression.type === "JSXEmptyExpression" ? null : walk.expression(node.expression);
  }
  return walk.expression(node);
}
