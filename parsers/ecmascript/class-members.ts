import type { ClassId, Field, FunctionFacts, FunctionId, Span, ValueId } from "../facts.ts";
import { addAssign, addAttribute, attributeTarget } from "./assignments.ts";
import { readBlock } from "./blocks.ts";
import { applyDecorators, readDecorators } from "./decorators.ts";
import { headerSpan, spanOf, startOf } from "./estree.ts";
import type { Node, NodeOf } from "./estree.ts";
import { openFunction, readFunction, readNamed } from "./functions.ts";
import { keyName } from "./members.ts";
import { readType, typeUses } from "./types.ts";
import type { Place, Receiver, Walk } from "./walk.ts";

type MethodNode = NodeOf<"MethodDefinition" | "TSAbstractMethodDefinition">;
type FieldNode = NodeOf<"PropertyDefinition" | "TSAbstractPropertyDefinition" | "AccessorProperty" | "TSAbstractAccessorProperty">;

/** The class being read. */
export interface ClassContext {
  readonly id: ClassId;
  readonly receiver: Receiver;
  /** The functions that the initialisers run in, of each object and of the class itself; -1: none so far. */
  object: FunctionId;
  static: FunctionId;
}

export function readMember(walk: Walk, node: Node, context: ClassContext): void {
  if (!walk.enter(node)) return;
  switch (node.type) {
    case "MethodDefinition":
    case "TSAbstractMethodDefinition": readMethod(walk, node, context); break;
    case "PropertyDefinition":
    case "TSAbstractPropertyDefinition":
    case "AccessorProperty":
    case "TSAbstractAccessorProperty": readField(walk, node, context); break;
    case "StaticBlock": readStaticBlock(walk, node, context); break;
    default: typeUses(walk, node);
  }
  walk.leave();
}

const KINDS = { constructor: "constructor", method: "method", get: "getter", set: "setter" } as const;

function readMethod(walk: Walk, node: MethodNode, context: ClassContext): void {
  const { builder } = walk;
  const { value: method } = node;
  const start = startOf(node);
  const at = builder.openStatement(method.body == null ? spanOf(node) : headerSpan(walk.text, start, startOf(method.body)));
  const isOverload = node.type === "MethodDefinition" && method.body == null;
  if (isOverload || method.type === "TSDeclareFunction") {
    typeUses(walk, method);
    return;
  }
  const decorations = readDecorators(walk, node.decorators);
  const name = readKey(walk, node);
  const id = readFunction(walk, method, {
    name, nameSpan: spanOf(node.key), kind: KINDS[node.kind], class: context.id, receiver: context.receiver, static: node.static,
    decorators: decorations.map((decoration) => decoration.value), span: spanOf(node),
  });
  builder.body.push({ kind: "define", function: id, at });
  if (decorations.length === 0) return;
  applyDecorators(walk, decorations, builder.value({ kind: "function", function: id, span: spanOf(node) }), at);
}

/** The name of a method; a computed one is evaluated where the class is defined, and gives no name. */
function readKey(walk: Walk, node: MethodNode): string {
  const name = keyName(node.key, node.computed);
  if (name === null) walk.expression(node.key);
  return name ?? "";
}

function readField(walk: Walk, node: FieldNode, context: ClassContext): void {
  const { builder } = walk;
  const at = builder.openStatement(spanOf(node));
  const decorations = readDecorators(walk, node.decorators);
  const name = keyName(node.key, node.computed);
  if (name === null) walk.expression(node.key);
  const annotation = node.typeAnnotation == null ? null : readType(walk, node.typeAnnotation);
  const value = node.value == null ? null : readInitial(walk, node, node.value, name, context);
  const facts = builder.draft.facts.classes[context.id]!;
  (facts.fields as Field[]).push({ name: name ?? "", value, annotation, ...(node.static && { static: true as const }), span: spanOf(node) });
  if (name !== null && value !== null) addAttribute(walk, context.id, name, value);
  applyDecorators(walk, decorations, null, at);
}

/** Reads a field's value as `this.name = value` in the function of the initialisers. */
function readInitial(walk: Walk, node: FieldNode, initial: Node, name: string | null, context: ClassContext): ValueId {
  const place = enterInitializers(walk, context, node.static, spanOf(node));
  const span = spanOf(node.key);
  const value = readNamed(walk, initial, name ?? "", span);
  addAssign(walk, attributeTarget(walk, context.id, name, span, node.key), value, "=");
  walk.restore(place);
  return value;
}

function readStaticBlock(walk: Walk, node: NodeOf<"StaticBlock">, context: ClassContext): void {
  const place = enterInitializers(walk, context, true, spanOf(node));
  readBlock(walk, node.body);
  walk.restore(place);
}

/** Opens the function of the initialisers, or goes on in it; returns the place to go back to. */
function enterInitializers(walk: Walk, context: ClassContext, isStatic: boolean, span: Span): Place {
  const { builder } = walk;
  const place = walk.save();
  const known = isStatic ? context.static : context.object;
  if (known < 0) {
    const id = openFunction(walk, {
      name: "", nameSpan: [span[0], span[0]], kind: "initializer", class: context.id, receiver: context.receiver, static: isStatic,
    }, span, false);
    if (isStatic) context.static = id;
    else context.object = id;
    return place;
  }
  const facts: FunctionFacts = builder.draft.facts.functions[known]!;
  builder.function = known;
  builder.scope = facts.scope;
  builder.body = facts.body as typeof builder.body;
  walk.variableScope = facts.scope;
  walk.receiver = context.receiver;
  walk.isOptional = false;
  return place;
}

