import type { Span, ValueId } from "../facts.ts";
import { Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";
import type { SyntaxTable } from "./table.ts";

/**
 * Inside an error the pieces are kept: whole statements as such, names, and what is called or imported as far as the
 * tokens show it.
 */
export function readError(reader: Reader, row: number): ValueId {
  const { builder, kinds } = reader;
  const of: ValueId[] = [];
  for (const piece of piecesOf(reader, row)) {
    const kind = kinds[piece]!;
    if (kind === Kind.error) readShreddedImports(reader, piece);
    else if (isStatement(kind)) reader.statement(piece);
    else if (kind !== Kind[":"] && kind !== Kind.from && kind !== Kind.operator) addPiece(reader, of, piece);
  }
  return builder.value({ kind: "opaque", of, span: reader.span(row) });
}

/** The error and what is in it, an error inside of it followed by its own pieces. */
function piecesOf(reader: Reader, row: number): number[] {
  const pieces: number[] = [];
  const end = reader.after[row]!;
  for (let piece = row; piece < end; ) {
    pieces.push(piece);
    const isError = reader.kinds[piece] === Kind.error;
    if (isError) reader.readErrors.add(piece);
    piece = isError ? piece + 1 : reader.after[piece]!;
  }
  return pieces;
}

export function readErrorStatement(reader: Reader, row: number): void {
  const at = reader.builder.openStatement(reader.span(row));
  reader.builder.body.push({ kind: "expression", value: readError(reader, row), at });
}

function isStatement(kind: number): boolean {
  return kind === Kind.block || (kind >= Kind.expression_statement && kind <= Kind.match_statement && !CLAUSES.has(kind));
}

const CLAUSES = new Set<number>([
  Kind.assignment, Kind.augmented_assignment, Kind.aliased_import, Kind.dotted_name, Kind.relative_import, Kind.import_prefix,
  Kind.wildcard_import, Kind.chevron, Kind.elif_clause, Kind.else_clause, Kind.except_clause, Kind.finally_clause, Kind.with_clause,
  Kind.with_item, Kind.decorator,
]);

/** Adds an expression: as a member of the one before where a dot joins them, and called where a bracket follows. */
function addPiece(reader: Reader, of: ValueId[], row: number): void {
  const { builder, kinds } = reader;
  const last = of.at(-1);
  const before = last === undefined ? null : builder.valueAt(last);
  let value = -1;
  if (last !== undefined && before !== null && kinds[row] === Kind.identifier && isDot(reader, before.span[1], row)) {
    of.pop();
    const property = reader.nameOf(row);
    value = builder.member({ object: last, property, key: null, propertySpan: reader.span(row), span: [before.span[0], reader.ends[row]!] });
  } else if (kinds[row] === Kind.dotted_name) value = readDottedPiece(reader, row);
  else value = reader.expression(row);
  of.push(isCalled(reader, row, value) ? addBrokenCall(reader, row, value) : value);
}

function isDot(reader: Reader, end: number, row: number): boolean {
  const start = reader.starts[row]!;
  return start - end < 16 && reader.text.slice(end, start).trim() === ".";
}

function isCalled(reader: Reader, row: number, value: ValueId): boolean {
  const { kind } = reader.builder.valueAt(value);
  const end = reader.ends[row]!;
  return (kind === "name" || kind === "member") && /^[ \t]*\(/.test(reader.text.slice(end, end + 16));
}

/** What is called, whatever came of the bracket; the arguments are kept beside it. */
function addBrokenCall(reader: Reader, row: number, callee: ValueId): ValueId {
  const found = reader.builder.valueAt(callee);
  const nameSpan = found.kind === "member" ? found.propertySpan : found.span;
  return reader.builder.call({ callee, arguments: [], span: [found.span[0], reader.ends[row]!], nameSpan });
}

function readDottedPiece(reader: Reader, row: number): ValueId {
  let value = -1;
  for (const child of reader.children(row)) {
    if (reader.kinds[child] !== Kind.identifier) continue;
    value = value < 0
      ? reader.name(child)
      : reader.builder.member({
          object: value, property: reader.nameOf(child), key: null, propertySpan: reader.span(child), span: [reader.starts[row]!, reader.ends[child]!],
        });
  }
  return value < 0 ? reader.builder.value({ kind: "opaque", of: [], span: reader.span(row) }) : value;
}

const IMPORT = /(?:\bfrom[ \t]+([.\w]+)[ \t]+import\b|\bimport[ \t]+([.\w]+))(?:[ \t]+as[ \t]+(\w+))?/gu;

/** Imports of which only tokens are left. Whole import statements are read as such, so they are left out here. */
function readShreddedImports(reader: Reader, row: number): void {
  const { builder, starts, ends } = reader;
  const start = starts[row]!;
  for (const match of reader.text.slice(start, ends[row]).matchAll(IMPORT)) {
    const specifier = match[1] ?? match[2]!;
    const at = start + match.index + match[0].indexOf(specifier);
    if (coveredByStatement(reader, row, at)) continue;
    const span: Span = [at, at + specifier.length];
    const name = match[3] ?? specifier.split(".")[0]!;
    const form = match[1] === undefined ? "import" : "from";
    const binding = form === "import" && name !== "" ? builder.declare(name, "import", span) : -1;
    const id = builder.import({
      form, specifier, names: [{ imported: "*", binding, span }], span: [start + match.index, start + match.index + match[0].length],
      specifierSpan: span, function: builder.function,
    });
    if (binding >= 0) builder.give(binding, builder.value({ kind: "imported", import: id, path: [], span }));
  }
}

/** Whether an offset lies in a part of an error that is read by itself: a statement, a string, another error. */
function coveredByStatement(reader: Reader, row: number, offset: number): boolean {
  for (const child of reader.children(row)) {
    if (offset < reader.starts[child]! || offset >= reader.ends[child]!) continue;
    const kind = reader.kinds[child]!;
    return isStatement(kind) || kind === Kind.error || kind === Kind.string || kind === Kind.concatenated_string;
  }
  return false;
}

/** Errors in places where no reader looked: they are read by themselves, so that nothing in them is lost. */
export function readRemainingErrors(reader: Reader, table: SyntaxTable): void {
  if (!table.hasErrors) return;
  for (let row = 0; row < table.length; row++) {
    if (table.kinds[row] !== Kind.error || reader.readErrors.has(row)) continue;
    reader.statement(row);
  }
}
