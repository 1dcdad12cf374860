import type { Argument, Binding, Call, ClassFacts, Directive, Export, Field, FunctionFacts, Import, ImportName, Parameter, ParseProblem, Reference, Scope, TypedValue, Use } from "@agentgate/parsers";
import { flags, readList, readNames, readTexts, writeList, writeNames, writeTexts } from "./lists.ts";
import type { Mutable } from "./lists.ts";
import type { Reader } from "./reader.ts";
import { readBody, writeBody } from "./statements.ts";
import type { Writer } from "./writer.ts";

const THROUGH = ["annotation", "parameter-default", "star", "dynamic", "decoded", "literal-reach"] as const satisfies readonly Reference["through"][];
const BINDINGS = ["import", "parameter", "variable", "constant", "function", "class", "caught", "type"] as const satisfies readonly Binding["kind"][];
const SCOPES = ["module", "function", "class", "block", "comprehension"] as const satisfies readonly Scope["kind"][];
const IMPORTS = ["import", "from", "require", "reexport"] as const satisfies readonly Import["form"][];
const ROLES = ["call", "value", "alias", "write", "type", "exception", "base"] as const satisfies readonly Use["role"][];
const PARAMETERS = ["positional", "keyword", "rest", "keyword-rest"] as const satisfies readonly Parameter["kind"][];
const FUNCTIONS = ["module", "function", "method", "arrow", "lambda", "getter", "setter", "constructor", "initializer"] as const satisfies readonly FunctionFacts["kind"][];

/** A list of references stands at the call and at its use: it is written once, and is one list again when read. */
function writeReferences(to: Writer, list: readonly Reference[]): void {
  if (to.knows(list)) return;
  writeList(to, list, (_, one) => {
    to.text(one.module);
    writeTexts(to, one.path);
    to.count(flags(one.instance, one.computed, one.through !== undefined));
    if (one.through !== undefined) to.word(THROUGH, one.through);
  });
}

function readReferences(from: Reader): readonly Reference[] {
  const known = from.references();
  if ("list" in known) return known.list;
  for (let length = from.length(); length > 0; length--) {
    const one: Mutable<Reference> = { module: from.text(), path: readTexts(from) };
    const set = from.count();
    if ((set & 4) !== 0) one.through = from.word(THROUGH);
    if ((set & 1) !== 0) one.instance = true;
    if ((set & 2) !== 0) one.computed = true;
    known.fresh.push(one);
  }
  return known.fresh;
}

export function writeTyped(to: Writer, { value, reference }: TypedValue): void {
  to.id(value);
  to.count(flags(reference !== null ? true : undefined));
  if (reference !== null) writeReferences(to, [reference]);
}

export function readTyped(from: Reader): TypedValue {
  return { value: from.id(), reference: from.count() === 1 ? readReferences(from)[0]! : null };
}

export function writeBinding(to: Writer, one: Binding): void {
  to.count(flags(one.annotation !== undefined, one.rebound));
  to.text(one.name);
  to.id(one.scope);
  to.word(BINDINGS, one.kind);
  to.span(one.span);
  to.ids(one.values);
  if (one.annotation !== undefined) to.id(one.annotation);
}

export function readBinding(from: Reader): Binding {
  const set = from.count();
  const one: Mutable<Binding> = { name: from.text(), scope: from.id(), kind: from.word(BINDINGS), span: from.span(), values: from.ids() };
  if ((set & 1) !== 0) one.annotation = from.id();
  if ((set & 2) !== 0) one.rebound = true;
  return one;
}

export function writeScope(to: Writer, one: Scope): void {
  to.word(SCOPES, one.kind);
  to.id(one.parent);
  to.id(one.function);
  writeNames(to, one.names, (_, binding) => to.id(binding));
}

export function readScope(from: Reader): Scope {
  return { kind: from.word(SCOPES), parent: from.id(), function: from.id(), names: readNames(from, () => from.id()) };
}

function writeImportName(to: Writer, one: ImportName): void {
  to.count(flags(one.typeOnly));
  to.text(one.imported);
  to.id(one.binding);
  to.span(one.span);
}

function readImportName(from: Reader): ImportName {
  const set = from.count();
  const one: Mutable<ImportName> = { imported: from.text(), binding: from.id(), span: from.span() };
  if ((set & 1) !== 0) one.typeOnly = true;
  return one;
}

export function writeImport(to: Writer, one: Import): void {
  to.count(flags(one.typeOnly, one.typeChecking, one.optional));
  to.word(IMPORTS, one.form);
  to.text(one.specifier);
  writeList(to, one.names, writeImportName);
  to.span(one.span);
  to.span(one.specifierSpan);
  to.id(one.function);
}

export function readImport(from: Reader): Import {
  const set = from.count();
  const one: Mutable<Import> = {
    form: from.word(IMPORTS), specifier: from.text(), names: readList(from, readImportName), span: from.span(), specifierSpan: from.span(), function: from.id(),
  };
  if ((set & 1) !== 0) one.typeOnly = true;
  if ((set & 2) !== 0) one.typeChecking = true;
  if ((set & 4) !== 0) one.optional = true;
  return one;
}

export function writeUse(to: Writer, one: Use): void {
  to.count(flags(one.call !== undefined));
  writeReferences(to, one.references);
  to.word(ROLES, one.role);
  to.id(one.value);
  to.span(one.span);
  to.id(one.function);
  to.id(one.statement);
  if (one.call !== undefined) to.id(one.call);
}

export function readUse(from: Reader): Use {
  const set = from.count();
  const one: Mutable<Use> = {
    references: readReferences(from), role: from.word(ROLES), value: from.id(), span: from.span(), function: from.id(), statement: from.id(),
  };
  if ((set & 1) !== 0) one.call = from.id();
  return one;
}

function writeArgument(to: Writer, one: Argument): void {
  to.count(flags(one.name !== undefined));
  to.id(one.value);
  if (one.name !== undefined) to.text(one.name);
}

function readArgument(from: Reader): Argument {
  return from.count() === 0 ? { value: from.id() } : { value: from.id(), name: from.text() };
}

export function writeCall(to: Writer, one: Call): void {
  to.count(flags(one.construct, one.tagged, one.decorator, one.awaited));
  to.id(one.callee);
  writeList(to, one.arguments, writeArgument);
  to.span(one.span);
  to.span(one.nameSpan);
  to.id(one.function);
  to.id(one.statement);
  writeReferences(to, one.references);
}

export function readCall(from: Reader): Call {
  const set = from.count();
  const one: Mutable<Call> = {
    callee: from.id(), arguments: readList(from, readArgument), span: from.span(), nameSpan: from.span(),
    function: from.id(), statement: from.id(), references: readReferences(from),
  };
  if ((set & 1) !== 0) one.construct = true;
  if ((set & 2) !== 0) one.tagged = true;
  if ((set & 4) !== 0) one.decorator = true;
  if ((set & 8) !== 0) one.awaited = true;
  return one;
}

function writeParameter(to: Writer, one: Parameter): void {
  to.count(flags(one.pattern));
  to.text(one.name);
  to.id(one.binding);
  to.word(PARAMETERS, one.kind);
  to.optionalId(one.default);
  to.optionalId(one.annotation);
  to.span(one.span);
}

function readParameter(from: Reader): Parameter {
  const set = from.count();
  const one: Mutable<Parameter> = {
    name: from.text(), binding: from.id(), kind: from.word(PARAMETERS), default: from.optionalId(), annotation: from.optionalId(), span: from.span(),
  };
  if ((set & 1) !== 0) one.pattern = true;
  return one;
}

export function writeFunction(to: Writer, one: FunctionFacts): void {
  to.count(flags(one.async, one.generator, one.static));
  to.text(one.name);
  to.word(FUNCTIONS, one.kind);
  writeList(to, one.parameters, writeParameter);
  to.optionalId(one.returnAnnotation);
  to.ids(one.decorators);
  to.span(one.span);
  to.span(one.nameSpan);
  to.id(one.parent);
  to.id(one.class);
  to.id(one.scope);
  writeBody(to, one.body);
}

export function readFunction(from: Reader): FunctionFacts {
  const set = from.count();
  const one: Mutable<FunctionFacts> = {
    name: from.text(), kind: from.word(FUNCTIONS), parameters: readList(from, readParameter), returnAnnotation: from.optionalId(), decorators: from.ids(),
    span: from.span(), nameSpan: from.span(), parent: from.id(), class: from.id(), scope: from.id(), body: readBody(from),
  };
  if ((set & 1) !== 0) one.async = true;
  if ((set & 2) !== 0) one.generator = true;
  if ((set & 4) !== 0) one.static = true;
  return one;
}

function writeField(to: Writer, one: Field): void {
  to.count(flags(one.static));
  to.text(one.name);
  to.optionalId(one.value);
  to.optionalId(one.annotation);
  to.span(one.span);
}

function readField(from: Reader): Field {
  const set = from.count();
  const one: Mutable<Field> = { name: from.text(), value: from.optionalId(), annotation: from.optionalId(), span: from.span() };
  if ((set & 1) !== 0) one.static = true;
  return one;
}

export function writeClass(to: Writer, one: ClassFacts): void {
  to.text(one.name);
  to.ids(one.bases);
  to.ids(one.decorators);
  writeList(to, one.fields, writeField);
  to.span(one.span);
  to.span(one.nameSpan);
  to.id(one.function);
  to.id(one.binding);
  writeNames(to, one.attributes, (_, values) => to.ids(values));
}

export function readClass(from: Reader): ClassFacts {
  return {
    name: from.text(), bases: from.ids(), decorators: from.ids(), fields: readList(from, readField), span: from.span(), nameSpan: from.span(),
    function: from.id(), binding: from.id(), attributes: readNames(from, () => from.ids()),
  };
}

export function writeExport(to: Writer, one: Export): void {
  to.count(flags(one.import !== undefined, one.imported !== undefined, one.typeOnly));
  to.text(one.name);
  to.optionalId(one.value);
  to.span(one.span);
  if (one.import !== undefined) to.id(one.import);
  if (one.imported !== undefined) to.text(one.imported);
}

export function readExport(from: Reader): Export {
  const set = from.count();
  const one: Mutable<Export> = { name: from.text(), value: from.optionalId(), span: from.span() };
  if ((set & 1) !== 0) one.import = from.id();
  if ((set & 2) !== 0) one.imported = from.text();
  if ((set & 4) !== 0) one.typeOnly = true;
  return one;
}

export function writeDirective(to: Writer, one: Directive): void {
  to.text(one.text);
  to.span(one.span);
  to.count(one.line);
  to.count(one.ownLine ? 1 : 0);
}

export function readDirective(from: Reader): Directive {
  return { text: from.text(), span: from.span(), line: from.count(), ownLine: from.count() === 1 };
}

export function writeProblem(to: Writer, one: ParseProblem): void {
  to.text(one.message);
  to.span(one.span);
}

export function readProblem(from: Reader): ParseProblem {
  return { message: from.text(), span: from.span() };
}
