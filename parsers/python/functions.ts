import type { ClassId, FunctionFacts, FunctionId, Parameter, ScopeId, Span, ValueId } from "../facts.ts";
import { readAnnotation } from "./annotations.ts";
import { Field, Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";
import { readTarget } from "./targets.ts";

/** What a parameter's row holds. */
interface ParameterRow {
  readonly row: number;
  readonly name: number;
  readonly annotation: number;
  readonly default: number;
  readonly kind: Parameter["kind"];
}

/** A function being put together: its parts are read before its body. */
type FunctionDraft = { -readonly [K in keyof FunctionFacts]: FunctionFacts[K] };

/**
 * `def`: defaults and annotations are read where the function is defined, then its body. `decorators` have been read.
 */
export function readFunction(reader: Reader, row: number, decorators: readonly ValueId[]): void {
  const { builder } = reader;
  const at = builder.openStatement(reader.header(row));
  const nameRow = reader.child(row, Field.name);
  const name = reader.nameOf(nameRow);
  const binding = builder.declare(name, "function", reader.span(nameRow), reader.scopeOf(name));
  const { classId } = reader.surroundings;
  const outer = builder.scope;
  const isMember = classId >= 0 && builder.draft.facts.scopes[outer]!.kind === "class";
  openTypeParameters(reader, row);
  const facts = draftFunction(reader, name, row, reader.span(nameRow), isMember ? classId : -1);
  facts.decorators = decorators;
  describeMethod(reader, facts, isMember);
  if (reader.isAsync(row)) facts.async = true;
  const id = builder.reserveFunction(facts);
  const rows = parameterRows(reader, reader.child(row, Field.parameters));
  const defaults = rows.map((parameter) => readOutside(reader, parameter));
  const returned = reader.child(row, Field.return_type);
  if (returned >= 0) facts.returnAnnotation = readAnnotation(reader, returned);
  enterFunction(reader, id, facts, () => {
    facts.parameters = rows.map((parameter, index) => declareParameter(reader, parameter, index, id, defaults[index]!));
    markSelf(reader, facts);
    const body = reader.child(row, Field.body);
    reader.documented = body;
    facts.body = reader.block(body);
  });
  builder.scope = outer;
  builder.statement = at;
  const value = builder.value({ kind: "function", function: id, span: reader.span(row) });
  builder.give(binding, value);
  builder.body.push({ kind: "define", function: id, at });
  applyDecorators(reader, decorators, value);
}

export function readLambda(reader: Reader, row: number): ValueId {
  const { builder } = reader;
  const start = reader.starts[row]!;
  const { statement } = builder;
  const outer = builder.scope;
  const facts = draftFunction(reader, "", row, [start, start + 6], -1);
  facts.kind = "lambda";
  const id = builder.reserveFunction(facts);
  const rows = parameterRows(reader, reader.child(row, Field.parameters));
  const defaults = rows.map((parameter) => readOutside(reader, parameter));
  enterFunction(reader, id, facts, () => {
    facts.parameters = rows.map((parameter, index) => declareParameter(reader, parameter, index, id, defaults[index]!));
    facts.body = builder.within(() => {
      const body = reader.child(row, Field.body);
      const value = body < 0 ? null : reader.expression(body);
      builder.body.push({ kind: "return", value, at: statement });
    });
  });
  builder.scope = outer;
  return builder.value({ kind: "function", function: id, span: reader.span(row) });
}

function draftFunction(reader: Reader, name: string, row: number, nameSpan: Span, classId: ClassId): FunctionDraft {
  return {
    name, kind: "function", parameters: [], returnAnnotation: null, decorators: [], span: reader.span(row), nameSpan,
    parent: reader.builder.function, class: classId, scope: -1, body: [],
  };
}

/** Runs `read` inside the function's own scope. */
function enterFunction(reader: Reader, id: FunctionId, facts: FunctionDraft, read: () => void): void {
  const { builder } = reader;
  const { function: outerFunction, scope: outerScope, body } = builder;
  const { inType } = reader;
  const scope: ScopeId = builder.openScope("function", outerScope, id);
  facts.scope = scope;
  builder.function = id;
  builder.scope = scope;
  reader.inType = false;
  reader.inside({ functionFacts: facts, classId: -1, scope, redirected: { scopes: null }, optional: false, typeChecking: -1 }, read);
  reader.inType = inType;
  builder.function = outerFunction;
  builder.scope = outerScope;
  builder.body = body;
}

/** A scope for `[T: bound]` around the function's or class's own. */
export function openTypeParameters(reader: Reader, row: number): void {
  const parameters = reader.child(row, Field.type_parameters);
  if (parameters < 0) return;
  reader.builder.scope = reader.builder.openScope("block");
  for (const child of reader.children(parameters)) declareTypeParameter(reader, child);
}

/** `T`, `*Ts`, `**P`, `T: bound`: the first name is declared, what follows is read as types. */
export function declareTypeParameter(reader: Reader, row: number): void {
  let at = row;
  const inside: readonly number[] = [Kind.type, Kind.constrained_type, Kind.splat_type, Kind.list_splat, Kind.list_splat_pattern, Kind.dictionary_splat_pattern];
  const rest: number[] = [];
  while (inside.includes(reader.kinds[at]!) && reader.after[at]! > at + 1) {
    rest.push(...reader.children(at).slice(1));
    at++;
  }
  if (reader.kinds[at] === Kind.identifier) {
    reader.builder.declare(reader.nameOf(at), "variable", reader.span(at));
  } else rest.push(at);
  for (const child of rest) if (reader.kinds[child] !== Kind[":"]) readAnnotation(reader, child);
}

function parameterRows(reader: Reader, list: number): ParameterRow[] {
  if (list < 0) return [];
  const rows: ParameterRow[] = [];
  let isKeyword = false;
  for (const row of reader.children(list)) {
    const kind = reader.kinds[row]!;
    if (kind === Kind.keyword_separator) isKeyword = true;
    const parameter = parameterRow(reader, row, isKeyword);
    if (parameter === null) continue;
    rows.push(parameter);
    if (parameter.kind === "rest") isKeyword = true;
  }
  return rows;
}

const STARRED: Readonly<Record<number, Parameter["kind"]>> = {
  [Kind.list_splat_pattern]: "rest", [Kind.dictionary_splat_pattern]: "keyword-rest",
};

function parameterRow(reader: Reader, row: number, isKeyword: boolean): ParameterRow | null {
  const plain = isKeyword ? "keyword" : "positional";
  switch (reader.kinds[row]) {
    case Kind.identifier:
    case Kind.tuple_pattern:
      return { row, name: row, annotation: -1, default: -1, kind: plain };
    case Kind.default_parameter:
    case Kind.typed_default_parameter:
      return { row, name: reader.child(row, Field.name), annotation: reader.child(row, Field.type), default: reader.child(row, Field.value), kind: plain };
    case Kind.typed_parameter: {
      const inner = reader.operand(row);
      const star = STARRED[reader.kinds[inner]!];
      const name = star === undefined ? inner : reader.operand(inner);
      return { row, name, annotation: reader.child(row, Field.type), default: -1, kind: star ?? plain };
    }
    case Kind.list_splat_pattern:
    case Kind.dictionary_splat_pattern:
      return { row, name: reader.operand(row), annotation: -1, default: -1, kind: STARRED[reader.kinds[row]]! };
    default:
      return null;
  }
}

/** A parameter's annotation and default, which are evaluated around the function. */
function readOutside(reader: Reader, parameter: ParameterRow): { default: ValueId | null; annotation: ValueId | null } {
  return {
    annotation: parameter.annotation < 0 ? null : readAnnotation(reader, parameter.annotation),
    default: parameter.default < 0 ? null : reader.plainExpression(parameter.default),
  };
}

function declareParameter(
  reader: Reader, parameter: ParameterRow, index: number, id: FunctionId, outside: { default: ValueId | null; annotation: ValueId | null },
): Parameter {
  const { builder } = reader;
  const span = reader.span(parameter.row);
  const given = builder.value({ kind: "parameter", function: id, index, span });
  if (parameter.name < 0 || reader.kinds[parameter.name] !== Kind.identifier) {
    if (parameter.name >= 0) readTarget(reader, parameter.name, given);
    return { name: "", binding: -1, kind: parameter.kind, ...outside, pattern: true, span };
  }
  const name = reader.nameOf(parameter.name);
  const binding = builder.declare(name, "parameter", reader.span(parameter.name));
  builder.give(binding, given);
  if (outside.annotation !== null) builder.binding(binding).annotation = outside.annotation;
  return { name, binding, kind: parameter.kind, ...outside, span };
}

const METHOD_KINDS: Readonly<Record<string, FunctionFacts["kind"]>> = { property: "getter", cached_property: "getter", setter: "setter" };

/** What the decorators say of a member of a class. */
function describeMethod(reader: Reader, facts: FunctionDraft, isMember: boolean): void {
  if (!isMember) return;
  facts.kind = facts.name === "__init__" ? "constructor" : "method";
  for (const decorator of facts.decorators) {
    const value = reader.builder.valueAt(decorator);
    const name = value.kind === "name" ? value.name : value.kind === "member" ? value.property : null;
    if (name === null) continue;
    if (name === "staticmethod") facts.static = true;
    if (Object.hasOwn(METHOD_KINDS, name)) facts.kind = METHOD_KINDS[name]!;
  }
}

/** The first parameter of a method is its instance, or the class itself. */
function markSelf(reader: Reader, facts: FunctionDraft): void {
  const first = facts.parameters[0];
  if (facts.class < 0 || facts.static === true || first === undefined || first.binding < 0 || first.kind !== "positional") return;
  reader.selfBindings.set(first.binding, facts.class);
  const { values } = reader.builder.binding(first.binding);
  values[0] = reader.builder.value({ kind: "self", class: facts.class, span: first.span });
}

/** Decorators are applied from the one nearest to the definition outwards. */
export function applyDecorators(reader: Reader, decorators: readonly ValueId[], target: ValueId): void {
  const { builder } = reader;
  for (const callee of decorators.toReversed()) {
    const called = builder.valueAt(callee);
    const nameSpan = called.kind === "member" ? called.propertySpan : called.kind === "call" ? builder.draft.facts.calls[called.call]!.nameSpan : called.span;
    builder.call({ callee, arguments: [{ value: target }], span: called.span, nameSpan, decorator: true });
  }
}
