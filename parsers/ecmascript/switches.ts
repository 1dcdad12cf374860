import type { Statement, ValueId } from "../facts.ts";
import { addChain } from "./branches.ts";
import type { Link } from "./branches.ts";
import { readList, declaresHere } from "./blocks.ts";
import { endOf, spanOf, startOf } from "./estree.ts";
import type { NodeOf } from "./estree.ts";
import type { Walk } from "./walk.ts";

/** One `case`: its test (null for `default`), what the test calls, and its statements. */
interface Case {
  readonly test: ValueId | null;
  readonly before: Statement[];
  readonly body: Statement[];
  readonly at: number;
}

/**
 * Reads a switch as a labelled block of tests in an `else if` chain; a `break` in it leaves the block. A case that may
 * run on into the next stands with it in one link: `case a: x(); case b: y()` is `if (a or b) { if (a) x(); y() }`.
 * `default` comes last, wherever it is written.
 */
export function readSwitch(walk: Walk, node: NodeOf<"SwitchStatement">, label: string | null): void {
  const { builder } = walk;
  const { scope, types } = { scope: builder.scope, types: walk.types };
  const { switchLabel } = walk;
  const first = node.cases[0];
  const at = builder.openStatement([startOf(node), first === undefined ? endOf(node) : endOf(node.discriminant)]);
  const subject = walk.expression(node.discriminant);
  if (node.cases.some((item) => item.consequent.some(declaresHere))) builder.scope = builder.openScope("block");
  // A name that no label of the source can have.
  const own = `switch ${startOf(node)}`;
  walk.switchLabel = own;
  const outer = walk.openBody();
  addGroups(walk, groupsOf(node.cases.map((item) => readCase(walk, item, subject))));
  const body = walk.closeBody(outer);
  walk.switchLabel = switchLabel;
  builder.scope = scope;
  walk.types = types;
  const block: Statement = { kind: "block", body, label: own, at };
  builder.body.push(label === null ? block : { kind: "block", body: [block], label, at });
}

function readCase(walk: Walk, node: NodeOf<"SwitchCase">, subject: ValueId): Case {
  const { builder } = walk;
  const start = startOf(node);
  const at = builder.openStatement([start, node.test == null ? start + "default".length : endOf(node.test)]);
  const outer = walk.openBody();
  let test: ValueId | null = null;
  if (node.test != null) {
    const right = walk.expression(node.test);
    test = builder.value({ kind: "binary", operator: "==", left: subject, right, span: spanOf(node.test) });
  }
  const before = walk.closeBody(outer);
  walk.openBody();
  readList(walk, node.consequent);
  return { test, before, body: walk.closeBody(outer), at };
}

/** Runs of cases, each of which may run on into the next. */
function groupsOf(cases: readonly Case[]): Case[][] {
  const groups: Case[][] = [];
  let open: Case[] = [];
  for (const item of cases) {
    open.push(item);
    if (!leaves(item.body)) continue;
    groups.push(open);
    open = [];
  }
  if (open.length > 0) groups.push(open);
  return groups;
}

/** Whether statements surely do not run on into what follows them. */
function leaves(body: readonly Statement[]): boolean {
  const last = body.at(-1);
  switch (last?.kind) {
    case "jump":
    case "return": return true;
    case "block": return last.label === undefined && leaves(last.body);
    case "test": return leaves(last.then) && leaves(last.else);
    case "try": return leaves(last.finally) || (leaves(last.body) && last.handlers.every((handler) => leaves(handler.body)));
    default: return false;
  }
}

function addGroups(walk: Walk, groups: readonly Case[][]): void {
  const links: Link[] = [];
  let otherwise: Statement[] = [];
  for (const group of groups) {
    const before = group.flatMap((item) => item.before);
    const tests = testsOf(walk, group);
    const body = bodyOf(group, tests);
    if (tests.length < group.length) otherwise = before.concat(body);
    else links.push({ before, test: tests.at(-1)!, then: body, at: group[0]!.at });
  }
  addChain(walk, links, otherwise);
}

/** For each case of a group up to `default`: whether it or one before it is meant, as `a or b or c`. */
function testsOf(walk: Walk, group: readonly Case[]): ValueId[] {
  const tests: ValueId[] = [];
  for (const { test } of group) {
    if (test === null) break;
    const left = tests.at(-1);
    const { span } = walk.builder.valueAt(test);
    tests.push(left === undefined ? test : walk.builder.value({ kind: "logical", operator: "or", left, right: test, span }));
  }
  return tests;
}

/** The statements of a group: those of the first cases only where one of these is meant, then those that surely run. */
function bodyOf(group: readonly Case[], tests: readonly ValueId[]): Statement[] {
  const body: Statement[] = [];
  group.forEach((item, index) => {
    const test = index === group.length - 1 ? undefined : tests[index];
    if (item.body.length === 0) return;
    if (test !== undefined) body.push({ kind: "test", test, then: item.body, else: [], at: item.at });
    else for (const statement of item.body) body.push(statement);
  });
  return body;
}
