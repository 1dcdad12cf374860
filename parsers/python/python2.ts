import type { Argument, ValueId } from "../facts.ts";
import { Field, Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";

/** `print x` is Python 2. `print >>f, x` is an expression of Python 3 as well: a tuple of a shift and x. */
export function readPrint(reader: Reader, row: number): void {
  const { builder } = reader;
  const at = builder.openStatement(reader.span(row));
  const chevron = reader.childOfKind(row, Kind.chevron);
  const start = reader.starts[row]!;
  const print = builder.name("print", [start, start + "print".length], reader.scopeOf("print"));
  const given = reader.childrenWith(row, Field.argument).map((child) => reader.expression(child));
  if (chevron < 0) {
    builder.problem({ message: "`print` without brackets is Python 2: call it.", span: [start, start + "print".length] });
    callStatement(reader, row, print, given, at);
    return;
  }
  const operand = reader.operand(chevron);
  const right = operand < 0 ? reader.opaque(chevron) : reader.expression(operand);
  const shift = builder.value({ kind: "binary", operator: ">>", left: print, right, span: [start, reader.ends[chevron]!] });
  const value = given.length === 0 ? shift : builder.value({ kind: "list", items: [shift, ...given], form: "tuple", span: reader.span(row) });
  builder.body.push({ kind: "expression", value, at });
}

/** `exec code in globals` is Python 2; it is judged as the call it would be. */
export function readExec(reader: Reader, row: number): void {
  const { builder } = reader;
  const at = builder.openStatement(reader.span(row));
  const start = reader.starts[row]!;
  builder.problem({ message: "`exec` without brackets is Python 2: call it.", span: [start, start + "exec".length] });
  const callee = builder.name("exec", [start, start + "exec".length], reader.scopeOf("exec"));
  callStatement(reader, row, callee, reader.children(row).map((child) => reader.expression(child)), at);
}

function callStatement(reader: Reader, row: number, callee: ValueId, given: readonly ValueId[], at: number): void {
  const { builder } = reader;
  const list: Argument[] = given.map((value) => ({ value }));
  const nameSpan = builder.valueAt(callee).span;
  builder.body.push({ kind: "expression", value: builder.call({ callee, arguments: list, span: reader.span(row), nameSpan }), at });
}
