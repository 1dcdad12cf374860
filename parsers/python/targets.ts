import type { Binding, ValueId } from "../facts.ts";
import { Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";

/**
 * Reads what is assigned to, gives each name its value, and returns the target as a value: a name, a member or a list
 * of them. `given` is the value of the whole; null declares without giving.
 */
export function readTarget(reader: Reader, row: number, given: ValueId | null): ValueId {
  return reader.deeper(row, () => readTargetInPlace(reader, row, given));
}

function readTargetInPlace(reader: Reader, row: number, given: ValueId | null): ValueId {
  const { builder } = reader;
  if (row === reader.typeOperand) return reader.expression(row);
  switch (reader.kinds[row]) {
    case Kind.identifier:
      return readNameTarget(reader, row, given);
    case Kind.attribute:
    case Kind.subscript: {
      const target = reader.expression(row);
      builder.role(target, "write");
      if (given !== null) noteAttribute(reader, target, given);
      return target;
    }
    case Kind.parenthesized_expression:
    case Kind.type:
    case Kind.as_pattern_target: {
      const inner = reader.operand(row);
      return inner < 0 ? reader.opaque(row) : readTarget(reader, inner, given);
    }
    case Kind.pattern_list:
    case Kind.tuple_pattern:
    case Kind.list_pattern:
    case Kind.expression_list:
    case Kind.tuple:
    case Kind.list:
      return readListTarget(reader, row, given);
    case Kind.list_splat_pattern:
    case Kind.list_splat: {
      const inner = reader.operand(row);
      if (inner < 0) return reader.opaque(row);
      return builder.value({ kind: "spread", value: readTarget(reader, inner, given), span: reader.span(row) });
    }
    default:
      return reader.expression(row);
  }
}

function readNameTarget(reader: Reader, row: number, given: ValueId | null): ValueId {
  const { builder } = reader;
  const name = reader.nameOf(row);
  const span = reader.span(row);
  const scope = reader.scopeOf(name);
  const binding = builder.declare(name, "variable", span, scope);
  if (given !== null) {
    builder.give(binding, given);
    noteField(reader, name, given);
  }
  const target = builder.name(name, span, scope);
  builder.role(target, "write");
  return target;
}

/** Declares the name at a row in the scope it belongs to. */
export function bindName(reader: Reader, row: number, kind: Binding["kind"]): number {
  const name = reader.nameOf(row);
  return reader.builder.declare(name, kind, reader.span(row), reader.scopeOf(name));
}

/** In a class body, a name that is given a value is an attribute of the class. */
export function noteField(reader: Reader, name: string, given: ValueId): void {
  const { builder, surroundings } = reader;
  const { scopes, classes } = builder.draft.facts;
  if (surroundings.classId < 0 || scopes[builder.scope]!.kind !== "class") return;
  (classes[surroundings.classId]!.attributes[name] ??= []).push(given);
}

/** `self.name = value` is an attribute of the class. */
function noteAttribute(reader: Reader, target: ValueId, given: ValueId): void {
  const member = reader.builder.valueAt(target);
  if (member.kind !== "member" || member.property === null || member.subscript === true) return;
  const object = reader.builder.valueAt(member.object);
  if (object.kind !== "name") return;
  const id = reader.classOfSelf(object.name);
  if (id >= 0) (reader.builder.draft.facts.classes[id]!.attributes[member.property] ??= []).push(given);
}

function readListTarget(reader: Reader, row: number, given: ValueId | null): ValueId {
  const { builder } = reader;
  const rows = reader.children(row).filter((child) => reader.kinds[child] !== Kind.error);
  const written = given === null ? null : writtenItems(reader, given, rows.length);
  let hasStar = false;
  const items = rows.map((child, index) => {
    hasStar ||= reader.kinds[child] === Kind.list_splat_pattern || reader.kinds[child] === Kind.list_splat;
    const direct = hasStar ? undefined : written?.[index];
    // Behind a star, places are not known.
    const item = given === null ? null : direct ?? builder.value({ kind: "item", of: given, index: hasStar ? null : index, span: reader.span(child) });
    return readTarget(reader, child, item);
  });
  const form = reader.kinds[row] === Kind.list || reader.kinds[row] === Kind.list_pattern ? "list" : "tuple";
  return builder.value({ kind: "list", items, form, span: reader.span(row) });
}

/** The values themselves where a list of the same length is unpacked: `a, b = f, g`. */
function writtenItems(reader: Reader, given: ValueId, length: number): readonly ValueId[] | null {
  const value = reader.builder.valueAt(given);
  if (value.kind !== "list" || value.form === "set" || value.items.length !== length) return null;
  const hasSpread = value.items.some((item) => reader.builder.valueAt(item).kind === "spread");
  return hasSpread ? null : value.items;
}

/** `del a, b[c]`: the names are written by something that the table does not show. */
export function readDeleted(reader: Reader, row: number): ValueId {
  const target = readTarget(reader, row, null);
  markRebound(reader, target);
  return target;
}

/** Marks the binding of a name, or of each name in a list, as written by other means. */
export function markRebound(reader: Reader, target: ValueId): void {
  const { builder } = reader;
  const value = builder.valueAt(target);
  if (value.kind === "list") value.items.forEach((item) => { markRebound(reader, item); });
  if (value.kind === "name") builder.binding(builder.declare(value.name, "variable", value.span, reader.scopeOf(value.name))).rebound = true;
}
