import type { Span, Value, ValueId } from "../facts.ts";
import { foldCall, foldTagged, importCall, isLiteralRequire, newCall, requireLiteral } from "./calls.ts";
import { childrenOf, endOf, list, spanOf, startOf } from "./estree.ts";
import type { Node, NodeOf, NodeType } from "./estree.ts";
import { readAssignment, readUpdate } from "./assignments.ts";
import { readClassExpression } from "./classes.ts";
import { readFunctionExpression } from "./functions.ts";
import { readElement, readFragment } from "./jsx.ts";
import { foldMember, readSuper } from "./members.ts";
import { readObject } from "./objects.ts";
import { foldConditional, foldLogical } from "./branches.ts";
import { typeUses } from "./types.ts";
import type { Walk } from "./walk.ts";

type Read<N> = (walk: Walk, node: N) => ValueId;

/**
 * How one kind of expression is read. Kinds that begin with another expression (`left`) make chains that may be
 * thousands long, so they are not read by recursion: `left` goes down, `fold` comes back up with the value below.
 */
interface Kind<N> {
  readonly read?: Read<N>;
  readonly left?: (node: N, walk: Walk) => Node | null;
  readonly fold?: (walk: Walk, node: N, left: ValueId) => ValueId;
}

type Kinds = { readonly [T in NodeType]?: Kind<NodeOf<T>> };

const transparent = {
  left: (node: { readonly expression: Node }): Node => node.expression,
  fold: (_walk: Walk, _node: Node, value: ValueId): ValueId => value,
};

const cast = {
  left: (node: { readonly expression: Node }): Node => node.expression,
  fold: (walk: Walk, node: NodeOf<"TSAsExpression" | "TSSatisfiesExpression" | "TSTypeAssertion">, value: ValueId): ValueId => {
    typeUses(walk, node.typeAnnotation);
    return value;
  },
};

const KINDS: Kinds = {
  Identifier: { read: readIdentifier },
  Literal: { read: readLiteral },
  TemplateLiteral: { read: readTemplate },
  ThisExpression: { read: readThis },
  Super: { read: readSuper },
  ArrayExpression: { read: readArray },
  ObjectExpression: { read: readObject },
  FunctionExpression: { read: readFunctionExpression },
  ArrowFunctionExpression: { read: readFunctionExpression },
  ClassExpression: { read: readClassExpression },
  UnaryExpression: { read: readUnary },
  UpdateExpression: { read: readUpdate },
  AssignmentExpression: { read: readAssignment },
  AwaitExpression: { read: readAwait },
  YieldExpression: { read: readYield },
  SequenceExpression: { read: readSequence },
  SpreadElement: { read: readSpread },
  NewExpression: { read: newCall },
  ImportExpression: { read: importCall },
  MetaProperty: { read: (walk, node) => walk.builder.name(`${node.meta.name}.${node.property.name}`, spanOf(node)) },
  JSXElement: { read: readElement },
  JSXFragment: { read: readFragment },
  MemberExpression: { left: (node) => node.object, fold: foldMember },
  CallExpression: { left: (node, walk) => (isLiteralRequire(walk, node) ? null : node.callee), read: requireLiteral, fold: foldCall },
  TaggedTemplateExpression: { left: (node) => node.tag, fold: foldTagged },
  BinaryExpression: { left: (node) => (node.left.type === "PrivateIdentifier" ? null : node.left), read: readPrivateIn, fold: foldBinary },
  LogicalExpression: { left: (node) => node.left, fold: foldLogical },
  ConditionalExpression: { left: (node) => node.test, fold: foldConditional },
  ChainExpression: transparent,
  ParenthesizedExpression: transparent,
  TSNonNullExpression: transparent,
  TSAsExpression: cast,
  TSSatisfiesExpression: cast,
  TSTypeAssertion: cast,
  TSInstantiationExpression: {
    left: (node) => node.expression,
    fold: (walk, node, value) => {
      typeUses(walk, node.typeArguments);
      return value;
    },
  },
};

const UNKNOWN: Kind<Node> = { read: readUnknown };

/** A map finds text that the parser has just made quicker than an object does. */
const TABLE = new Map(Object.entries(KINDS as unknown as Readonly<Record<string, Kind<Node>>>));

function kindOf(node: Node): Kind<Node> {
  return TABLE.get(node.type) ?? UNKNOWN;
}

/** Reads an expression: down its left side, then back up. */
export function readExpression(walk: Walk, node: Node): ValueId {
  const { spine, folds } = walk;
  const base = spine.length;
  let innermost = node;
  let kind = kindOf(node);
  while (kind.left !== undefined) {
    const left = kind.left(innermost, walk);
    if (left === null) break;
    spine.push(innermost);
    folds.push(kind.fold!);
    innermost = left;
    kind = kindOf(left);
  }
  let value = (kind.read ?? readUnknown)(walk, innermost);
  while (spine.length > base) value = folds.pop()!(walk, spine.pop()!, value);
  return value;
}

function readIdentifier(walk: Walk, node: NodeOf<"Identifier">): ValueId {
  const span = spanOf(node);
  if (node.name === "undefined") return walk.builder.value({ kind: "constant", value: null, undefined: true, span });
  if (node.name === "arguments" && walk.hasArguments) return walk.opaque([], span);
  return walk.builder.name(node.name, span);
}

function readLiteral(walk: Walk, node: NodeOf<"Literal">): ValueId {
  return walk.builder.value(literalOf(node));
}

function literalOf(node: NodeOf<"Literal">): Value {
  const span = spanOf(node);
  const { value } = node;
  if (typeof value === "string") return { kind: "string", value, span };
  if (typeof value === "number") return { kind: "number", value, span };
  if ("regex" in node) return { kind: "regex", pattern: node.regex.pattern, span };
  if ("bigint" in node) return { kind: "number", value: bigintOf(node.bigint), span };
  return { kind: "constant", value: typeof value === "boolean" ? value : null, span };
}

function bigintOf(digits: string): number {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : Number.NaN;
}

/** A template without expressions is a string. */
export function readTemplate(walk: Walk, node: NodeOf<"TemplateLiteral">): ValueId {
  const { builder } = walk;
  const span = spanOf(node);
  if (node.expressions.length === 0) return builder.value({ kind: "string", value: cookedOf(node.quasis[0]), span });
  const parts: ValueId[] = [];
  node.quasis.forEach((quasi, index) => {
    const text = cookedOf(quasi);
    if (text !== "") parts.push(builder.value({ kind: "string", value: text, span: spanOf(quasi) }));
    const expression = node.expressions[index];
    if (expression !== undefined) parts.push(walk.expression(expression));
  });
  return builder.value({ kind: "template", parts, span });
}

function cookedOf(quasi: NodeOf<"TemplateElement"> | undefined): string {
  return quasi?.value.cooked ?? quasi?.value.raw ?? "";
}

function readThis(walk: Walk, node: NodeOf<"ThisExpression">): ValueId {
  const span = spanOf(node);
  if (walk.receiver === null) return walk.opaque([], span);
  return walk.builder.value({ kind: "self", class: walk.receiver.class, span });
}

function readArray(walk: Walk, node: NodeOf<"ArrayExpression">): ValueId {
  const items: ValueId[] = [];
  for (const element of node.elements) items.push(element === null ? hole(walk, spanOf(node)) : walk.expression(element));
  return walk.builder.value({ kind: "list", items, form: "list", span: spanOf(node) });
}

function hole(walk: Walk, around: Span): ValueId {
  return walk.builder.value({ kind: "constant", value: null, undefined: true, span: [around[0], around[0]] });
}

function readSpread(walk: Walk, node: NodeOf<"SpreadElement">): ValueId {
  return walk.builder.value({ kind: "spread", value: walk.expression(node.argument), span: spanOf(node) });
}

const UNARY = { "!": "not", "-": "-", "+": "+", "~": "~", typeof: "typeof", void: "void", delete: "delete" } as const;

function readUnary(walk: Walk, node: NodeOf<"UnaryExpression">): ValueId {
  const value = walk.expression(node.argument);
  if (node.operator === "delete") walk.builder.role(value, "write");
  // A parser may know more: `throw x` as an expression.
  const operator = UNARY[node.operator] as (typeof UNARY)[keyof typeof UNARY] | undefined;
  if (operator === undefined) return walk.builder.value({ kind: "opaque", of: [value], span: spanOf(node) });
  return walk.builder.value({ kind: "unary", operator, value, span: spanOf(node) });
}

function readAwait(walk: Walk, node: NodeOf<"AwaitExpression">): ValueId {
  const outer = walk.awaited;
  walk.awaited = callOf(node.argument);
  const value = walk.expression(node.argument);
  walk.awaited = outer;
  return walk.builder.value({ kind: "await", value, span: spanOf(node) });
}

/** The node of the call that is awaited, through what is transparent. */
function callOf(node: Node): Node {
  let inner = node;
  while (kindOf(inner).left !== undefined && "expression" in inner) inner = inner.expression as Node;
  return inner;
}

function readYield(walk: Walk, node: NodeOf<"YieldExpression">): ValueId {
  const value = node.argument == null ? null : walk.expression(node.argument);
  return walk.builder.value({ kind: "yield", value, ...(node.delegate && { delegate: true }), span: spanOf(node) });
}

/** `(a, b)` is b; what stands before is evaluated and dropped. */
function readSequence(walk: Walk, node: NodeOf<"SequenceExpression">): ValueId {
  let last: ValueId = -1;
  for (const expression of node.expressions) {
    last = walk.expression(expression);
  }
  return last;
}

const BINARY: Readonly<Record<string, string>> = { "===": "==", "!==": "!=" };

function foldBinary(walk: Walk, node: NodeOf<"BinaryExpression">, left: ValueId): ValueId {
  const right = walk.expression(node.right);
  if (node.operator === "instanceof") walk.builder.role(right, "exception");
  return walk.builder.value({ kind: "binary", operator: BINARY[node.operator] ?? node.operator, left, right, span: spanOf(node) });
}

/** `#x in object`. */
function readPrivateIn(walk: Walk, node: NodeOf<"BinaryExpression">): ValueId {
  return walk.opaque([walk.expression(node.right)], spanOf(node));
}

/** A kind that this table does not have: what stands inside is read as expressions. */
function readUnknown(walk: Walk, node: Node): ValueId {
  const of = childrenOf(node).map((child) => walk.expression(child));
  return walk.opaque(of, [startOf(node), endOf(node)]);
}

/** Reads several expressions in order. */
export function readAll(walk: Walk, nodes: readonly Node[] | null | undefined): ValueId[] {
  return list(nodes).map((node) => walk.expression(node));
}
