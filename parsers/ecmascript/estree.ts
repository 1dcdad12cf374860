import type { Node as AnyNode } from "oxc-parser";
import type { Span } from "../facts.ts";

/**
 * The syntax tree as it is read here: ESTree with TypeScript, JSX and decorators. Written down as oxc types it; the
 * trees of @typescript-eslint/parser and espree have the same nodes, but leave out what oxc sets to null or to an
 * empty list. So a property that may be missing is read through `list` or compared with `== null`.
 */
export type Node = AnyNode;
export type NodeType = Node["type"];

/** The nodes whose `type` can be `T`. */
export type NodeOf<T extends NodeType> = Node extends infer N
  ? N extends { type: infer U } ? (T extends U ? N : never) : never
  : never;

const EMPTY: readonly never[] = [];

/** A list that a parser may leave out. */
export function list<T>(items: readonly T[] | null | undefined): readonly T[] {
  return items ?? EMPTY;
}

/** Where a node stands. Only `range` is read: it is the one thing that all parsers agree on. */
export function spanOf(node: { readonly range?: [number, number] }): Span {
  return node.range as Span;
}

export function startOf(node: { readonly range?: [number, number] }): number {
  return (node.range as Span)[0];
}

export function endOf(node: { readonly range?: [number, number] }): number {
  return (node.range as Span)[1];
}

/** The header of a compound statement: from its start up to its body, without the blanks between. */
export function headerSpan(text: string, start: number, bodyStart: number): Span {
  let end = bodyStart;
  while (end > start + 1 && isBlank(text.charCodeAt(end - 1))) end--;
  return [start, end];
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0x2028 || code === 0x2029;
}

/** The expression inside parentheses, type assertions, `!`, `?.` chains: what has no meaning at run time. */
export function unwrap(node: Node): Node {
  let inner = node;
  for (;;) {
    switch (inner.type) {
      case "ParenthesizedExpression":
      case "ChainExpression":
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "TSNonNullExpression":
      case "TSTypeAssertion":
      case "TSInstantiationExpression":
        inner = inner.expression;
        break;
      default:
        return inner;
    }
  }
}

/** The text of a literal string, or of a template without expressions; null for anything else. */
export function textOf(node: Node): string | null {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type !== "TemplateLiteral" || node.expressions.length > 0) return null;
  return node.quasis[0]?.value.cooked ?? null;
}

/** The name that an import or export specifier spells, quoted or not. */
export function specifierName(node: Node): string {
  if (node.type === "Identifier") return node.name;
  return textOf(node) ?? "";
}

/**
 * Every node directly below a node, in source order: for kinds that nothing else is known of, so that what is inside
 * is not lost. The order of keys differs between parsers, so it is not used.
 */
export function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const [key, value] of Object.entries(node) as [string, unknown][]) {
    if (key === "parent") continue;
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) if (isNode(item)) children.push(item);
  }
  return children.sort((a, b) => startOf(a) - startOf(b));
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "range" in value && typeof value.type === "string";
}
