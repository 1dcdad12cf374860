import type { Span, TableEntry, ValueId } from "../facts.ts";
import { readFunction, readNamed } from "./functions.ts";
import type { FunctionNode } from "./functions.ts";
import { spanOf } from "./estree.ts";
import type { NodeOf } from "./estree.ts";
import { keyName } from "./members.ts";
import type { Walk } from "./walk.ts";

type PropertyNode = Extract<NodeOf<"ObjectExpression">["properties"][number], { type: "Property" }>;

export function readObject(walk: Walk, node: NodeOf<"ObjectExpression">): ValueId {
  const entries: TableEntry[] = [];
  for (const property of node.properties) {
    if (property.type === "SpreadElement") entries.push({ key: null, value: walk.expression(property.argument) });
    else entries.push(readProperty(walk, property));
  }
  return walk.builder.value({ kind: "table", entries, span: spanOf(node) });
}

function readProperty(walk: Walk, node: PropertyNode): TableEntry {
  const name = keyName(node.key, node.computed);
  const span = spanOf(node.key);
  const key = name === null ? walk.expression(node.key) : walk.builder.value({ kind: "string", value: name, span });
  if (node.value.type === "FunctionExpression" && (node.method || node.kind !== "init")) {
    return { key, value: readMethod(walk, node, node.value, name ?? "", span) };
  }
  return { key, value: readNamed(walk, node.value, name ?? "", span) };
}

function readMethod(walk: Walk, node: PropertyNode, value: FunctionNode, name: string, nameSpan: Span): ValueId {
  if (!walk.enter(node)) return walk.opaque([], spanOf(node));
  const kind = node.kind === "get" ? "getter" : node.kind === "set" ? "setter" : "method";
  const id = readFunction(walk, value, { name, nameSpan, kind, span: spanOf(node) });
  walk.leave();
  return walk.builder.value({ kind: "function", function: id, span: spanOf(node) });
}
