import { addDropped, addExpression } from "./assignments.ts";
import { readClassDeclaration } from "./classes.ts";
import { spanOf } from "./estree.ts";
import type { Node, NodeOf, NodeType } from "./estree.ts";
import { readFunctionDeclaration, readSignature } from "./functions.ts";
import { readForCount, readForEach, readWhile } from "./loops.ts";
import { readExportAll, readExportAssignment, readExportDefault, readExportNamed } from "./exports.ts";
import { readImport } from "./imports.ts";
import { readEnum, readImportEquals, readNamespace } from "./namespaces.ts";
import { readBlockStatement, readIf, readJump, readLabeled, readThrow, readTry, readWith } from "./flow.ts";
import { readSwitch } from "./switches.ts";
import { typeUses } from "./types.ts";
import { readVariables } from "./variables.ts";
import type { Walk } from "./walk.ts";

type Read<N> = (walk: Walk, node: N) => void;
type Readers = { readonly [T in NodeType]?: Read<NodeOf<T>> };

const READERS: Readers = {
  ExpressionStatement: readExpressionStatement,
  VariableDeclaration: (walk, node) => { readVariables(walk, node); },
  FunctionDeclaration: (walk, node) => { readFunctionDeclaration(walk, node); },
  TSDeclareFunction: readSignature,
  ClassDeclaration: (walk, node) => { readClassDeclaration(walk, node); },
  ReturnStatement: readReturn,
  IfStatement: readIf,
  SwitchStatement: (walk, node) => { readSwitch(walk, node, null); },
  BlockStatement: (walk, node) => { readBlockStatement(walk, node, null); },
  ForStatement: (walk, node) => { readForCount(walk, node, null); },
  ForInStatement: (walk, node) => { readForEach(walk, node, null); },
  ForOfStatement: (walk, node) => { readForEach(walk, node, null); },
  WhileStatement: (walk, node) => { readWhile(walk, node, null); },
  DoWhileStatement: (walk, node) => { readWhile(walk, node, null); },
  LabeledStatement: readLabeled,
  BreakStatement: readJump,
  ContinueStatement: readJump,
  ThrowStatement: readThrow,
  TryStatement: readTry,
  WithStatement: readWith,
  EmptyStatement: (walk, node) => { walk.builder.openStatement(spanOf(node)); },
  DebuggerStatement: (walk, node) => { walk.builder.openStatement(spanOf(node)); },
  ImportDeclaration: readImport,
  ExportNamedDeclaration: readExportNamed,
  ExportDefaultDeclaration: readExportDefault,
  ExportAllDeclaration: readExportAll,
  TSExportAssignment: readExportAssignment,
  TSNamespaceExportDeclaration: (walk, node) => { walk.builder.openStatement(spanOf(node)); },
  TSImportEqualsDeclaration: readImportEquals,
  TSEnumDeclaration: (walk, node) => { readEnum(walk, node); },
  TSModuleDeclaration: (walk, node) => { readNamespace(walk, node); },
  TSTypeAliasDeclaration: readTypeDeclaration,
  TSInterfaceDeclaration: readTypeDeclaration,
};

const TABLE = new Map(Object.entries(READERS as unknown as Readonly<Record<string, Read<Node>>>));

export function readStatement(walk: Walk, node: Node): void {
  const read = TABLE.get(node.type);
  if (read !== undefined) {
    read(walk, node);
    return;
  }
  walk.builder.openStatement(spanOf(node));
  addExpression(walk, walk.expression(node));
}

function readExpressionStatement(walk: Walk, node: NodeOf<"ExpressionStatement">): void {
  walk.builder.openStatement(spanOf(node));
  addDropped(walk, node.expression);
}

function readReturn(walk: Walk, node: NodeOf<"ReturnStatement">): void {
  const at = walk.builder.openStatement(spanOf(node));
  const value = node.argument == null ? null : walk.expression(node.argument);
  walk.builder.body.push({ kind: "return", value, at });
}

function readTypeDeclaration(walk: Walk, node: NodeOf<"TSTypeAliasDeclaration" | "TSInterfaceDeclaration">): void {
  walk.builder.openStatement(spanOf(node));
  typeUses(walk, node);
}
