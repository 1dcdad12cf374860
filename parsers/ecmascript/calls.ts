import type { Argument, ImportName, Span, ValueId } from "../facts.ts";
import type { CallInput } from "../shared/builder.ts";
import { exportDefined } from "./commonjs.ts";
import { spanOf, startOf, textOf, unwrap } from "./estree.ts";
import type { Node, NodeOf } from "./estree.ts";
import { typeUses } from "./types.ts";
import type { Walk } from "./walk.ts";

type CallNode = NodeOf<"CallExpression">;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function foldCall(walk: Walk, node: CallNode, callee: ValueId): ValueId {
  const call = addCall(walk, node, callee, node.arguments);
  if (node.arguments.length === 3) exportDefined(walk, node.callee, node.arguments, argumentsOf(walk, call));
  return call;
}

function argumentsOf(walk: Walk, id: ValueId): readonly ValueId[] {
  const value = walk.builder.valueAt(id);
  return value.kind === "call" ? walk.builder.draft.facts.calls[value.call]!.arguments.map((argument) => argument.value) : [];
}

/** `new X(…)`. The callee is read here: it is the only one that does not begin the expression. */
export function newCall(walk: Walk, node: NodeOf<"NewExpression">): ValueId {
  return addCall(walk, node, walk.expression(node.callee), node.arguments);
}

function addCall(walk: Walk, node: CallNode | NodeOf<"NewExpression">, callee: ValueId, given: readonly Node[]): ValueId {
  // Before the arguments are read: they may hold awaited calls of their own.
  const isAwaited = walk.awaited === node;
  if (node.typeArguments != null) typeUses(walk, node.typeArguments);
  const input: Mutable<CallInput> = {
    callee, arguments: readArguments(walk, given), span: spanOf(node), nameSpan: nameSpanOf(node.callee),
  };
  // `super(…)` constructs the class above.
  if (node.type === "NewExpression" || node.callee.type === "Super") input.construct = true;
  if (isAwaited) input.awaited = true;
  return walk.builder.call(input);
}

export function readArguments(walk: Walk, nodes: readonly Node[]): Argument[] {
  const given: Argument[] = [];
  for (const node of nodes) given.push({ value: walk.expression(node) });
  return given;
}

/** `tag`…``: the template is the only argument. */
export function foldTagged(walk: Walk, node: NodeOf<"TaggedTemplateExpression">, callee: ValueId): ValueId {
  const isAwaited = walk.awaited === node;
  if (node.typeArguments != null) typeUses(walk, node.typeArguments);
  const value = walk.expression(node.quasi);
  const input: Mutable<CallInput> = { callee, arguments: [{ value }], span: spanOf(node), nameSpan: nameSpanOf(node.tag), tagged: true };
  if (isAwaited) input.awaited = true;
  return walk.builder.call(input);
}

/** `import(x)`: a call of `import`, which nothing can declare. */
export function importCall(walk: Walk, node: NodeOf<"ImportExpression">): ValueId {
  const isAwaited = walk.awaited === node;
  const start = startOf(node);
  const nameSpan: Span = [start, start + "import".length];
  const callee = walk.builder.name("import", nameSpan);
  const given = [{ value: walk.expression(node.source) }];
  if (node.options != null) given.push({ value: walk.expression(node.options) });
  const input: Mutable<CallInput> = { callee, arguments: given, span: spanOf(node), nameSpan };
  if (isAwaited) input.awaited = true;
  return walk.builder.call(input);
}

/** How far the name of `f()()()` is looked for: each of thousands of calls in a row has the same one. */
const MAX_STEPS = 5;

/** Where the callee's last name stands: `c` of `a.b.c()`, `f` of `f()()`, `b` of `(0, a.b)()`. */
export function nameSpanOf(callee: Node): Span {
  let node = unwrap(callee);
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const next = nameBearer(node);
    if (next === null) break;
    node = unwrap(next);
  }
  return spanOf(node.type === "MemberExpression" ? node.property : node);
}

/** The expression inside another one that its last name stands in. */
function nameBearer(node: Node): Node | null {
  switch (node.type) {
    case "CallExpression": return node.callee;
    case "TaggedTemplateExpression": return node.tag;
    case "SequenceExpression": return node.expressions.at(-1) ?? null;
    default: return null;
  }
}

/** `require("x")` with the text written out, where `require` is the one that modules are given. */
export function isLiteralRequire(walk: Walk, node: Node): boolean {
  if (node.type !== "CallExpression" || node.callee.type !== "Identifier" || node.callee.name !== "require") return false;
  const [specifier] = node.arguments;
  if (specifier === undefined || node.arguments.length !== 1 || textOf(specifier) === null) return false;
  return walk.lookUp("require") < 0;
}

/** `require("x")` that no name is given directly. */
export function requireLiteral(walk: Walk, node: CallNode): ValueId {
  const { builder } = walk;
  const index = addRequire(walk, node, [], spanOf(node));
  return builder.value({ kind: "imported", import: index, path: [], span: spanOf(node) });
}

/** Records the import that a `require("x")` is, with the names that it is given to. */
export function addRequire(walk: Walk, node: CallNode, names: readonly ImportName[], span: Span): number {
  const specifier = node.arguments[0]!;
  return walk.builder.import({
    form: "require", specifier: textOf(specifier) ?? "", names, span, specifierSpan: spanOf(specifier), function: walk.builder.function,
    ...(walk.isOptional && { optional: true }),
  });
}
