import type { ClassFacts, Field as FieldFacts, ValueId } from "../facts.ts";
import { markChains, readArgument } from "./calls.ts";
import { applyDecorators, openTypeParameters, readFunction } from "./functions.ts";
import { Field, Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";

/** `class`: its body runs where the class is defined, so its statements stand among those around it. */
export function readClass(reader: Reader, row: number, decorators: readonly ValueId[]): void {
  const { builder } = reader;
  const at = builder.openStatement(reader.header(row));
  const nameRow = reader.child(row, Field.name);
  const name = reader.nameOf(nameRow);
  const binding = builder.declare(name, "class", reader.span(nameRow), reader.scopeOf(name));
  const outer = builder.scope;
  openTypeParameters(reader, row);
  const facts: ClassFacts = {
    name, bases: readBases(reader, reader.child(row, Field.superclasses)), decorators, fields: [], span: reader.span(row),
    nameSpan: reader.span(nameRow), function: builder.function, binding,
    attributes: Object.create(null) as ClassFacts["attributes"],
  };
  const id = builder.reserveClass(facts);
  builder.scope = builder.openScope("class");
  const { surroundings } = reader;
  reader.inside({ ...surroundings, classId: id, scope: builder.scope, redirected: { scopes: null } }, () => {
    const body = reader.child(row, Field.body);
    reader.documented = body;
    if (body >= 0) reader.statements(body);
  });
  builder.scope = outer;
  builder.statement = at;
  const value = builder.value({ kind: "class", class: id, span: reader.span(row) });
  builder.give(binding, value);
  builder.body.push({ kind: "define", class: id, at });
  applyDecorators(reader, decorators, value);
}

/** The bases; keywords such as `metaclass=` are read for what they use. */
function readBases(reader: Reader, list: number): ValueId[] {
  if (list < 0) return [];
  const bases: ValueId[] = [];
  for (const child of reader.children(list)) {
    const argument = readArgument(reader, child);
    if (argument.name === undefined) bases.push(argument.value);
    if (argument.name === undefined || argument.name === "metaclass") markChains(reader, argument.value, "base");
    markTypeParameters(reader, argument.value);
  }
  return bases;
}

/** `class A(Provider[Client])`: the base is told of the class, and makes none. */
function markTypeParameters(reader: Reader, base: ValueId): void {
  const value = reader.builder.valueAt(base);
  if (value.kind === "member" && value.subscript === true && value.key !== null) markChains(reader, value.key, "type");
}

/** A name that a class body gives a value or an annotation. */
export function addField(reader: Reader, row: number, value: ValueId | null, annotation: ValueId | null): void {
  const { builder, surroundings } = reader;
  const { classes, scopes } = builder.draft.facts;
  if (surroundings.classId < 0 || scopes[builder.scope]!.kind !== "class" || reader.kinds[row] !== Kind.identifier) return;
  const fields = classes[surroundings.classId]!.fields as FieldFacts[];
  fields.push({ name: reader.nameOf(row), value, annotation, span: reader.span(row) });
}

/** `@a @b(c)` and what they stand before. Each decorator is a statement of its own. */
export function readDecorated(reader: Reader, row: number): void {
  const { builder } = reader;
  const decorators: ValueId[] = [];
  for (const child of reader.children(row)) {
    if (reader.kinds[child] !== Kind.decorator) continue;
    builder.openStatement(reader.span(child));
    const operand = reader.operand(child);
    decorators.push(operand < 0 ? reader.opaque(child) : reader.expression(operand));
  }
  const definition = reader.child(row, Field.definition);
  if (definition < 0) return;
  if (reader.kinds[definition] === Kind.class_definition) readClass(reader, definition, decorators);
  else readFunction(reader, definition, decorators);
}
