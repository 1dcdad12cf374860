import type { Handler } from "../facts.ts";
import { addDropped } from "./assignments.ts";
import { readBlock, readBranch } from "./blocks.ts";
import { addChain } from "./branches.ts";
import type { Link } from "./branches.ts";
import { headerSpan, spanOf, startOf } from "./estree.ts";
import type { Node, NodeOf } from "./estree.ts";
import { readForCount, readForEach, readWhile } from "./loops.ts";
import { bind } from "./patterns.ts";
import { readSwitch } from "./switches.ts";
import type { Walk } from "./walk.ts";

export function readIf(walk: Walk, node: NodeOf<"IfStatement">): void {
  const { builder } = walk;
  const links: Link[] = [];
  let otherwise: Node | null = node;
  while (otherwise?.type === "IfStatement") {
    const link: NodeOf<"IfStatement"> = otherwise;
    const at = builder.openStatement(headerSpan(walk.text, startOf(link), startOf(link.consequent)));
    const outer = walk.openBody();
    const test = walk.expression(link.test);
    const before = walk.closeBody(outer);
    links.push({ before, test, then: readBranch(walk, link.consequent), at });
    otherwise = link.alternate;
  }
  addChain(walk, links, otherwise === null ? [] : readBranch(walk, otherwise));
}

export function readBlockStatement(walk: Walk, node: NodeOf<"BlockStatement">, label: string | null): void {
  const at = walk.builder.openStatement([startOf(node), startOf(node) + 1]);
  const outer = walk.openBody();
  readBlock(walk, node.body);
  const body = walk.closeBody(outer);
  walk.builder.body.push({ kind: "block", body, ...(label !== null && { label }), at });
}

export function readLabeled(walk: Walk, node: NodeOf<"LabeledStatement">): void {
  const label = node.label.name;
  const { body } = node;
  switch (body.type) {
    case "ForStatement": readForCount(walk, body, label); return;
    case "ForInStatement":
    case "ForOfStatement": readForEach(walk, body, label); return;
    case "WhileStatement":
    case "DoWhileStatement": readWhile(walk, body, label); return;
    case "SwitchStatement": readSwitch(walk, body, label); return;
    case "BlockStatement": readBlockStatement(walk, body, label); return;
    default: readLabeledOther(walk, body, label, startOf(node));
  }
}

function readLabeledOther(walk: Walk, body: Node, label: string, start: number): void {
  const at = walk.builder.openStatement(headerSpan(walk.text, start, startOf(body)));
  walk.builder.body.push({ kind: "block", body: readBranch(walk, body), label, at });
}

export function readJump(walk: Walk, node: NodeOf<"BreakStatement" | "ContinueStatement">): void {
  const at = walk.builder.openStatement(spanOf(node));
  const to = node.type === "BreakStatement" ? "break" : "continue";
  // A bare `break` inside a switch leaves the switch, which has a label of its own here.
  const label = node.label?.name ?? (to === "break" ? walk.switchLabel : null);
  walk.builder.body.push({ kind: "jump", to, ...(label !== null && { label }), value: null, at });
}

export function readThrow(walk: Walk, node: NodeOf<"ThrowStatement">): void {
  const at = walk.builder.openStatement(spanOf(node));
  const value = walk.expression(node.argument);
  const thrown = walk.builder.valueAt(value);
  if (thrown.kind === "call") markRaised(walk, thrown.call);
  walk.builder.body.push({ kind: "jump", to: "raise", value, at });
}

/** `throw new X(…)` uses X as an error, which is no use of what X's module does. */
function markRaised(walk: Walk, call: number): void {
  const { callee, construct } = walk.builder.draft.facts.calls[call]!;
  if (construct) walk.builder.role(callee, "exception");
}

export function readTry(walk: Walk, node: NodeOf<"TryStatement">): void {
  const at = walk.builder.openStatement(headerSpan(walk.text, startOf(node), startOf(node.block)));
  const { isOptional } = walk;
  walk.isOptional ||= node.handler != null;
  const body = readBranch(walk, node.block);
  walk.isOptional = isOptional;
  const handlers = node.handler == null ? [] : [readHandler(walk, node.handler)];
  const last = node.finalizer == null ? [] : readBranch(walk, node.finalizer);
  walk.builder.body.push({ kind: "try", body, handlers, otherwise: [], finally: last, at });
}

function readHandler(walk: Walk, node: NodeOf<"CatchClause">): Handler {
  const { builder } = walk;
  const { scope } = builder;
  let binding = -1;
  if (node.param != null) {
    builder.scope = builder.openScope("block");
    const caught = builder.value({ kind: "caught", types: [], span: spanOf(node.param) });
    bind(walk, node.param, caught, { kind: "caught", scope: builder.scope, isFollowed: true, isUnstated: true });
    if (node.param.type === "Identifier") binding = walk.lookUp(node.param.name);
  }
  const body = readBranch(walk, node.body);
  builder.scope = scope;
  return { types: [], binding, body, span: headerSpan(walk.text, startOf(node), startOf(node.body)) };
}

/** The old `with (object)`: its names are looked up as if it were not there. */
export function readWith(walk: Walk, node: NodeOf<"WithStatement">): void {
  const at = walk.builder.openStatement(headerSpan(walk.text, startOf(node), startOf(node.body)));
  addDropped(walk, node.object);
  walk.builder.body.push({ kind: "block", body: readBranch(walk, node.body), at });
}
