import type { ScopeId, Span, ValueId } from "../facts.ts";
import { childrenOf, list, spanOf, textOf, unwrap } from "./estree.ts";
import type { Node, NodeOf } from "./estree.ts";
import { TYPE_CHILDREN } from "./type-children.ts";
import type { Walk } from "./walk.ts";

/** Types whose value is what they are given: awaited, or with other rules about its members. */
const SEE_THROUGH: ReadonlySet<string> = new Set(["Promise", "PromiseLike", "Awaited", "Readonly", "Partial", "Required", "NonNullable"]);

/**
 * Reads a type annotation and returns what values of it are instances of: a name or member, `a | b` for a union or an
 * intersection, opaque for the rest, with the text where it is one literal. Every name in it is a use of role `type`.
 */
export function readType(walk: Walk, annotation: Node): ValueId {
  const node = throughWrappers(walk, annotation);
  const text = onlyText(node);
  if (text !== null) return walk.opaque([walk.expression(text)], spanOf(node));
  if (node.type !== "TSUnionType" && node.type !== "TSIntersectionType") return readHead(walk, node) ?? walk.opaque([], spanOf(node));
  let union: ValueId | null = null;
  for (const member of node.types) {
    const right = readHead(walk, throughWrappers(walk, member));
    if (right === null) continue;
    union = union === null ? right : walk.builder.value({ kind: "binary", operator: "|", left: union, right, span: spanOf(node) });
  }
  return union ?? walk.opaque([], spanOf(node));
}

/** The one text that a type lets its values be: `"x"`, `"x" | null`; null for any other type. */
function onlyText(node: Node): Node | null {
  if (node.type !== "TSLiteralType" && node.type !== "TSUnionType") return null;
  const members = node.type === "TSUnionType" ? node.types.filter(({ type }) => type !== "TSNullKeyword" && type !== "TSUndefinedKeyword") : [node];
  const [only] = members;
  if (members.length !== 1 || only?.type !== "TSLiteralType") return null;
  return only.literal.type === "Literal" && typeof only.literal.value === "string" ? only.literal : null;
}

/** The type inside annotations, parentheses, `readonly` and types that are seen through. */
function throughWrappers(walk: Walk, type: Node): Node {
  let node = type;
  for (;;) {
    if (node.type === "TSTypeAnnotation" || node.type === "TSParenthesizedType" || node.type === "TSTypeOperator" || node.type === "TSOptionalType") {
      node = node.typeAnnotation;
      continue;
    }
    const inner = node.type === "TSTypeReference" && node.typeName.type === "Identifier" && SEE_THROUGH.has(node.typeName.name) ? list(node.typeArguments?.params) : [];
    if (node.type !== "TSTypeReference" || inner.length !== 1) return node;
    readEntity(walk, node.typeName);
    node = inner[0]!;
  }
}

/** The class or interface that a type names; null, with the names in it read, for any other. */
function readHead(walk: Walk, node: Node): ValueId | null {
  switch (node.type) {
    case "TSTypeReference": {
      const head = readEntity(walk, node.typeName);
      if (node.typeArguments != null) typeUses(walk, node.typeArguments);
      return head;
    }
    case "TSTypeQuery":
      if (node.typeArguments != null) typeUses(walk, node.typeArguments);
      return readQueried(walk, node);
    case "TSImportType": 
      if (node.typeArguments != null) typeUses(walk, node.typeArguments);
      return readImportType(walk, node);
    default:
      typeUses(walk, node);
      return null;
  }
}

/** `typeof x` in a type: x is a value, or an import that is there only for its type. */
function readQueried(walk: Walk, node: NodeOf<"TSTypeQuery">): ValueId {
  return node.exprName.type === "TSImportType" ? readImportType(walk, node.exprName) : readEntity(walk, node.exprName, true);
}

/** Reads `a.b.c` where it names a type. */
export function readEntity(walk: Walk, node: Node, isValue = false): ValueId {
  const { builder } = walk;
  const members: { readonly property: string; readonly propertySpan: Span; readonly span: Span }[] = [];
  let inner = unwrap(node);
  for (;;) {
    if (inner.type === "TSQualifiedName") {
      members.push({ property: inner.right.name, propertySpan: spanOf(inner.right), span: spanOf(inner) });
      inner = inner.left;
    } else if (inner.type === "MemberExpression" && inner.property.type === "Identifier" && !inner.computed) {
      members.push({ property: inner.property.name, propertySpan: spanOf(inner.property), span: spanOf(inner) });
      inner = unwrap(inner.object);
    } else {
      break;
    }
  }
  let value = inner.type === "Identifier" ? builder.name(inner.name, spanOf(inner), scopeOf(walk, inner.name, isValue)) : walk.opaque([], spanOf(inner));
  for (const member of members.reverse()) value = builder.member({ object: value, key: null, ...member });
  builder.role(value, "type");
  return value;
}

function scopeOf(walk: Walk, name: string, isValue: boolean): ScopeId {
  const scope = walk.typeScopeOf(name);
  if (!isValue || scope === walk.builder.scope) return scope;
  const { scopes, bindings } = walk.builder.draft.facts;
  return bindings[scopes[scope]!.names[name]!]!.kind === "type" ? walk.builder.scope : scope;
}

/** `import("x").Name` in a type: an import that is gone at run time. */
function readImportType(walk: Walk, node: NodeOf<"TSImportType">): ValueId {
  const { builder } = walk;
  const path: string[] = [];
  let qualifier: Node | null = node.qualifier;
  while (qualifier?.type === "TSQualifiedName") {
    path.push(qualifier.right.name);
    qualifier = qualifier.left;
  }
  if (qualifier?.type === "Identifier") path.push(qualifier.name);
  path.reverse();
  const span = spanOf(node);
  const index = builder.import({
    form: "from", specifier: textOf(node.source) ?? "", names: [{ imported: path[0] ?? "*", binding: -1, span, typeOnly: true }],
    span, specifierSpan: spanOf(node.source), function: builder.function, typeOnly: true,
  });
  return builder.value({ kind: "imported", import: index, path, span });
}

/** As `unwrap`, with the types of the assertions read on the way. */
export function unwrapTyped(walk: Walk, node: Node): Node {
  const inner = unwrap(node);
  for (let outer = node; outer !== inner && "expression" in outer; outer = outer.expression as Node) {
    if ("typeAnnotation" in outer) typeUses(walk, outer.typeAnnotation);
    if (outer.type === "TSInstantiationExpression") typeUses(walk, outer.typeArguments);
  }
  return inner;
}

/** Reads every name in a type, or in a declaration of which nothing runs, as a use of role `type`. */
export function typeUses(walk: Walk, root: Node): void {
  const stack: Node[] = [root];
  const { types } = walk;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    switch (node.type) {
      case "TSTypeReference": readEntity(walk, node.typeName); break;
      case "TSTypeQuery": readQueried(walk, node); break;
      case "TSImportType": readImportType(walk, node); break;
      case "TSInterfaceHeritage":
      case "TSClassImplements": readEntity(walk, node.expression); break;
      case "TSTypeParameter": declareType(walk, node.name, types); break;
      case "TSMappedType": declareType(walk, node.key, types); break;
      case "ClassDeclaration": if (node.superClass != null) readEntity(walk, node.superClass); break;
      default:
    }
    pushChildren(stack, node);
  }
  walk.types = types;
}

/** Declares a type parameter where it stands; those of the type being read share one scope, opened with the first. */
function declareType(walk: Walk, id: NodeOf<"Identifier">, outer: Walk["types"]): void {
  if (walk.types === outer) walk.openTypes();
  walk.builder.declare(id.name, "type", spanOf(id), walk.types!.scope);
}

function pushChildren(stack: Node[], node: Node): void {
  const keys = TYPE_CHILDREN[node.type];
  if (keys === undefined) {
    for (const child of childrenOf(node).reverse()) stack.push(child);
    return;
  }
  for (let index = keys.length - 1; index >= 0; index--) {
    const below = (node as unknown as Record<string, Node | readonly (Node | null)[] | null | undefined>)[keys[index]!];
    if (below == null) continue;
    if (!Array.isArray(below)) {
      stack.push(below as Node);
      continue;
    }
    for (let item = below.length - 1; item >= 0; item--) if (below[item] != null) stack.push(below[item] as Node);
  }
}

/** Declares type parameters for what follows, until `walk.types` is set back. */
export function declareTypeParameters(walk: Walk, node: NodeOf<"TSTypeParameterDeclaration">): void {
  if (node.params.length === 0) return;
  const scope = walk.openTypes();
  for (const parameter of node.params) {
    const { name } = parameter as { readonly name: string | NodeOf<"Identifier"> };
    // Parsers of Flow write the name itself.
    if (typeof name === "string") walk.builder.declare(name, "type", spanOf(parameter), scope);
    else walk.builder.declare(name.name, "type", spanOf(name), scope);
  }
  for (const { constraint, default: fallback } of node.params) {
    if (constraint != null) typeUses(walk, constraint);
    if (fallback != null) typeUses(walk, fallback);
  }
}
