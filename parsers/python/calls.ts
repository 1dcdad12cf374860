import type { Argument, Value, ValueId } from "../facts.ts";
import { Field, Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";

export function readCall(reader: Reader, row: number, callee: ValueId): ValueId {
  const awaited = reader.awaited === row;
  if (awaited) reader.awaited = -1;
  const { inType } = reader;
  reader.inType = false;
  const list = reader.child(row, Field.arguments);
  const given = list < 0 ? NO_ARGUMENTS : readArguments(reader, list);
  reader.inType = inType;
  return addCall(reader, row, callee, given, awaited);
}

function addCall(reader: Reader, row: number, callee: ValueId, given: readonly Argument[], awaited: boolean): ValueId {
  const called = reader.builder.valueAt(callee);
  const nameSpan = called.kind === "member" ? called.propertySpan : called.span;
  const span = reader.spanAfter(row, callee);
  // Written out twice: objects that are put together by spreading are slow to make and to copy.
  if (awaited) return reader.builder.call({ callee, arguments: given, span, nameSpan, awaited });
  return reader.builder.call({ callee, arguments: given, span, nameSpan });
}

const NO_ARGUMENTS: readonly Argument[] = [];

function readArguments(reader: Reader, list: number): readonly Argument[] {
  if (reader.kinds[list] === Kind.generator_expression) return [{ value: reader.expression(list) }];
  const { after } = reader;
  const end = after[list]!;
  const first = list + 1;
  if (first >= end) return NO_ARGUMENTS;
  // Most calls have one or two; a list that grows takes room for 17.
  const second = after[first]!;
  if (second >= end) return [readArgument(reader, first)];
  if (after[second]! >= end) return [readArgument(reader, first), readArgument(reader, second)];
  return reader.children(list).map((child) => readArgument(reader, child));
}

/** `**options` is a spread with the name `**`, so that it takes no place among the positional ones. */
export function readArgument(reader: Reader, row: number): Argument {
  const kind = reader.kinds[row];
  if (kind === Kind.keyword_argument) {
    return { value: reader.expression(reader.child(row, Field.value)), name: reader.nameOf(reader.child(row, Field.name)) };
  }
  const value = reader.expression(row);
  return kind === Kind.dictionary_splat ? { value, name: "**" } : { value };
}

/** Gives a role to a chain, or to each in a list or union of them. */
export function markChains(reader: Reader, value: ValueId, role: "type" | "exception" | "base" | "alias" | "write"): void {
  const pending = [value];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const found = reader.builder.valueAt(id);
    if (found.kind === "name" || found.kind === "member") reader.builder.role(id, role);
    else pending.push(...partsOf(found));
    if (role === "type" && found.kind === "member" && found.subscript === true && found.key !== null) pending.push(found.key);
  }
}

function partsOf(value: Value): readonly ValueId[] {
  if (value.kind === "list") return value.items;
  if (value.kind === "binary" && value.operator === "|") return [value.left, value.right];
  return value.kind === "spread" ? [value.value] : [];
}

export function readSubscript(reader: Reader, row: number, object: ValueId): ValueId {
  const keys = reader.childrenWith(row, Field.subscript);
  if (keys.length === 0) return reader.builder.value({ kind: "opaque", of: [object], span: reader.span(row) });
  const last = keys.at(-1)!;
  const isTuple = keys.length > 1 || reader.text.slice(reader.ends[last], reader.ends[row]).includes(",");
  const items = readTypeArguments(reader, object, keys);
  const key = isTuple
    ? reader.builder.value({ kind: "list", items, form: "tuple", span: [reader.starts[keys[0]!]!, reader.ends[last]!] })
    : items[0]!;
  return addSubscript(reader, row, object, key);
}

/** What stands in the brackets of a type; the texts in those of `Literal` are values, and name no types. */
export function readTypeArguments(reader: Reader, object: ValueId, rows: readonly number[]): ValueId[] {
  const generic = reader.builder.valueAt(object);
  const isLiteral = reader.inType && (generic.kind === "name" ? generic.name : generic.kind === "member" ? generic.property : null) === "Literal";
  return rows.map((row) => (isLiteral ? reader.plainExpression(row) : reader.expression(row)));
}

export function addSubscript(reader: Reader, row: number, object: ValueId, key: ValueId): ValueId {
  const value = reader.builder.valueAt(key);
  const member = reader.builder.member({
    object, property: propertyOf(value), key, propertySpan: value.span, subscript: true, span: reader.spanAfter(row, object),
  });
  if (reader.inType) reader.builder.role(member, "type");
  return member;
}

function propertyOf(key: Value): string | null {
  if (key.kind === "string" && key.bytes === undefined) return key.value;
  return key.kind === "number" && Number.isSafeInteger(key.value) ? String(key.value) : null;
}

/**
 * `start:stop:step` is a binary `:` of start and stop; with a step it is one of that and the step. What is left out is
 * None.
 */
export function readSlice(reader: Reader, row: number): ValueId {
  const parts: [ValueId | null, ValueId | null, ValueId | null] = [null, null, null];
  let index = 0;
  for (const child of reader.children(row)) {
    if (reader.kinds[child] === Kind[":"]) index = Math.min(index + 1, 2);
    else parts[index] = reader.expression(child);
  }
  const span = reader.span(row);
  const none = (): ValueId => reader.builder.value({ kind: "constant", value: null, span });
  const range = reader.builder.value({ kind: "binary", operator: ":", left: parts[0] ?? none(), right: parts[1] ?? none(), span });
  return parts[2] === null ? range : reader.builder.value({ kind: "binary", operator: ":", left: range, right: parts[2], span });
}

/** `type (a, b)`, where the grammar took `type` for a keyword: the call it is. */
export function readCallOfType(reader: Reader, row: number): ValueId {
  reader.typeOperand = -1;
  const callee = typeName(reader, row);
  const given = reader.kinds[row] === Kind.generator_expression
    ? [{ value: reader.expression(row) }]
    : reader.children(row).map((child) => readArgument(reader, child));
  return addCall(reader, row, callee, given, false);
}

/** `type [a]`, where the grammar took `type` for a keyword: the subscript it is. */
export function readSubscriptOfType(reader: Reader, row: number): ValueId {
  reader.typeOperand = -1;
  const object = typeName(reader, row);
  const items = reader.children(row).map((child) => reader.expression(child));
  const key = items.length === 1 ? items[0]! : reader.builder.value({ kind: "list", items, form: "tuple", span: reader.span(row) });
  return addSubscript(reader, row, object, key);
}

/** The name `type` that stands before a bracket. */
function typeName(reader: Reader, row: number): ValueId {
  const start = reader.text.lastIndexOf("type", reader.starts[row]);
  return reader.builder.name("type", [start, start + 4], reader.scopeOf("type"));
}
