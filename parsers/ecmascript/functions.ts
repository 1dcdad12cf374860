import type { ClassId, FunctionFacts, FunctionId, Span, ValueId } from "../facts.ts";
import { readList } from "./blocks.ts";
import { readClassNamed } from "./classes.ts";
import { headerSpan, spanOf, startOf, unwrap } from "./estree.ts";
import type { Node, NodeOf } from "./estree.ts";
import { readParameters } from "./parameters.ts";
import { declareTypeParameters, readType, typeUses, unwrapTyped } from "./types.ts";
import type { Receiver, Walk } from "./walk.ts";

export type FunctionNode = NodeOf<"FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression" | "TSEmptyBodyFunctionExpression">;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What is known of a function from around it. */
export interface FunctionInput {
  readonly name: string;
  readonly nameSpan: Span;
  readonly kind: FunctionFacts["kind"];
  readonly class?: ClassId;
  /** What `this` is in it; absent: as around an arrow function, else unknown. */
  readonly receiver?: Receiver;
  readonly static?: boolean;
  /** Where it stands, if that is more than the function's own node. */
  readonly span?: Span;
  readonly decorators?: readonly ValueId[];
}

/** Reads a function with all that is in it, and returns its index. */
export function readFunction(walk: Walk, node: FunctionNode, input: FunctionInput): FunctionId {
  const { builder } = walk;
  const place = walk.save();
  const id = openFunction(walk, input, input.span ?? spanOf(node), node.type === "ArrowFunctionExpression");
  const facts = builder.draft.facts.functions[id] as Mutable<FunctionFacts>;
  if (node.async) facts.async = true;
  if (node.generator) facts.generator = true;
  if (node.typeParameters != null) declareTypeParameters(walk, node.typeParameters);
  facts.parameters = readParameters(walk, id, node.params, input.class ?? -1);
  if (node.returnType != null) facts.returnAnnotation = readType(walk, node.returnType);
  if (node.body != null) readFunctionBody(walk, node.body);
  walk.restore(place);
  return id;
}

/** Opens a function with its scope and an empty body; `walk.restore` leaves it. */
export function openFunction(walk: Walk, input: FunctionInput, span: Span, isArrow: boolean): FunctionId {
  const { builder } = walk;
  const facts: Mutable<FunctionFacts> = {
    name: input.name, kind: input.kind, ...(input.static && { static: true as const }), parameters: [], returnAnnotation: null,
    decorators: input.decorators ?? [], span, nameSpan: input.nameSpan, parent: builder.function, class: input.class ?? -1,
    scope: builder.draft.facts.scopes.length, body: [],
  };
  const id = builder.reserveFunction(facts);
  builder.scope = builder.openScope("function", builder.scope, id);
  builder.function = id;
  builder.body = facts.body as FunctionFacts["body"] & typeof builder.body;
  walk.variableScope = builder.scope;
  walk.isOptional = false;
  walk.switchLabel = null;
  if (input.receiver !== undefined) walk.receiver = input.receiver;
  else if (!isArrow) walk.receiver = null;
  walk.hasArguments ||= !isArrow;
  return id;
}

function readFunctionBody(walk: Walk, body: Node): void {
  if (body.type === "BlockStatement") {
    readList(walk, body.body);
    return;
  }
  const value = walk.expression(body);
  walk.builder.body.push({ kind: "return", value, at: walk.builder.statement });
}

/** A function or arrow function as an expression that nothing names from outside. */
export function readFunctionExpression(walk: Walk, node: NodeOf<"FunctionExpression" | "ArrowFunctionExpression">): ValueId {
  const start = startOf(node);
  return readFunctionNamed(walk, node, "", [start, start]);
}

/** Reads an expression; a function or class in it that has no name of its own takes `name`. */
export function readNamed(walk: Walk, node: Node, name: string, span: Span): ValueId {
  const inner = unwrap(node);
  const isFunction = inner.type === "FunctionExpression" || inner.type === "ArrowFunctionExpression";
  if (!isFunction && inner.type !== "ClassExpression") return walk.expression(node);
  if (!walk.enter(node)) return walk.opaque([], spanOf(node));
  unwrapTyped(walk, node);
  const value = isFunction
    ? readFunctionNamed(walk, inner, name, span)
    : readClassNamed(walk, inner as NodeOf<"ClassExpression">, name, span);
  walk.leave();
  return value;
}

function readFunctionNamed(walk: Walk, node: NodeOf<"FunctionExpression" | "ArrowFunctionExpression">, name: string, span: Span): ValueId {
  const { builder } = walk;
  const { scope } = builder;
  const id = node.type === "FunctionExpression" ? node.id : null;
  // The own name of a function expression is known only inside it.
  if (id != null) builder.scope = builder.openScope("block");
  const binding = id == null ? -1 : builder.declare(id.name, "function", spanOf(id));
  const index = readFunction(walk, node, {
    name: id?.name ?? name, nameSpan: id == null ? span : spanOf(id), kind: node.type === "ArrowFunctionExpression" ? "arrow" : "function",
  });
  builder.scope = scope;
  const value = builder.value({ kind: "function", function: index, span: spanOf(node) });
  if (binding >= 0) builder.give(binding, value);
  return value;
}

/** A function declaration; returns its value. `default` without a name declares nothing. */
export function readFunctionDeclaration(walk: Walk, node: NodeOf<"FunctionDeclaration">): ValueId {
  const { builder } = walk;
  const start = startOf(node);
  const at = builder.openStatement(node.body == null ? spanOf(node) : headerSpan(walk.text, start, startOf(node.body)));
  const binding = node.id == null ? -1 : builder.declare(node.id.name, "function", spanOf(node.id));
  const index = readFunction(walk, node, {
    name: node.id?.name ?? "", nameSpan: node.id == null ? [start, start] : spanOf(node.id), kind: "function",
  });
  const value = builder.value({ kind: "function", function: index, span: spanOf(node) });
  if (binding >= 0) builder.give(binding, value);
  builder.body.push({ kind: "define", function: index, at });
  return value;
}

/** An overload or a `declare function`: nothing that runs and nothing that hides a global of its name. */
export function readSignature(walk: Walk, node: NodeOf<"TSDeclareFunction">): void {
  walk.builder.openStatement(spanOf(node));
  typeUses(walk, node);
}

