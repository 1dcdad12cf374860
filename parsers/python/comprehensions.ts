import type { Span, Statement, ValueId } from "../facts.ts";
import { Field, Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";
import { pushTest } from "./expressions.ts";
import { readTarget } from "./targets.ts";

/** Longest chain of branches or clauses that is nested; those behind it follow one another, so that no body is ever deep. */
export const LONGEST_CHAIN = 100;

/**
 * Comprehensions and generator expressions: loops around the element, in a scope of their own. The first iterable is
 * evaluated outside of it, as CPython does.
 */
export function readComprehension(reader: Reader, row: number): ValueId {
  if (row === reader.typeOperand) reader.typeOperand = -1;
  const { builder } = reader;
  const clauses = reader.children(row).filter((child) => reader.kinds[child] === Kind.for_in_clause || reader.kinds[child] === Kind.if_clause);
  const first = clauses[0];
  if (first === undefined || reader.kinds[first] !== Kind.for_in_clause) return reader.opaque(row);
  const iterables = [readIterable(reader, first)];
  const outer = builder.scope;
  builder.scope = builder.openScope("comprehension");
  const element = readClauses(reader, row, clauses, iterables);
  builder.scope = outer;
  const lazy = reader.kinds[row] === Kind.generator_expression ? { lazy: true as const } : {};
  return builder.value({ kind: "comprehension", element, iterables, ...lazy, span: reader.span(row) });
}

function readIterable(reader: Reader, clause: number): ValueId {
  const rows = reader.childrenWith(clause, Field.right);
  if (rows.length === 1) return reader.expression(rows[0]!);
  const items = rows.map((item) => reader.expression(item));
  return reader.builder.value({ kind: "list", items, form: "tuple", span: reader.span(clause) });
}

/** Opens a loop or test for each clause, reads the element innermost, and closes them again. */
function readClauses(reader: Reader, row: number, clauses: readonly number[], iterables: ValueId[]): ValueId {
  const { builder } = reader;
  const open: { outer: Statement[]; close: (body: Statement[]) => void }[] = [];
  clauses.forEach((clause, index) => {
    const close = reader.kinds[clause] === Kind.if_clause ? openCondition(reader, clause) : openLoop(reader, clause, index, iterables);
    // Behind the longest chain the clauses follow one another.
    if (index >= LONGEST_CHAIN) {
      close([]);
      return;
    }
    open.push({ outer: builder.body, close });
    builder.body = [];
  });
  const element = readElement(reader, row);
  for (let index = open.length - 1; index >= 0; index--) {
    const inner = builder.body;
    builder.body = open[index]!.outer;
    open[index]!.close(inner);
  }
  return element;
}

function readElement(reader: Reader, row: number): ValueId {
  const body = reader.child(row, Field.body);
  if (body < 0) return reader.builder.value({ kind: "opaque", of: [], span: reader.span(row) });
  if (reader.kinds[body] !== Kind.pair) return reader.expression(body);
  const key = reader.expression(reader.child(body, Field.key));
  const value = reader.expression(reader.child(body, Field.value));
  return reader.builder.value({ kind: "table", entries: [{ key, value }], span: reader.span(body) });
}

function openCondition(reader: Reader, clause: number): (body: Statement[]) => void {
  const operand = reader.operand(clause);
  const test = operand < 0 ? reader.opaque(clause) : reader.expression(operand);
  return (body) => { pushTest(reader, test, body, []); };
}

function openLoop(reader: Reader, clause: number, index: number, iterables: ValueId[]): (body: Statement[]) => void {
  const { builder } = reader;
  if (index > 0) iterables.push(readIterable(reader, clause));
  const iterable = iterables.at(-1)!;
  const left = reader.child(clause, Field.left);
  const item = builder.value({ kind: "item", of: iterable, index: null, span: reader.span(left) });
  const target = readTarget(reader, left, item);
  const at = builder.statement;
  return (body) => {
    builder.body.push({
      kind: "loop", form: "each", test: null, targets: [target], iterable, before: [], update: [], body, otherwise: [],
      keywordSpan: forKeyword(reader, clause), at,
    });
  };
}

/** The word `for`, which `async` may stand before. */
export function forKeyword(reader: Reader, row: number): Span {
  let start = reader.starts[row]!;
  if (reader.isAsync(row)) start = reader.text.indexOf("for", start + 5);
  return [start, start + 3];
}
