import type { ClassId, Span, Statement, ValueId } from "../facts.ts";
import { readDefault } from "./branches.ts";
import { exportAssigned } from "./commonjs.ts";
import { spanOf, unwrap } from "./estree.ts";
import type { Node, NodeOf } from "./estree.ts";
import { readNamed } from "./functions.ts";
import { keyName } from "./members.ts";
import { bind } from "./patterns.ts";
import { unwrapTyped } from "./types.ts";
import type { Walk } from "./walk.ts";

type AssignmentNode = NodeOf<"AssignmentExpression">;

const SHORT_CIRCUIT: ReadonlySet<string> = new Set(["||=", "&&=", "??="]);

/** An assignment inside an expression. */
export function readAssignment(walk: Walk, node: AssignmentNode): ValueId {
  const value = assignStatement(walk, node);
  return walk.builder.value({ kind: "assigned", value, span: spanOf(node) });
}

/** Reads an assignment, appends it to the body, and returns the value that is given. */
export function assignStatement(walk: Walk, node: AssignmentNode): ValueId {
  const left = unwrapTyped(walk, node.left);
  if (left.type === "ObjectPattern" || left.type === "ArrayPattern") {
    const value = walk.expression(node.right);
    addAssign(walk, bind(walk, left, value, null), value, "=");
    return value;
  }
  const target = readTarget(walk, left);
  const value = readGiven(walk, node, left, target);
  if (node.operator === "=") exportAssigned(walk, left, value, node.right);
  const given = node.operator === "=" || SHORT_CIRCUIT.has(node.operator) ? value : -1;
  addTarget(walk, target, given);
  addAssign(walk, target, value, node.operator);
  return value;
}

/** `this.name` is no use of what the attribute holds, so it is not made a member that is looked up. */
function readTarget(walk: Walk, left: Node): ValueId {
  if (left.type !== "MemberExpression" || left.object.type !== "ThisExpression" || left.computed || walk.receiver === null) return walk.expression(left);
  return attributeTarget(walk, walk.receiver.class, keyName(left.property, false), spanOf(left.property), left);
}

/** The target of an assignment to an attribute of the class. */
export function attributeTarget(walk: Walk, classId: ClassId, property: string | null, propertySpan: Span, node: Node): ValueId {
  const span = spanOf(node);
  const object = walk.builder.value({ kind: "self", class: classId, span: [span[0], propertySpan[0]] });
  return walk.builder.value({ kind: "member", object, property, key: null, propertySpan, span });
}

function readGiven(walk: Walk, node: AssignmentNode, left: Node, target: ValueId): ValueId {
  if (SHORT_CIRCUIT.has(node.operator)) return readDefault(walk, target, node.right);
  if (left.type === "Identifier") return readNamed(walk, node.right, left.name, spanOf(left));
  if (left.type !== "MemberExpression" || left.computed) return walk.expression(node.right);
  const { property } = left;
  return readNamed(walk, node.right, property.name, spanOf(property));
}

/** `x++` as a statement of its own. */
export function updateStatement(walk: Walk, node: NodeOf<"UpdateExpression">): ValueId {
  const target = walk.expression(node.argument);
  addTarget(walk, target, -1);
  const one = walk.builder.value({ kind: "number", value: 1, span: spanOf(node) });
  addAssign(walk, target, one, node.operator === "++" ? "+=" : "-=");
  return target;
}

export function readUpdate(walk: Walk, node: NodeOf<"UpdateExpression">): ValueId {
  return walk.builder.value({ kind: "assigned", value: updateStatement(walk, node), span: spanOf(node) });
}

export function addAssign(walk: Walk, target: ValueId, value: ValueId, operator: string): void {
  walk.builder.body.push({ kind: "assign", targets: [target], value, operator, at: walk.builder.statement } satisfies Statement);
}

/** Records that a name or member is given a value; `value` is -1 where it is changed by something else. */
export function addTarget(walk: Walk, target: ValueId, value: ValueId): void {
  const written = walk.builder.valueAt(target);
  if (written.kind === "name") {
    walk.assignments.push({ target, name: written.name, scope: walk.builder.scope, value });
    return;
  }
  walk.builder.role(target, "write");
  if (written.kind !== "member" || written.property === null || value < 0) return;
  const object = walk.builder.valueAt(written.object);
  if (object.kind !== "self" || object.class < 0) return;
  addAttribute(walk, object.class, written.property, value);
}

/** Records a value that `this.name` is given. */
export function addAttribute(walk: Walk, classId: number, name: string, value: ValueId): void {
  (walk.builder.draft.facts.classes[classId]!.attributes[name] ??= []).push(value);
}

export function addExpression(walk: Walk, value: ValueId): void {
  walk.builder.body.push({ kind: "expression", value, at: walk.builder.statement });
}

/** Reads an expression whose value is dropped: assignments and updates stand as statements of their own. */
export function addDropped(walk: Walk, expression: Node): void {
  const node = unwrap(expression);
  if (node.type !== "SequenceExpression") {
    addOneDropped(walk, expression);
    return;
  }
  unwrapTyped(walk, expression);
  for (const item of node.expressions) addOneDropped(walk, item);
}

function addOneDropped(walk: Walk, expression: Node): void {
  const node = unwrap(expression);
  if (node.type === "AssignmentExpression") assignStatement(walk, node);
  else if (node.type === "UpdateExpression") updateStatement(walk, node);
  else addExpression(walk, walk.expression(expression));
}

/** How far a value is followed through what passes it on. */
const MAX_STEPS = 20;

/** Marks what a local name is given as followed: the uses of the name are the uses that count. */
export function markFollowed(walk: Walk, value: ValueId, steps = MAX_STEPS): void {
  if (steps === 0) return;
  const given = walk.builder.valueAt(value);
  switch (given.kind) {
    case "name":
    case "member": walk.builder.role(value, "alias"); return;
    case "await":
    case "assigned": markFollowed(walk, given.value, steps - 1); return;
    case "logical":
      markFollowed(walk, given.left, steps - 1);
      markFollowed(walk, given.right, steps - 1);
      return;
    case "conditional":
      markFollowed(walk, given.then, steps - 1);
      markFollowed(walk, given.else, steps - 1);
      return;
    default:
  }
}

/** Gives names what they were assigned, now that everything is declared. */
export function finishAssignments(walk: Walk): void {
  const { builder } = walk;
  const touched = new Set<number>();
  for (const { target, name, scope, value } of walk.assignments) {
    const id = walk.lookUp(name, scope);
    if (id < 0) {
      builder.role(target, "write");
    } else if (value < 0) {
      builder.binding(id).rebound = true;
    } else {
      builder.give(id, value);
      markFollowed(walk, value);
      touched.add(id);
    }
  }
  // What is assigned before it is declared (`var`, a function above) comes last so far.
  for (const id of touched) builder.binding(id).values.sort((a, b) => startAt(walk, a) - startAt(walk, b));
}

function startAt(walk: Walk, value: ValueId): number {
  return walk.builder.valueAt(value).span[0];
}
