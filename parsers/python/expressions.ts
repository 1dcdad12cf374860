import type { Statement, ValueId } from "../facts.ts";
import { Field, Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";
import { readCallOfType, readSubscriptOfType } from "./calls.ts";

export function readIdentifier(reader: Reader, row: number): ValueId {
  // A missing name has no text.
  if (reader.starts[row] === reader.ends[row]) return reader.builder.value({ kind: "opaque", of: [], span: reader.span(row) });
  return reader.name(row);
}

export function readAttribute(reader: Reader, row: number, object: ValueId): ValueId {
  const name = reader.child(row, Field.attribute);
  if (name < 0) return reader.builder.value({ kind: "opaque", of: [object], span: reader.span(row) });
  const value = reader.builder.member({
    object, property: reader.nameOf(name), key: null, propertySpan: reader.span(name), span: reader.spanAfter(row, object),
  });
  if (reader.inType) reader.builder.role(value, "type");
  return value;
}

export function readBinary(reader: Reader, row: number, left: ValueId): ValueId {
  const operator = reader.child(row, Field.operator);
  const right = reader.expression(reader.child(row, Field.right));
  return reader.builder.value({ kind: "binary", operator: reader.textOf(operator), left, right, span: reader.spanAfter(row, left) });
}

/** `a or b`: what b calls is evaluated only on one outcome of a. */
export function readBoolean(reader: Reader, row: number, left: ValueId): ValueId {
  const { builder } = reader;
  const operator = reader.textOf(reader.child(row, Field.operator)) === "and" ? "and" : "or";
  let right = -1;
  const inside = builder.within(() => { right = reader.expression(reader.child(row, Field.right)); });
  if (inside.length > 0) pushTest(reader, left, operator === "and" ? inside : [], operator === "or" ? inside : []);
  return builder.value({ kind: "logical", operator, left, right, span: reader.span(row) });
}

export function pushTest(reader: Reader, test: ValueId, then: readonly Statement[], otherwise: readonly Statement[]): void {
  const { builder } = reader;
  builder.body.push({ kind: "test", test, then, else: otherwise, at: builder.statement });
}

/** `a < b <= c` is `a < b and b <= c`, with b evaluated once. */
export function readComparison(reader: Reader, row: number, first: ValueId): ValueId {
  const { builder, kinds, after } = reader;
  const end = after[row]!;
  let operator = "";
  let left = first;
  let leftStart = reader.starts[row]!;
  let whole = -1;
  for (let child = after[row + 1]!; child < end; child = after[child]!) {
    if (kinds[child] === Kind.operator) {
      operator = reader.textOf(child).replace(/\s+/g, " ");
      if (operator === "<>") builder.problem({ message: "`<>` is Python 2: write `!=`.", span: reader.span(child) });
      continue;
    }
    if (kinds[child] === Kind.error) continue;
    const right = reader.expression(child);
    const pair = builder.value({ kind: "binary", operator, left, right, span: [leftStart, reader.ends[child]!] });
    whole = whole < 0 ? pair : builder.value({ kind: "logical", operator: "and", left: whole, right: pair, span: [reader.starts[row]!, reader.ends[child]!] });
    left = right;
    leftStart = reader.starts[child]!;
  }
  return whole < 0 ? first : whole;
}

export function readNot(reader: Reader, row: number): ValueId {
  const value = reader.expression(reader.child(row, Field.argument));
  return reader.builder.value({ kind: "unary", operator: "not", value, span: reader.span(row) });
}

export function readUnary(reader: Reader, row: number): ValueId {
  const value = reader.expression(reader.child(row, Field.argument));
  const operator = reader.text[reader.starts[row]!] as "-" | "+" | "~";
  return reader.builder.value({ kind: "unary", operator, value, span: reader.span(row) });
}

export function readConditional(reader: Reader, row: number): ValueId {
  const { builder } = reader;
  const [then, condition, otherwise] = reader.children(row).filter((child) => reader.kinds[child] !== Kind.error);
  if (then === undefined || condition === undefined || otherwise === undefined) return reader.opaque(row);
  const test = reader.expression(condition);
  const values = { then: -1, else: -1 };
  const whenTrue = builder.within(() => { values.then = reader.expression(then); });
  const whenFalse = builder.within(() => { values.else = reader.expression(otherwise); });
  if (whenTrue.length > 0 || whenFalse.length > 0) pushTest(reader, test, whenTrue, whenFalse);
  return builder.value({ kind: "conditional", test, ...values, span: reader.span(row) });
}

/** `name := value` binds in the scope around the comprehensions it stands in. */
export function readWalrus(reader: Reader, row: number): ValueId {
  const { builder } = reader;
  const name = reader.child(row, Field.name);
  const value = reader.expression(reader.child(row, Field.value));
  const text = reader.nameOf(name);
  const scope = reader.scopeOf(text, reader.surroundings.scope);
  builder.give(builder.declare(text, "variable", reader.span(name), scope), value);
  const target = builder.name(text, reader.span(name), scope);
  builder.role(target, "write");
  builder.body.push({ kind: "assign", targets: [target], value, operator: "=", at: builder.statement });
  return builder.value({ kind: "assigned", value, span: reader.span(row) });
}

export function readAwait(reader: Reader, row: number): ValueId {
  let inner = reader.operand(row);
  if (inner < 0) return reader.opaque(row);
  while (reader.kinds[inner] === Kind.parenthesized_expression && reader.operand(inner) >= 0) inner = reader.operand(inner);
  reader.awaited = inner;
  const value = reader.expression(inner);
  return reader.builder.value({ kind: "await", value, span: reader.span(row) });
}

export function readYield(reader: Reader, row: number): ValueId {
  reader.surroundings.functionFacts.generator = true;
  const operand = reader.operand(row);
  const value = operand < 0 ? null : reader.expression(operand);
  const isDelegate = reader.childOfKind(row, Kind.from) >= 0;
  return reader.builder.value({ kind: "yield", value, span: reader.span(row), ...(isDelegate && { delegate: true }) });
}

export function readItems(reader: Reader, row: number): ValueId[] {
  return reader.children(row).map((child) => reader.expression(child));
}

const FORMS: Readonly<Record<number, "list" | "set">> = { [Kind.list]: "list", [Kind.list_pattern]: "list", [Kind.set]: "set" };

export function readList(reader: Reader, row: number): ValueId {
  if (row === reader.typeOperand) return reader.kinds[row] === Kind.list ? readSubscriptOfType(reader, row) : readCallOfType(reader, row);
  const items = readItems(reader, row);
  return reader.builder.value({ kind: "list", items, form: FORMS[reader.kinds[row]!] ?? "tuple", span: reader.span(row) });
}

export function readSpread(reader: Reader, row: number): ValueId {
  const operand = reader.operand(row);
  if (operand < 0) return reader.opaque(row);
  return reader.builder.value({ kind: "spread", value: reader.expression(operand), span: reader.span(row) });
}

export function readDictionary(reader: Reader, row: number): ValueId {
  const entries: { key: ValueId | null; value: ValueId }[] = [];
  for (const child of reader.children(row)) {
    if (reader.kinds[child] === Kind.pair) {
      const key = reader.expression(reader.child(child, Field.key));
      entries.push({ key, value: reader.expression(reader.child(child, Field.value)) });
      continue;
    }
    const operand = reader.kinds[child] === Kind.dictionary_splat ? reader.operand(child) : child;
    if (operand >= 0) entries.push({ key: null, value: reader.expression(operand) });
  }
  return reader.builder.value({ kind: "table", entries, span: reader.span(row) });
}

export function readEllipsis(reader: Reader, row: number): ValueId {
  return reader.builder.value({ kind: "opaque", of: [], span: reader.span(row) });
}

/** A `(…)` that is no plain expression: the arguments of `type (…)`, or something broken. */
export function readParenthesized(reader: Reader, row: number): ValueId {
  return row === reader.typeOperand ? readCallOfType(reader, row) : reader.opaque(row);
}
