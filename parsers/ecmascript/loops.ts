import type { Span, Statement, ValueId } from "../facts.ts";
import { addDropped } from "./assignments.ts";
import { readBranch } from "./blocks.ts";
import { headerSpan, spanOf, startOf } from "./estree.ts";
import type { Node, NodeOf } from "./estree.ts";
import { bind } from "./patterns.ts";
import { declarationOf, declareVariables } from "./variables.ts";
import type { Walk } from "./walk.ts";

type Loop = Extract<Statement, { kind: "loop" }>;
type LoopInput = Pick<Loop, "form" | "body" | "at"> & Partial<Pick<Loop, "test" | "targets" | "iterable" | "before" | "update">>;

const NONE: readonly never[] = [];

function addLoop(walk: Walk, { form, test = null, targets = NONE, iterable = null, before = NONE, update = NONE, body, at }: LoopInput, node: Node, label: string | null): void {
  const start = startOf(node);
  const length = node.type === "WhileStatement" ? 5 : node.type === "DoWhileStatement" ? 2 : 3;
  const keywordSpan: Span = [start, start + length];
  walk.builder.body.push({ kind: "loop", form, test, targets, iterable, before, update, body, otherwise: NONE, ...(label !== null && { label }), keywordSpan, at });
}

function openLoop(walk: Walk, node: NodeOf<"ForStatement" | "ForInStatement" | "ForOfStatement" | "WhileStatement" | "DoWhileStatement">): number {
  return walk.builder.openStatement(headerSpan(walk.text, startOf(node), startOf(node.body)));
}

/** Reads a body, in which a bare `break` leaves the loop and not a switch around it. */
function readLoopBody(walk: Walk, node: Node): Statement[] {
  const { switchLabel } = walk;
  walk.switchLabel = null;
  const body = readBranch(walk, node);
  walk.switchLabel = switchLabel;
  return body;
}

/** Reads a test, if there is one, and returns what it calls beside it. */
function readTest(walk: Walk, node: Node | null): { test: ValueId | null; calls: Statement[] } {
  const outer = walk.openBody();
  const test = node === null ? null : walk.expression(node);
  return { test, calls: walk.closeBody(outer) };
}

/** `while` and `do`. What the test calls is called in each round: at its start, or at its end. */
export function readWhile(walk: Walk, node: NodeOf<"WhileStatement" | "DoWhileStatement">, label: string | null): void {
  const at = openLoop(walk, node);
  if (node.type === "WhileStatement") {
    const { test, calls } = readTest(walk, node.test);
    addLoop(walk, { form: "while", test, body: calls.concat(readLoopBody(walk, node.body)), at }, node, label);
    return;
  }
  const body = readLoopBody(walk, node.body);
  walk.builder.openStatement(spanOf(node.test));
  const { test, calls } = readTest(walk, node.test);
  addLoop(walk, { form: "do", test, body: body.concat(calls), at }, node, label);
}

/** `for (;;)`. */
export function readForCount(walk: Walk, node: NodeOf<"ForStatement">, label: string | null): void {
  const { builder } = walk;
  const { scope } = builder;
  const at = openLoop(walk, node);
  const outer = walk.openBody();
  if (node.init?.type === "VariableDeclaration") {
    if (node.init.kind !== "var") builder.scope = builder.openScope("block");
    declareVariables(walk, node.init, undefined);
  } else if (node.init != null) {
    addDropped(walk, node.init);
  }
  const before = walk.closeBody(outer);
  const { test, calls } = readTest(walk, node.test);
  walk.openBody();
  if (node.update != null) addDropped(walk, node.update);
  const update = walk.closeBody(outer);
  const body = calls.concat(readLoopBody(walk, node.body));
  builder.scope = scope;
  addLoop(walk, { form: "count", test, before, update, body, at }, node, label);
}

/** `for … of` and `for … in`. The loop's variable is an item of what is iterated; a key of it for `in`. */
export function readForEach(walk: Walk, node: NodeOf<"ForInStatement" | "ForOfStatement">, label: string | null): void {
  const { builder } = walk;
  const { scope } = builder;
  const at = openLoop(walk, node);
  const over = walk.expression(node.right);
  const isAwaited = node.type === "ForOfStatement" && node.await;
  const iterable = isAwaited ? builder.value({ kind: "await", value: over, span: spanOf(node.right) }) : over;
  const span = spanOf(node.left);
  const item = node.type === "ForInStatement"
    ? walk.opaque([iterable], span)
    : builder.value({ kind: "item", of: iterable, index: null, span });
  const outer = walk.openBody();
  const target = bindLoop(walk, node.left, item);
  const defaults = walk.closeBody(outer);
  const body = defaults.concat(readLoopBody(walk, node.body));
  builder.scope = scope;
  addLoop(walk, { form: "each", targets: [target], iterable, body, at }, node, label);
}

function bindLoop(walk: Walk, left: Node, item: ValueId): ValueId {
  if (left.type !== "VariableDeclaration") return bind(walk, left, item, null);
  if (left.kind !== "var") walk.builder.scope = walk.builder.openScope("block");
  return bind(walk, left.declarations[0]!.id, item, declarationOf(walk, left));
}
