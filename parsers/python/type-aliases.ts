import { readAnnotation } from "./annotations.ts";
import { declareTypeParameter } from "./functions.ts";
import { Field, Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";
import { bindName, readTarget } from "./targets.ts";

/**
 * `type X[T] = value`. The grammar takes any assignment that begins with the name `type` for one: what has no name
 * on its left, such as `type (x).y = z()`, is read as the assignment it is.
 */
export function readTypeAlias(reader: Reader, row: number): void {
  const { builder } = reader;
  builder.openStatement(reader.span(row));
  const left = reader.child(row, Field.left);
  const right = reader.child(row, Field.right);
  if (left < 0 || right < 0) {
    reader.opaque(row);
    return;
  }
  const name = aliasName(reader, left);
  if (name === null) {
    readHiddenAssignment(reader, left, right);
    return;
  }
  const outer = builder.scope;
  const binding = bindName(reader, name.row, "variable");
  builder.role(reader.name(name.row), "write");
  if (name.parameters.length > 0) builder.scope = builder.openScope("block");
  for (const parameter of name.parameters) declareTypeParameter(reader, parameter);
  builder.give(binding, readAnnotation(reader, right));
  builder.scope = outer;
}

/** The name on the left and its type parameters; null where the left is anything else. */
function aliasName(reader: Reader, left: number): { row: number; parameters: readonly number[] } | null {
  const { kinds } = reader;
  let at = left;
  while (kinds[at] === Kind.type && reader.operand(at) >= 0) at = reader.operand(at);
  if (kinds[at] === Kind.identifier) return { row: at, parameters: [] };
  if (kinds[at] !== Kind.generic_type && kinds[at] !== Kind.subscript) return null;
  const [name, ...rest] = reader.children(at);
  if (name === undefined || kinds[name] !== Kind.identifier) return null;
  const parameters = rest.flatMap((child) => (kinds[child] === Kind.type_parameter ? reader.children(child) : [child]));
  return parameters.every((child) => isTypeParameter(reader, child)) ? { row: name, parameters } : null;
}

function isTypeParameter(reader: Reader, row: number): boolean {
  const { kinds } = reader;
  let at = row;
  const wrappers: readonly number[] = [Kind.type, Kind.constrained_type, Kind.splat_type, Kind.list_splat, Kind.list_splat_pattern, Kind.dictionary_splat_pattern];
  while (wrappers.includes(kinds[at]!) && at + 1 < reader.after[at]!) at++;
  return kinds[at] === Kind.identifier && (at === row || reader.after[at]! <= reader.after[row]!);
}

function readHiddenAssignment(reader: Reader, left: number, right: number): void {
  const { builder, kinds } = reader;
  const brackets: readonly number[] = [Kind.parenthesized_expression, Kind.tuple, Kind.list, Kind.generator_expression];
  const value = reader.expression(right);
  let first = left;
  while (!brackets.includes(kinds[first]!) && first + 1 < reader.after[first]!) first++;
  if (brackets.includes(kinds[first]!)) reader.typeOperand = first;
  else builder.problem({ message: "A type alias needs a name on its left.", span: reader.span(left) });
  const target = readTarget(reader, left, value);
  reader.typeOperand = -1;
  builder.body.push({ kind: "assign", targets: [target], value, operator: "=", at: builder.statement });
}
