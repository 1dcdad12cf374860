import type { BindingId, ClassId, Field, FunctionId, Parameter, Span, ValueId } from "../facts.ts";
import { addAttribute } from "./assignments.ts";
import { readDefault } from "./branches.ts";
import { applyDecorators, readDecorators } from "./decorators.ts";
import { spanOf } from "./estree.ts";
import type { Node } from "./estree.ts";
import { bind, patternAnnotation } from "./patterns.ts";
import { readType } from "./types.ts";
import type { Walk } from "./walk.ts";

/** A parameter taken apart. */
interface Parts {
  /** The name or pattern. */
  readonly target: Node;
  readonly default: Node | null;
  readonly isRest: boolean;
  /** `private x`: also a field of the class. */
  readonly isField: boolean;
}

/** Reads the parameters of the function being opened; defaults are evaluated in it. `this` of TypeScript is none. */
export function readParameters(walk: Walk, id: FunctionId, nodes: readonly Node[], classId: ClassId): Parameter[] {
  const parameters: Parameter[] = [];
  for (const node of nodes) {
    if (node.type === "Identifier" && node.name === "this") {
      if (node.typeAnnotation != null) readType(walk, node.typeAnnotation);
    } else {
      parameters.push(readParameter(walk, id, node, parameters.length, classId));
    }
  }
  return parameters;
}

function readParameter(walk: Walk, id: FunctionId, node: Node, index: number, classId: ClassId): Parameter {
  const { builder } = walk;
  const { target, default: fallback, isRest, isField } = partsOf(node);
  if ("decorators" in node) applyDecorators(walk, readDecorators(walk, node.decorators), null, builder.statement);
  const span = spanOf(node);
  const value = builder.value({ kind: "parameter", function: id, index, span });
  const given = fallback === null ? null : readDefault(walk, value, fallback);
  bind(walk, target, value, { kind: "parameter", scope: builder.scope, isFollowed: false, isUnstated: true });
  const name = target.type === "Identifier" ? target.name : "";
  const binding = name === "" ? -1 : walk.lookUp(name);
  const annotation = annotationOf(walk, node, target, binding);
  if (isField && classId >= 0) addField(walk, classId, name, value, annotation, span);
  return {
    name, binding, kind: isRest ? "rest" : "positional", default: given, annotation, ...(name === "" && { pattern: true as const }), span,
  };
}

function partsOf(node: Node): Parts {
  let target = node;
  let fallback: Node | null = null;
  let isRest = false;
  let isField = false;
  for (;;) {
    if (target.type === "TSParameterProperty") {
      isField = true;
      target = target.parameter;
    } else if (target.type === "AssignmentPattern") {
      fallback = target.right;
      target = target.left;
    } else if (target.type === "RestElement") {
      isRest = true;
      target = target.argument;
    } else {
      return { target, default: fallback, isRest, isField };
    }
  }
}

/** The annotation of a name was read with the name; that of a pattern or a rest stands on the whole of it. */
function annotationOf(walk: Walk, node: Node, target: Node, binding: BindingId): ValueId | null {
  if (node.type === "RestElement" && node.typeAnnotation != null) return readType(walk, node.typeAnnotation);
  if (target.type !== "Identifier") return patternAnnotation(walk, target);
  return walk.builder.binding(binding).annotation ?? null;
}

/** `constructor(private client: Client)`: the parameter is also a field. */
function addField(walk: Walk, classId: ClassId, name: string, value: ValueId, annotation: ValueId | null, span: Span): void {
  const fields = walk.builder.draft.facts.classes[classId]!.fields as Field[];
  fields.push({ name, value: null, annotation, span });
  addAttribute(walk, classId, name, value);
}
