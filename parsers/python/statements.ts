import type { ValueId } from "../facts.ts";
import { readAnnotation } from "./annotations.ts";
import { markChains } from "./calls.ts";
import { addField } from "./classes.ts";
import { pushTest } from "./expressions.ts";
import { markDocstring } from "./literals.ts";
import { Field, Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";
import { bindName, markRebound, readDeleted, readTarget } from "./targets.ts";

export function readExpressionStatement(reader: Reader, row: number): void {
  const { builder, kinds } = reader;
  const first = row + 1;
  if (first >= reader.after[row]!) return;
  const at = builder.openStatement(reader.span(row));
  if (reader.after[first] === reader.after[row]) {
    if (kinds[first] === Kind.assignment || kinds[first] === Kind.augmented_assignment) {
      if (kinds[first] === Kind.assignment) readAssignment(reader, first);
      else readAugmented(reader, first);
      return;
    }
    const value = reader.expression(first);
    if (row === reader.documented + 1) markDocstring(reader, value);
    builder.body.push({ kind: "expression", value, at });
    return;
  }
  const items = reader.children(row).map((child) => reader.expression(child));
  builder.body.push({ kind: "expression", value: builder.value({ kind: "list", items, form: "tuple", span: reader.span(row) }), at });
}

/** `Client: TypeAlias = httpx.Client | None`. What is done by the new name is a use of what it stands for all the same. */
const TYPE_ALIAS = /^(?:\w+\.)?TypeAlias$/;

/** `a = b = value`, `a: annotation = value`, `a: annotation`. */
export function readAssignment(reader: Reader, row: number): void {
  const { builder } = reader;
  const lefts = [row];
  let right = reader.child(row, Field.right);
  while (right >= 0 && reader.kinds[right] === Kind.assignment) {
    lefts.push(right);
    right = reader.child(right, Field.right);
  }
  const value = right < 0 ? null : readRight(reader, right);
  const type = reader.child(row, Field.type);
  const annotation = type < 0 ? null : readAnnotation(reader, type);
  const targets = lefts.map((assignment) => {
    const left = reader.child(assignment, Field.left);
    if (left < 0) return reader.opaque(assignment);
    addField(reader, left, value, annotation);
    return readTarget(reader, left, value);
  });
  if (annotation !== null) annotate(reader, targets[0]!, annotation);
  if (value === null) return;
  if (type >= 0 && TYPE_ALIAS.test(reader.textOf(type))) markChains(reader, value, "type");
  else markAlias(reader, targets, value);
  builder.body.push({ kind: "assign", targets, value, operator: "=", at: builder.statement });
}

function readRight(reader: Reader, row: number): ValueId {
  if (reader.kinds[row] !== Kind.augmented_assignment) return reader.expression(row);
  readAugmented(reader, row);
  return reader.builder.value({ kind: "opaque", of: [], span: reader.span(row) });
}

function annotate(reader: Reader, target: ValueId, annotation: ValueId): void {
  const { builder } = reader;
  const value = builder.valueAt(target);
  if (value.kind !== "name") return;
  const binding = builder.binding(builder.declare(value.name, "variable", value.span, reader.scopeOf(value.name)));
  binding.annotation ??= annotation;
}

/** A chain that is given to plain names of a function or module is an alias of what it names. */
function markAlias(reader: Reader, targets: readonly ValueId[], value: ValueId): void {
  const { builder } = reader;
  if (builder.draft.facts.scopes[builder.scope]!.kind === "class") return;
  if (targets.every((target) => isNames(reader, target))) markAliases(reader, targets, value);
}

function isNames(reader: Reader, target: ValueId): boolean {
  const found = reader.builder.valueAt(target);
  return found.kind === "name" || (found.kind === "list" && found.items.every((item) => reader.builder.valueAt(item).kind === "name"));
}

function markAliases(reader: Reader, targets: readonly ValueId[], value: ValueId): void {
  const found = reader.builder.valueAt(value);
  if (found.kind === "name" || found.kind === "member") {
    reader.builder.role(value, "alias");
    return;
  }
  // Items of a list are followed only where each is given to a name of its own.
  const isUnpacked = targets.every((target) => {
    const names = reader.builder.valueAt(target);
    return names.kind === "list" && found.kind === "list" && names.items.length === found.items.length;
  });
  if (isUnpacked && found.kind === "list") found.items.forEach((item) => { markAliases(reader, [], item); });
}

export function readAugmented(reader: Reader, row: number): void {
  const { builder } = reader;
  const operator = reader.textOf(reader.child(row, Field.operator));
  const left = reader.child(row, Field.left);
  const right = reader.child(row, Field.right);
  const value = right < 0 ? reader.opaque(row) : readRight(reader, right);
  if (left < 0) return;
  const target = readTarget(reader, left, null);
  markRebound(reader, target);
  builder.body.push({ kind: "assign", targets: [target], value, operator, at: builder.statement });
}

export function readReturn(reader: Reader, row: number): void {
  const at = reader.builder.openStatement(reader.span(row));
  const operand = reader.operand(row);
  reader.builder.body.push({ kind: "return", value: operand < 0 ? null : reader.expression(operand), at });
}

/** `raise X(…) from y`; `raise a, b` is Python 2. */
export function readRaise(reader: Reader, row: number): void {
  const { builder } = reader;
  const at = builder.openStatement(reader.span(row));
  const operand = reader.operand(row);
  const cause = reader.child(row, Field.cause);
  if (operand < 0 || operand === cause) {
    if (cause >= 0) reader.expression(cause);
    builder.body.push({ kind: "jump", to: "raise", value: null, at });
    return;
  }
  if (reader.kinds[operand] === Kind.expression_list) {
    builder.problem({ message: "`raise` with commas is Python 2: call the exception with its arguments.", span: reader.span(row) });
  }
  const value = reader.expression(operand);
  const found = builder.valueAt(value);
  markChains(reader, found.kind === "call" ? builder.draft.facts.calls[found.call]!.callee : value, "exception");
  if (cause >= 0) reader.expression(cause);
  builder.body.push({ kind: "jump", to: "raise", value, at });
}

/** `assert test, message`: a failing one raises. */
export function readAssert(reader: Reader, row: number): void {
  const { builder } = reader;
  const at = builder.openStatement(reader.span(row));
  const [test, message] = reader.children(row);
  if (test === undefined) return;
  const value = reader.expression(test);
  const otherwise = builder.within(() => {
    const text = message === undefined ? null : reader.expression(message);
    builder.body.push({ kind: "jump", to: "raise", value: text, at });
  });
  pushTest(reader, value, [], otherwise);
}

export function readDelete(reader: Reader, row: number): void {
  const { builder } = reader;
  const at = builder.openStatement(reader.span(row));
  for (const child of reader.children(row)) builder.body.push({ kind: "expression", value: readDeleted(reader, child), at });
}

export function readJump(reader: Reader, row: number): void {
  const at = reader.builder.openStatement(reader.span(row));
  reader.builder.body.push({ kind: "jump", to: reader.kinds[row] === Kind.break_statement ? "break" : "continue", value: null, at });
}

export function readPass(reader: Reader, row: number): void {
  reader.builder.openStatement(reader.span(row));
}

/** `global a`, `nonlocal b`: from here on, the names belong to another scope. */
export function readRedirection(reader: Reader, row: number): void {
  const { builder, surroundings } = reader;
  builder.openStatement(reader.span(row));
  const isGlobal = reader.kinds[row] === Kind.global_statement;
  for (const child of reader.children(row)) {
    if (reader.kinds[child] !== Kind.identifier) continue;
    const name = reader.nameOf(child);
    const scope = isGlobal ? 0 : enclosingScope(reader, name);
    if (scope === builder.scope) continue;
    (surroundings.redirected.scopes ??= new Map()).set(name, scope);
    builder.binding(bindName(reader, child, "variable")).rebound = true;
  }
}

/** The nearest function around that declares the name, else the nearest one. */
function enclosingScope(reader: Reader, name: string): number {
  const { scopes } = reader.builder.draft.facts;
  let nearest = -1;
  for (let id = scopes[reader.builder.scope]!.parent; id > 0; id = scopes[id]!.parent) {
    if (scopes[id]!.kind !== "function") continue;
    if (scopes[id]!.names[name] !== undefined) return id;
    if (nearest < 0) nearest = id;
  }
  return Math.max(nearest, 0);
}
