import type { Statement, ValueId } from "../facts.ts";
import type { Node, NodeOf } from "./estree.ts";
import { list, spanOf } from "./estree.ts";
import { declarationOf, readVariables } from "./variables.ts";
import type { Walk } from "./walk.ts";

/** Reads the statements of a block in a scope of their own, where they declare anything that needs one. */
export function readBlock(walk: Walk, nodes: readonly Node[]): void {
  const { builder, types } = walk;
  const { scope } = builder;
  if (nodes.some(declaresHere)) builder.scope = builder.openScope("block");
  readList(walk, nodes);
  builder.scope = scope;
  walk.types = types;
}

/** Reads a branch, a loop's body and the like, and returns its statements. */
export function readBranch(walk: Walk, node: Node): Statement[] {
  const outer = walk.openBody();
  if (node.type === "BlockStatement") readBlock(walk, node.body);
  else walk.statement(node);
  return walk.closeBody(outer);
}

/** Above this many `using` in one list, the bodies stand one after the other instead of inside. */
const MAX_USING = 50;

/** Reads statements in the scope of the moment. After `using`, the rest of the list is the body of what was entered. */
export function readList(walk: Walk, nodes: readonly Node[]): void {
  const { builder } = walk;
  const outer = builder.body;
  let using = 0;
  declareAhead(walk, nodes);
  for (const node of nodes) {
    if (!isUsing(node)) walk.statement(node);
    else if (openWith(walk, node), ++using > MAX_USING) builder.body = outer;
  }
  builder.body = outer;
}

function isUsing(node: Node): node is NodeOf<"VariableDeclaration"> {
  return node.type === "VariableDeclaration" && (node.kind === "using" || node.kind === "await using");
}

function openWith(walk: Walk, node: NodeOf<"VariableDeclaration">): void {
  const items: ValueId[] = readVariables(walk, node);
  const body: Statement[] = [];
  walk.builder.body.push({ kind: "with", items, body, at: walk.builder.statement });
  walk.builder.body = body;
}

/** Whether a statement declares a name in the block that it stands in. */
export function declaresHere(node: Node): boolean {
  switch (node.type) {
    case "VariableDeclaration": return node.kind !== "var";
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "TSEnumDeclaration":
    case "TSModuleDeclaration":
    case "TSImportEqualsDeclaration": return true;
    default: return false;
  }
}

/**
 * Declares the functions and types of a list of statements before any is read: they may be used before they stand.
 * Types are declared in a scope of their own, for they hide no value of their name. Imports of types are among them,
 * since nothing of them runs.
 */
function declareAhead(walk: Walk, nodes: readonly Node[]): void {
  const outer = walk.types;
  for (const statement of nodes) {
    const isExport = statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration";
    const node = isExport ? statement.declaration : statement;
    // `export v from "m"`, which some parsers read, has neither.
    if (node == null) continue;
    if (!walk.isAmbient) hoist(walk, node);
    const kind = node.type === "TSTypeAliasDeclaration" || node.type === "TSInterfaceDeclaration" ? "type" : "import";
    for (const id of typeNames(walk, node)) {
      if (walk.types === outer) walk.openTypes();
      walk.builder.declare(id.name, kind, spanOf(id), walk.types!.scope);
    }
  }
}

/** What CommonJS gives a module: these are asked for while the tree is read, so a declaration of them must be known. */
const MODULE_NAMES: ReadonlySet<string> = new Set(["require", "module", "exports"]);

function hoist(walk: Walk, node: Node): void {
  const { builder } = walk;
  if (node.type === "FunctionDeclaration" && node.id != null) {
    builder.declare(node.id.name, "function", spanOf(node.id));
  } else if (node.type === "VariableDeclaration" && node.declare !== true) {
    const { kind, scope } = declarationOf(walk, node);
    for (const { id } of node.declarations) {
      if (id.type === "Identifier" && MODULE_NAMES.has(id.name)) builder.declare(id.name, kind, spanOf(id), scope);
    }
  }
}

/** The names that a statement declares for types only. */
function typeNames(walk: Walk, node: Node): readonly NodeOf<"Identifier">[] {
  switch (node.type) {
    case "TSTypeAliasDeclaration":
    case "TSInterfaceDeclaration": return [node.id];
    case "TSImportEqualsDeclaration": return walk.isAmbient || node.importKind === "type" ? [node.id] : NO_NAMES;
    case "ImportDeclaration": return list(node.specifiers).filter((specifier) => isTypeOnly(walk, node, specifier)).map(({ local }) => local);
    default: return NO_NAMES;
  }
}

const NO_NAMES: readonly NodeOf<"Identifier">[] = [];

/** Whether an import's name is gone at run time. */
export function isTypeOnly(walk: Walk, node: NodeOf<"ImportDeclaration">, specifier: Node): boolean {
  if (walk.isAmbient || node.importKind === "type") return true;
  return specifier.type === "ImportSpecifier" && specifier.importKind === "type";
}
