import type { Handler, Statement, ValueId } from "../facts.ts";
import { markChains } from "./calls.ts";
import { forKeyword, LONGEST_CHAIN } from "./comprehensions.ts";
import { Field, Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";
import { suppressorOf } from "./suppressors.ts";
import { bindName, readTarget } from "./targets.ts";
import { typeCheckingTest } from "./type-checking.ts";

export function readIf(reader: Reader, row: number): void {
  const { builder } = reader;
  const outer = builder.body;
  const branches = [row, ...reader.childrenWith(row, Field.alternative)];
  branches.forEach((branch, index) => {
    if (reader.kinds[branch] === Kind.else_clause) return;
    const next = branches[index + 1];
    const isNested = index + 1 < LONGEST_CHAIN;
    const otherwise = readBranch(reader, branch, next !== undefined && reader.kinds[next] === Kind.else_clause ? next : -1);
    if (isNested) builder.body = otherwise;
  });
  builder.body = outer;
}

/** Reads one `if` or `elif` with its own block, and the `else` block behind it. Returns the list of the `else`. */
function readBranch(reader: Reader, branch: number, elseRow: number): Statement[] {
  const { builder } = reader;
  const at = builder.openStatement(reader.header(branch));
  const condition = reader.child(branch, Field.condition);
  const test = condition < 0 ? reader.opaque(branch) : reader.expression(condition);
  const checking = condition < 0 ? null : typeCheckingTest(reader, condition);
  const inBranch = (name: "then" | "else", block: number): Statement[] => {
    if (checking?.branch !== name) return reader.block(block);
    let statements: Statement[] = [];
    reader.inside({ ...reader.surroundings, typeChecking: checking.row }, () => { statements = reader.block(block); });
    return statements;
  };
  const then = inBranch("then", reader.child(branch, Field.consequence));
  const otherwise = elseRow < 0 ? [] : inBranch("else", reader.child(elseRow, Field.body));
  builder.body.push({ kind: "test", test, then, else: otherwise, at });
  return otherwise;
}

export function readFor(reader: Reader, row: number): void {
  const { builder } = reader;
  const at = builder.openStatement(reader.header(row));
  const right = reader.child(row, Field.right);
  const left = reader.child(row, Field.left);
  if (left < 0 || right < 0) {
    reader.opaque(row);
    return;
  }
  const over = reader.expression(right);
  const iterable = reader.isAsync(row) ? builder.value({ kind: "await", value: over, span: reader.span(right) }) : over;
  const item = builder.value({ kind: "item", of: iterable, index: null, span: reader.span(left) });
  const target = readTarget(reader, left, item);
  const body = reader.block(reader.child(row, Field.body));
  const otherwise = readElse(reader, row);
  builder.body.push({
    kind: "loop", form: "each", test: null, targets: [target], iterable, before: [], update: [], body, otherwise,
    keywordSpan: forKeyword(reader, row), at,
  });
}

/** What the condition calls is called in every round, so it stands at the start of the body. */
export function readWhile(reader: Reader, row: number): void {
  const { builder } = reader;
  const at = builder.openStatement(reader.header(row));
  const condition = reader.child(row, Field.condition);
  let test: ValueId | null = null;
  const body = builder.within(() => {
    if (condition >= 0) test = reader.expression(condition);
    const block = reader.child(row, Field.body);
    if (block >= 0) reader.statements(block);
  });
  const start = reader.starts[row]!;
  builder.body.push({
    kind: "loop", form: "while", test, targets: [], iterable: null, before: [], update: [], body,
    otherwise: readElse(reader, row), keywordSpan: [start, start + "while".length], at,
  });
}

function readElse(reader: Reader, row: number): Statement[] {
  const clause = reader.childOfKind(row, Kind.else_clause);
  return clause < 0 ? [] : reader.block(reader.child(clause, Field.body));
}

/** The errors of which one means that an import failed. */
const IMPORT_ERRORS = new Set(["ImportError", "ModuleNotFoundError", "Exception", "BaseException"]);

export function readTry(reader: Reader, row: number): void {
  const { builder } = reader;
  const at = builder.openStatement(reader.header(row));
  const clauses = reader.children(row).filter((child) => reader.kinds[child] === Kind.except_clause);
  const optional = reader.surroundings.optional || clauses.some((clause) => catchesImportError(reader, clause));
  let body: Statement[] = [];
  reader.inside({ ...reader.surroundings, optional }, () => { body = reader.block(reader.child(row, Field.body)); });
  const handlers = clauses.map((clause) => readHandler(reader, clause));
  const otherwise = readElse(reader, row);
  const last = reader.childOfKind(row, Kind.finally_clause);
  const finallyBody = last < 0 ? [] : reader.block(reader.childOfKind(last, Kind.block));
  builder.body.push({ kind: "try", body, handlers, otherwise, finally: finallyBody, at });
}

function catchesImportError(reader: Reader, clause: number): boolean {
  const end = reader.childOfKind(clause, Kind.block);
  let isBare = true;
  for (let child = clause + 1; child < (end < 0 ? reader.after[clause]! : end); child++) {
    if (reader.kinds[child] === Kind[":"]) continue;
    isBare = false;
    if (reader.kinds[child] === Kind.identifier && IMPORT_ERRORS.has(reader.nameOf(child))) return true;
  }
  return isBare;
}

/** `except A, B:`, `except (A, B) as e:`, `except* A:`. */
function readHandler(reader: Reader, clause: number): Handler {
  const { builder } = reader;
  builder.openStatement(reader.header(clause));
  const types: ValueId[] = [];
  let alias = -1;
  for (const child of reader.childrenWith(clause, Field.value)) {
    const isNamed = reader.kinds[child] === Kind.as_pattern;
    if (isNamed) alias = reader.child(child, Field.alias);
    types.push(...exceptionTypes(reader, isNamed ? reader.operand(child) : child));
  }
  if (alias < 0) alias = reader.child(clause, Field.alias);
  const binding = bindCaught(reader, alias, types);
  return { types, binding, body: reader.block(reader.childOfKind(clause, Kind.block)), span: reader.header(clause) };
}

function exceptionTypes(reader: Reader, row: number): readonly ValueId[] {
  if (row < 0) return [];
  const value = reader.expression(row);
  markChains(reader, value, "exception");
  const found = reader.builder.valueAt(value);
  return found.kind === "list" ? found.items : [value];
}

function bindCaught(reader: Reader, alias: number, types: readonly ValueId[]): number {
  let name = alias;
  while (name >= 0 && reader.kinds[name] !== Kind.identifier) name = reader.operand(name);
  if (name < 0) return -1;
  const binding = bindName(reader, name, "caught");
  reader.builder.give(binding, reader.builder.value({ kind: "caught", types, span: reader.span(name) }));
  return binding;
}

/** The items are entered one after the other, and what each is bound to stands for it. */
export function readWith(reader: Reader, row: number): void {
  const { builder } = reader;
  const at = builder.openStatement(reader.header(row));
  const clause = reader.childOfKind(row, Kind.with_clause);
  const items = clause < 0 ? [] : reader.children(clause).flatMap((item) => readWithItems(reader, item));
  const suppressor = suppressorOf(reader, items);
  const optional = reader.surroundings.optional || suppressor?.types.some((type) => namesImportError(reader, type)) === true;
  let body: Statement[] = [];
  reader.inside({ ...reader.surroundings, optional }, () => { body = reader.block(reader.child(row, Field.body)); });
  if (suppressor !== null) body = [{ kind: "try", body, handlers: [suppressor], otherwise: [], finally: [], at }];
  builder.body.push({ kind: "with", items, body, at });
}

function namesImportError(reader: Reader, type: ValueId): boolean {
  const value = reader.builder.valueAt(type);
  return value.kind === "name" && IMPORT_ERRORS.has(value.name);
}

function readWithItems(reader: Reader, item: number): ValueId[] {
  let row = reader.kinds[item] === Kind.with_item ? reader.child(item, Field.value) : item;
  if (row < 0) return [reader.opaque(item)];
  while (reader.kinds[row] === Kind.parenthesized_expression && reader.operand(row) >= 0) row = reader.operand(row);
  // `with (a as b, c):` reads like a tuple.
  if (reader.kinds[row] === Kind.tuple) return reader.children(row).flatMap((child) => readWithItem(reader, child));
  return readWithItem(reader, row);
}

function readWithItem(reader: Reader, row: number): ValueId[] {
  if (reader.kinds[row] !== Kind.as_pattern) return [reader.expression(row)];
  const { builder } = reader;
  const operand = reader.operand(row);
  const value = reader.expression(operand);
  const alias = reader.child(row, Field.alias);
  if (alias >= 0) {
    const target = readTarget(reader, alias, value);
    builder.body.push({ kind: "assign", targets: [target], value, operator: "=", at: builder.statement });
  }
  return [value];
}
