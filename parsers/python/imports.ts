import type { BindingId, Import, ImportName, Span } from "../facts.ts";
import { Field, Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";
import { bindName, noteField } from "./targets.ts";

/** `import a.b, c as d`: one import each. */
export function readImport(reader: Reader, row: number): void {
  reader.builder.openStatement(reader.span(row));
  for (const child of reader.childrenWith(row, Field.name)) readModuleImport(reader, row, child);
}

function readModuleImport(reader: Reader, row: number, item: number): void {
  const isAliased = reader.kinds[item] === Kind.aliased_import;
  const dotted = isAliased ? reader.child(item, Field.name) : item;
  const first = reader.childOfKind(dotted, Kind.identifier);
  const bound = isAliased ? reader.child(item, Field.alias) : first;
  if (bound < 0) return;
  const binding = bindName(reader, bound, "import");
  const id = addImport(reader, row, {
    form: "import", specifier: dottedName(reader, dotted), specifierSpan: reader.span(dotted),
    names: [{ imported: "*", binding, span: reader.span(isAliased ? bound : dotted) }],
  });
  giveImported(reader, binding, bound, id, []);
}

/** `from a.b import c as d, e`, `from . import f`, `from g import *`, `from __future__ import h`. */
export function readFromImport(reader: Reader, row: number): void {
  const { builder, kinds } = reader;
  builder.openStatement(reader.span(row));
  const module = reader.child(row, Field.module_name);
  const names: ImportName[] = [];
  const bound: { row: number; binding: BindingId; path: string }[] = [];
  for (const child of reader.children(row)) {
    if (kinds[child] === Kind.wildcard_import) names.push({ imported: "*", binding: -1, span: reader.span(child) });
    if (reader.fields[child] !== Field.name) continue;
    const isAliased = kinds[child] === Kind.aliased_import;
    const dotted = isAliased ? reader.child(child, Field.name) : child;
    const local = isAliased ? reader.child(child, Field.alias) : reader.childOfKind(dotted, Kind.identifier);
    if (local < 0) continue;
    const imported = dottedName(reader, dotted);
    const binding = bindName(reader, local, "import");
    names.push({ imported, binding, span: reader.span(dotted) });
    bound.push({ row: local, binding, path: imported });
  }
  const isFuture = kinds[row] === Kind.future_import_statement;
  const id = addImport(reader, row, {
    form: "from", names,
    specifier: isFuture ? "__future__" : specifierOf(reader, module),
    specifierSpan: isFuture || module < 0 ? futureSpan(reader, row) : reader.span(module),
  });
  for (const { row: local, binding, path } of bound) giveImported(reader, binding, local, id, [path]);
}

function giveImported(reader: Reader, binding: BindingId, row: number, id: number, path: readonly string[]): void {
  const value = reader.builder.value({ kind: "imported", import: id, path, span: reader.span(row) });
  reader.builder.give(binding, value);
  noteField(reader, reader.nameOf(row), value);
}

function addImport(reader: Reader, row: number, entry: Pick<Import, "form" | "specifier" | "specifierSpan" | "names">): number {
  const { optional, typeChecking } = reader.surroundings;
  const id = reader.builder.import({
    ...entry, span: reader.span(row), function: reader.builder.function, ...(optional && { optional }),
  });
  if (typeChecking >= 0) reader.typeCheckingImports.push({ import: id, test: typeChecking, scope: reader.builder.scope });
  return id;
}

/** The names of a dotted name without the blanks that may stand between them. */
export function dottedName(reader: Reader, row: number): string {
  if (row < 0) return "";
  return reader.children(row).filter((child) => reader.kinds[child] === Kind.identifier).map((child) => reader.nameOf(child)).join(".");
}

/** A module's name, with the dots of a relative one. */
function specifierOf(reader: Reader, row: number): string {
  if (row < 0 || reader.kinds[row] !== Kind.relative_import) return dottedName(reader, row);
  const prefix = reader.childOfKind(row, Kind.import_prefix);
  const dots = prefix < 0 ? "" : reader.textOf(prefix).replace(/[^.]/g, "");
  return dots + dottedName(reader, reader.childOfKind(row, Kind.dotted_name));
}

function futureSpan(reader: Reader, row: number): Span {
  const start = reader.text.indexOf("__future__", reader.starts[row]);
  return start < 0 ? reader.span(row) : [start, start + "__future__".length];
}
