import type { Statement, ValueId } from "../facts.ts";
import { spanOf } from "./estree.ts";
import type { Node, NodeOf } from "./estree.ts";
import type { Walk } from "./walk.ts";

/** From this length on, the rest of an `else if` chain or a `switch` stands one after the other instead of inside. */
const MAX_CHAIN = 100;

const LOGICAL = { "||": "or", "&&": "and", "??": "??" } as const;

/** `a && b`: what b calls happens in one branch of a test of a. */
export function foldLogical(walk: Walk, node: NodeOf<"LogicalExpression">, left: ValueId): ValueId {
  const outer = walk.openBody();
  const right = walk.expression(node.right);
  const calls = walk.closeBody(outer);
  const operator = LOGICAL[node.operator];
  addTest(walk, left, operator === "and" ? calls : [], operator === "and" ? [] : calls);
  return walk.builder.value({ kind: "logical", operator, left, right, span: spanOf(node) });
}

export function foldConditional(walk: Walk, node: NodeOf<"ConditionalExpression">, test: ValueId): ValueId {
  const outer = walk.openBody();
  const then = walk.expression(node.consequent);
  const thenCalls = walk.closeBody(outer);
  walk.openBody();
  const otherwise = walk.expression(node.alternate);
  addTest(walk, test, thenCalls, walk.closeBody(outer));
  return walk.builder.value({ kind: "conditional", test, then, else: otherwise, span: spanOf(node) });
}

/** `value` unless it is undefined, else what `node` gives: defaults of parameters and patterns. */
export function readDefault(walk: Walk, value: ValueId, node: Node): ValueId {
  const outer = walk.openBody();
  const fallback = walk.expression(node);
  addTest(walk, value, [], walk.closeBody(outer));
  return fallback;
}

/** Adds a test, where anything happens in its branches. */
export function addTest(walk: Walk, test: ValueId, then: Statement[], otherwise: Statement[]): void {
  if (then.length === 0 && otherwise.length === 0) return;
  walk.builder.body.push({ kind: "test", test, then, else: otherwise, at: walk.builder.statement });
}

/** One `if` of a chain: what its test calls, the test, and its branch. */
export interface Link {
  readonly before: Statement[];
  readonly test: ValueId;
  readonly then: Statement[];
  readonly at: number;
}

/**
 * Appends a chain of tests, each in the `else` of the one before. A very long chain goes on behind its 100th link
 * instead of inside it, so that what reads bodies needs no deep stack; each link then looks as if it could be reached
 * after the one before.
 */
export function addChain(walk: Walk, links: readonly Link[], otherwise: Statement[]): void {
  let tail = otherwise;
  if (links.length > MAX_CHAIN) {
    const rest: Statement[] = [];
    for (const link of links.slice(MAX_CHAIN)) addLink(rest, link, link === links.at(-1) ? otherwise : []);
    tail = rest;
  }
  for (let index = Math.min(links.length, MAX_CHAIN) - 1; index >= 0; index--) {
    const inside: Statement[] = [];
    addLink(inside, links[index]!, tail);
    tail = inside;
  }
  pushAll(walk.builder.body, tail);
}

function addLink(target: Statement[], { before, test, then, at }: Link, otherwise: Statement[]): void {
  pushAll(target, before);
  target.push({ kind: "test", test, then, else: otherwise, at });
}

function pushAll(target: Statement[], items: readonly Statement[]): void {
  for (const item of items) target.push(item);
}
