import type { ImportName, Span, ValueId } from "../facts.ts";
import { readClassDeclaration } from "./classes.ts";
import { specifierName, spanOf, textOf } from "./estree.ts";
import type { Node, NodeOf } from "./estree.ts";
import { readFunctionDeclaration } from "./functions.ts";
import { readEnum, readImportEquals, readNamespace } from "./namespaces.ts";
import { readEntity } from "./types.ts";
import { declareVariables } from "./variables.ts";
import type { Walk } from "./walk.ts";

export function readExportNamed(walk: Walk, node: NodeOf<"ExportNamedDeclaration">): void {
  if (node.declaration != null) {
    readExportedDeclaration(walk, node.declaration);
    return;
  }
  const { builder } = walk;
  builder.openStatement(spanOf(node));
  if (node.source != null) {
    reexport(walk, node, node.source);
    return;
  }
  for (const specifier of node.specifiers) {
    const isType = walk.isAmbient || node.exportKind === "type" || specifier.exportKind === "type";
    const name = specifierName(specifier.local);
    const value = builder.name(name, spanOf(specifier.local), isType ? walk.typeScopeOf(name) : builder.scope);
    if (isType) builder.role(value, "type");
    else walk.exportedNames.push({ value, name });
    addExport(walk, specifierName(specifier.exported), value, spanOf(specifier.exported), isType);
  }
}

function addExport(walk: Walk, name: string, value: ValueId | null, span: Span, isType = false): void {
  if (walk.exporter !== null) walk.exporter(name, value, span);
  else walk.builder.export({ name, value, span, ...((isType || walk.isAmbient) && { typeOnly: true }) });
}

/** `export const …`, `export function …`: the value of what is declared is exported. */
function readExportedDeclaration(walk: Walk, node: Node): void {
  switch (node.type) {
    case "VariableDeclaration": readExportedVariables(walk, node); return;
    case "FunctionDeclaration": exportId(walk, node.id, readFunctionDeclaration(walk, node)); return;
    case "ClassDeclaration": exportId(walk, node.id, readClassDeclaration(walk, node)); return;
    case "TSEnumDeclaration": exportId(walk, node.id, readEnum(walk, node)); return;
    case "TSModuleDeclaration": exportId(walk, node.id, readNamespace(walk, node)); return;
    case "TSImportEqualsDeclaration": exportId(walk, node.id, readImportEquals(walk, node)); return;
    case "TSTypeAliasDeclaration":
    case "TSInterfaceDeclaration":
      walk.statement(node);
      addExport(walk, node.id.name, null, spanOf(node.id), true);
      return;
    default:
      walk.statement(node);
      if (node.type === "TSDeclareFunction" && (walk.isAmbient || node.declare === true)) exportId(walk, node.id, null);
  }
}

function exportId(walk: Walk, id: Node | null, value: ValueId | null): void {
  if (id?.type === "Identifier") addExport(walk, id.name, value, spanOf(id));
}

function readExportedVariables(walk: Walk, node: NodeOf<"VariableDeclaration">): void {
  walk.builder.openStatement(spanOf(node));
  if (walk.isAmbient || node.declare === true) {
    declareVariables(walk, node, undefined);
    for (const { id } of node.declarations) exportId(walk, id, null);
    return;
  }
  const at = walk.builder.statement;
  const names: { name: string; value: ValueId | null; span: Span }[] = [];
  declareVariables(walk, node, (name, value, span) => names.push({ name, value, span }));
  walk.builder.statement = at;
  for (const { name, value, span } of names) {
    // A name that may be given other values later is exported as the name it is.
    addExport(walk, name, node.kind === "const" ? value : walk.builder.name(name, span), span);
  }
}

export function readExportDefault(walk: Walk, node: NodeOf<"ExportDefaultDeclaration">): void {
  const { builder } = walk;
  const { declaration } = node;
  const start = spanOf(node)[0];
  const span: Span = [start, start + "export default".length];
  switch (declaration.type) {
    case "FunctionDeclaration": addExport(walk, "default", readFunctionDeclaration(walk, declaration), span); return;
    case "ClassDeclaration": addExport(walk, "default", readClassDeclaration(walk, declaration), span); return;
    case "TSDeclareFunction":
    case "TSInterfaceDeclaration":
      walk.statement(declaration);
      if (walk.isAmbient || declaration.type === "TSInterfaceDeclaration") addExport(walk, "default", null, span, true);
      return;
    default:
      builder.openStatement(spanOf(node));
      addExport(walk, "default", readExported(walk, declaration), span);
  }
}

/** What `export default` and `export =` export; in a declaration file only its type. */
function readExported(walk: Walk, node: Node): ValueId {
  return walk.isAmbient && (node.type === "Identifier" || node.type === "MemberExpression") ? readEntity(walk, node) : walk.expression(node);
}

type Specifier = NodeOf<"ExportNamedDeclaration">["specifiers"][number];

/** `export v from "m"` and `export * as n, { v } from "m"`, which some parsers read, have only the exported name. */
function localOf({ local, exported }: { readonly local?: Node; readonly exported: Node }): Node {
  return local ?? exported;
}

function importedBy(specifier: Specifier): string {
  if (localOf(specifier) !== specifier.exported) return specifierName(specifier.local);
  return (specifier.type as string) === "ExportNamespaceSpecifier" ? "*" : "default";
}

function reexport(walk: Walk, node: NodeOf<"ExportNamedDeclaration">, source: Node): void {
  const { builder } = walk;
  const isType = node.exportKind === "type" || walk.isAmbient;
  const names = node.specifiers.map((specifier): ImportName => ({
    imported: importedBy(specifier), binding: -1, span: spanOf(localOf(specifier)),
    ...((isType || specifier.exportKind === "type") && { typeOnly: true }),
  }));
  const index = builder.import({
    form: "reexport", specifier: textOf(source) ?? "", names, span: spanOf(node), specifierSpan: spanOf(source), function: builder.function,
    ...(isType && { typeOnly: true }),
  });
  for (const specifier of node.specifiers) {
    builder.export({
      name: specifierName(specifier.exported), value: null, import: index, imported: importedBy(specifier),
      span: spanOf(specifier.exported), ...((isType || specifier.exportKind === "type") && { typeOnly: true }),
    });
  }
}

/** `export * from "x"` and `export * as name from "x"`. */
export function readExportAll(walk: Walk, node: NodeOf<"ExportAllDeclaration">): void {
  const { builder } = walk;
  const span = spanOf(node);
  builder.openStatement(span);
  const isType = node.exportKind === "type" || walk.isAmbient;
  const name = node.exported == null ? "*" : specifierName(node.exported);
  const nameSpan = node.exported == null ? spanOf(node.source) : spanOf(node.exported);
  const index = builder.import({
    form: "reexport", specifier: node.source.value, names: [{ imported: "*", binding: -1, span: nameSpan, ...(isType && { typeOnly: true }) }],
    span, specifierSpan: spanOf(node.source), function: builder.function, ...(isType && { typeOnly: true }),
  });
  builder.export({ name, value: null, import: index, imported: "*", span: nameSpan, ...(isType && { typeOnly: true }) });
}

/** `export = x`. */
export function readExportAssignment(walk: Walk, node: NodeOf<"TSExportAssignment">): void {
  walk.builder.openStatement(spanOf(node));
  addExport(walk, "=", readExported(walk, node.expression), spanOf(node));
}

/** `export { Name }` exports a type where only a type has that name. */
export function finishExports(walk: Walk): void {
  for (const { value, name } of walk.exportedNames) {
    if (walk.lookUp(name) < 0 && walk.typeScopeOf(name) !== walk.builder.scope) walk.builder.role(value, "type");
  }
}
