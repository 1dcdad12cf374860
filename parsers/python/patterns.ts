import type { Statement, ValueId } from "../facts.ts";
import { dottedName } from "./imports.ts";
import { Field, Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";
import { LONGEST_CHAIN } from "./comprehensions.ts";
import { bindName } from "./targets.ts";

/** `match`: each case is a test of the subject against its pattern, and its guard. */
export function readMatch(reader: Reader, row: number): void {
  const { builder } = reader;
  const at = builder.openStatement(reader.header(row));
  const subjects = reader.childrenWith(row, Field.subject).map((subject) => reader.expression(subject));
  const subject = subjects.length === 1 && !isTuple(reader, row)
    ? subjects[0]!
    : builder.value({ kind: "list", items: subjects, form: "tuple", span: reader.header(row) });
  const outer = builder.body;
  const block = reader.child(row, Field.body);
  const clauses = block < 0 ? [] : reader.children(block);
  clauses.forEach((clause, index) => {
    if (reader.kinds[clause] !== Kind.case_clause) {
      reader.statement(clause);
      return;
    }
    const otherwise = readCase(reader, clause, subject);
    if (index + 1 < LONGEST_CHAIN) builder.body = otherwise;
  });
  builder.body = outer;
  builder.statement = at;
}

/** `match a,:` has one subject and is a tuple. */
function isTuple(reader: Reader, row: number): boolean {
  const subject = reader.child(row, Field.subject);
  const colon = reader.childOfKind(row, Kind[":"]);
  return colon >= 0 && reader.text.slice(reader.ends[subject], reader.starts[colon]).includes(",");
}

function readCase(reader: Reader, clause: number, subject: ValueId): Statement[] {
  const { builder } = reader;
  const at = builder.openStatement(reader.header(clause));
  const patterns = reader.children(clause).filter((child) => reader.kinds[child] === Kind.case_pattern);
  const span = reader.header(clause);
  const isSequence = patterns.length > 1;
  const read = patterns.map((pattern, index) => {
    const part = isSequence ? builder.value({ kind: "item", of: subject, index, span: reader.span(pattern) }) : subject;
    return readPattern(reader, pattern, part);
  });
  const pattern = isSequence ? builder.value({ kind: "list", items: read, form: "tuple", span }) : read[0];
  const matches = pattern === undefined
    ? builder.value({ kind: "opaque", of: [subject], span })
    : builder.value({ kind: "binary", operator: "match", left: subject, right: pattern, span });
  const otherwise: Statement[] = [];
  const guard = reader.child(clause, Field.guard);
  const condition = guard < 0 ? -1 : reader.operand(guard);
  const test = condition < 0 ? matches : builder.value({ kind: "logical", operator: "and", left: matches, right: reader.expression(condition), span });
  const then = reader.block(reader.child(clause, Field.consequence));
  builder.body.push({ kind: "test", test, then, else: otherwise, at });
  return otherwise;
}

/**
 * Reads a pattern and gives the names it captures their part of the subject. A capture or `_` is an opaque value, a
 * class stands first in an opaque one, alternatives and sequences are lists.
 */
function readPattern(reader: Reader, row: number, subject: ValueId): ValueId {
  return reader.deeper(row, () => readPatternInPlace(reader, row, subject));
}

function readPatternInPlace(reader: Reader, row: number, subject: ValueId): ValueId {
  switch (reader.kinds[row]) {
    case Kind.case_pattern: {
      const inner = reader.operand(row);
      // `_` leaves no row; so does the sign of a number.
      return inner < 0 ? nothing(reader, row) : readPattern(reader, inner, subject);
    }
    case Kind.as_pattern: {
      const [pattern, name] = reader.children(row);
      const value = pattern === undefined ? nothing(reader, row) : readPattern(reader, pattern, subject);
      if (name !== undefined) capture(reader, name, subject);
      return value;
    }
    case Kind.dotted_name:
      return readNamePattern(reader, row, subject);
    case Kind.class_pattern:
      return readClassPattern(reader, row, subject);
    case Kind.union_pattern:
      return readParts(reader, row, () => subject, "set");
    case Kind.list_pattern:
    case Kind.tuple_pattern:
      return readParts(reader, row, (child) => itemOf(reader, child, subject), "tuple");
    case Kind.dict_pattern:
      return readParts(reader, row, (child) => itemOf(reader, child, subject), "set");
    case Kind.keyword_pattern: {
      const [, value] = reader.children(row);
      return value === undefined ? nothing(reader, row) : readPattern(reader, value, subject);
    }
    case Kind.splat_pattern: {
      const name = reader.childOfKind(row, Kind.identifier);
      if (name >= 0) capture(reader, name, subject);
      return nothing(reader, row);
    }
    case Kind.complex_pattern:
      return nothing(reader, row);
    default:
      return reader.expression(row);
  }
}

function nothing(reader: Reader, row: number): ValueId {
  return reader.builder.value({ kind: "opaque", of: [], span: reader.span(row) });
}

function itemOf(reader: Reader, row: number, subject: ValueId): ValueId {
  return reader.builder.value({ kind: "item", of: subject, index: null, span: reader.span(row) });
}

function capture(reader: Reader, row: number, subject: ValueId): void {
  if (reader.nameOf(row) === "_") return;
  reader.builder.give(bindName(reader, row, "variable"), subject);
}

function readParts(reader: Reader, row: number, part: (child: number) => ValueId, form: "tuple" | "set"): ValueId {
  const items = reader.children(row).filter((child) => reader.kinds[child] !== Kind[":"]).map((child) => readPattern(reader, child, part(child)));
  return reader.builder.value({ kind: "list", items, form, span: reader.span(row) });
}

/** A plain name captures, a dotted one is compared with. */
function readNamePattern(reader: Reader, row: number, subject: ValueId): ValueId {
  const names = reader.children(row).filter((child) => reader.kinds[child] === Kind.identifier);
  if (names.length > 1) return readDotted(reader, row);
  if (names[0] !== undefined) capture(reader, names[0], subject);
  return nothing(reader, row);
}

function readDotted(reader: Reader, row: number): ValueId {
  let value = -1;
  for (const child of reader.children(row)) {
    if (reader.kinds[child] !== Kind.identifier) continue;
    value = value < 0
      ? reader.name(child)
      : reader.builder.member({
          object: value, property: reader.nameOf(child), key: null, propertySpan: reader.span(child), span: [reader.starts[row]!, reader.ends[child]!],
        });
  }
  return value < 0 ? nothing(reader, row) : value;
}

function readClassPattern(reader: Reader, row: number, subject: ValueId): ValueId {
  const [name, ...parts] = reader.children(row);
  if (name === undefined || dottedName(reader, name) === "") return nothing(reader, row);
  const type = readDotted(reader, name);
  reader.builder.role(type, "type");
  const of = [type, ...parts.map((part) => readPattern(reader, part, itemOf(reader, part, subject)))];
  return reader.builder.value({ kind: "opaque", of, span: reader.span(row) });
}
