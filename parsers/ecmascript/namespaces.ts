import type { Span, TableEntry, ValueId } from "../facts.ts";
import { addAssign } from "./assignments.ts";
import { readBlock } from "./blocks.ts";
import { headerSpan, specifierName, spanOf, startOf, textOf } from "./estree.ts";
import type { Node, NodeOf } from "./estree.ts";
import { readEntity } from "./types.ts";
import type { Walk } from "./walk.ts";

/** An enum is a table of its members; returns it, null where it is only declared. */
export function readEnum(walk: Walk, node: NodeOf<"TSEnumDeclaration">): ValueId | null {
  const { builder } = walk;
  builder.openStatement(headerSpan(walk.text, startOf(node), startOf(node.body)));
  if (walk.isAmbient || node.declare) return null;
  const binding = builder.declare(node.id.name, "constant", spanOf(node.id));
  const { scope } = builder;
  builder.scope = builder.openScope("block");
  const entries = readEnumMembers(walk, node.body.members);
  builder.scope = scope;
  const value = builder.value({ kind: "table", entries, span: spanOf(node) });
  builder.give(binding, value);
  addAssign(walk, builder.name(node.id.name, spanOf(node.id)), value, "=");
  return value;
}

/** Members know each other by name, and count on from the number before. */
function readEnumMembers(walk: Walk, members: readonly NodeOf<"TSEnumMember">[]): TableEntry[] {
  const { builder } = walk;
  let next: number | null = 0;
  return members.map((member) => {
    const span = spanOf(member.id);
    const name = specifierName(member.id);
    const binding = builder.declare(name, "constant", span);
    const value = member.initializer == null ? counted(walk, next, span) : walk.expression(member.initializer);
    builder.give(binding, value);
    const given = builder.valueAt(value);
    next = given.kind === "number" ? given.value + 1 : null;
    return { key: builder.value({ kind: "string", value: name, span }), value };
  });
}

function counted(walk: Walk, value: number | null, span: Span): ValueId {
  return value === null ? walk.opaque([], span) : walk.builder.value({ kind: "number", value, span });
}

/** A namespace is a table of what it exports; returns it, null where nothing of it runs. */
export function readNamespace(walk: Walk, node: NodeOf<"TSModuleDeclaration">): ValueId | null {
  const { builder } = walk;
  const { body } = node;
  const at = builder.openStatement(body == null ? spanOf(node) : headerSpan(walk.text, startOf(node), startOf(body)));
  if (body == null) return null;
  const names = namesOf(node.id);
  if (walk.isAmbient || node.declare || names === null || !runs(walk, body)) {
    readAmbient(walk, body);
    return null;
  }
  const binding = builder.declare(names[0]!.name, "constant", spanOf(names[0]!));
  const entries: TableEntry[] = [];
  const place = walk.save();
  const { exporter } = walk;
  walk.exporter = (name, value, span) => {
    if (value !== null) entries.push({ key: builder.value({ kind: "string", value: name, span }), value });
  };
  const outer = walk.openBody();
  builder.scope = builder.openScope("block");
  walk.variableScope = builder.scope;
  walk.receiver = null;
  readBlock(walk, body.body);
  const statements = walk.closeBody(outer);
  walk.restore(place);
  walk.exporter = exporter;
  builder.body.push({ kind: "block", body: statements, at });
  const value = nested(walk, names.slice(1), builder.value({ kind: "table", entries, span: spanOf(node) }));
  builder.give(binding, value);
  return value;
}

/** `namespace a.b.c`: a table in a table. */
function nested(walk: Walk, names: readonly NodeOf<"Identifier">[], innermost: ValueId): ValueId {
  let value = innermost;
  for (const id of names.toReversed()) {
    const key = walk.builder.value({ kind: "string", value: id.name, span: spanOf(id) });
    value = walk.builder.value({ kind: "table", entries: [{ key, value }], span: walk.builder.valueAt(value).span });
  }
  return value;
}

/** The names of `namespace a.b.c`; null for `module "x"` and `global`. */
function namesOf(id: Node): NodeOf<"Identifier">[] | null {
  const names: NodeOf<"Identifier">[] = [];
  let node = id;
  while (node.type === "TSQualifiedName") {
    names.push(node.right);
    node = node.left;
  }
  if (node.type !== "Identifier" || node.name === "global") return null;
  names.push(node);
  return names.reverse();
}

/** Whether a namespace holds anything but types. One that does not is gone at run time, and hides nothing. */
function runs(walk: Walk, body: NodeOf<"TSModuleBlock">): boolean {
  if (!walk.enter(body)) return true;
  const any = body.body.some((statement) => {
    const node: Node = statement.type === "ExportNamedDeclaration" ? (statement.declaration ?? statement) : statement;
    if (node.type === "TSInterfaceDeclaration" || node.type === "TSTypeAliasDeclaration" || node.type === "TSDeclareFunction") return false;
    if ("declare" in node && node.declare) return false;
    if (node.type === "TSModuleDeclaration") return node.body != null && runs(walk, node.body);
    return true;
  });
  walk.leave();
  return any;
}

function readAmbient(walk: Walk, body: NodeOf<"TSModuleBlock">): void {
  const { isAmbient, exporter } = walk;
  const outer = walk.openBody();
  walk.isAmbient = true;
  walk.exporter = () => undefined;
  readBlock(walk, body.body);
  walk.closeBody(outer);
  walk.exporter = exporter;
  walk.isAmbient = isAmbient;
}

/** `import x = require("y")` and `import x = a.b`; returns the value of x, null where it is only a type. */
export function readImportEquals(walk: Walk, node: NodeOf<"TSImportEqualsDeclaration">): ValueId | null {
  const { builder } = walk;
  const span = spanOf(node);
  builder.openStatement(span);
  const isType = walk.isAmbient || node.importKind === "type";
  const local = spanOf(node.id);
  const scope = isType ? walk.typeScopeOf(node.id.name) : builder.scope;
  const { moduleReference: from } = node;
  const binding = builder.declare(node.id.name, "import", local, scope);
  const value = from.type === "TSExternalModuleReference" ? readRequired(walk, from, node, binding, isType) : readEntity(walk, from);
  if (from.type !== "TSExternalModuleReference" && !isType) builder.role(value, "alias");
  builder.give(binding, value);
  return isType ? null : value;
}

function readRequired(walk: Walk, from: NodeOf<"TSExternalModuleReference">, node: NodeOf<"TSImportEqualsDeclaration">, binding: number, isType: boolean): ValueId {
  const { builder } = walk;
  const typeOnly = isType ? { typeOnly: true as const } : {};
  const index = builder.import({
    form: "require", specifier: textOf(from.expression) ?? "", names: [{ imported: "*", binding, span: spanOf(node.id), ...typeOnly }],
    span: spanOf(node), specifierSpan: spanOf(from.expression), function: builder.function, ...typeOnly,
  });
  return builder.value({ kind: "imported", import: index, path: [], span: spanOf(node.id) });
}
