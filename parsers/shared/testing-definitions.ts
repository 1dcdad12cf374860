import type { Binding, ClassFacts, ClassId, FunctionFacts, FunctionId, Import, Parameter, ValueId } from "../facts.ts";
import { ExpressionWriter } from "./testing-expressions.ts";
import type { Named, Operand } from "./testing-expressions.ts";

export interface ParameterInput {
  readonly name: string;
  readonly kind?: Parameter["kind"];
  readonly default?: Operand;
  readonly annotation?: Operand;
}

export interface FunctionInput {
  readonly kind?: FunctionFacts["kind"];
  readonly async?: true;
  readonly generator?: true;
  readonly static?: true;
  readonly decorators?: readonly Operand[];
  readonly returns?: Operand;
}

export interface ImportOptions {
  /** The local name, where it is another. */
  readonly as?: string;
  readonly typeOnly?: true;
  readonly typeChecking?: true;
  readonly optional?: true;
}

/** Writes imports, functions and classes by hand. */
export abstract class DefinitionWriter extends ExpressionWriter {
  protected classId: ClassId = -1;

  abstract return(value: Operand | null): void;

  /** `import x`, `import * as x from "x"`; `as` is the local name. */
  import(specifier: string, options: ImportOptions & { readonly form?: "import" | "require" } = {}): Named {
    return this.importName(options.form ?? "import", specifier, "*", options);
  }

  /** `from x import y`, `import { y } from "x"`, `import y from "x"` (`default`). */
  from(specifier: string, imported: string, options: ImportOptions = {}): Named {
    return this.importName("from", specifier, imported, options);
  }

  /** `from x import *`. */
  star(specifier: string): void {
    this.statement(() => {
      const span = this.take(specifier.length);
      this.builder.import({ form: "from", specifier, names: [{ imported: "*", binding: -1, span }], span, specifierSpan: span, function: this.builder.function });
    });
  }

  /** `import "x"`. */
  importForEffect(specifier: string): void {
    this.statement(() => {
      const span = this.take(specifier.length);
      this.builder.import({ form: "import", specifier, names: [], span, specifierSpan: span, function: this.builder.function });
    });
  }

  /** A function declaration; `body` gets its parameters. */
  function(name: string, parameters: readonly (string | ParameterInput)[], body: (...parameters: Named[]) => void, options: FunctionInput = {}): Named {
    return this.statement(() => {
      const nameSpan = this.take(name.length);
      const named = this.declare(name, "function", nameSpan);
      const id = this.writeFunction(name, nameSpan, parameters, body, options, -1);
      this.builder.give(named.binding, this.builder.value({ kind: "function", function: id, span: nameSpan }));
      this.builder.body.push({ kind: "define", function: id, at: this.builder.statement });
      return named;
    });
  }

  /** A lambda or arrow function. */
  lambda(parameters: readonly (string | ParameterInput)[], body: (...parameters: Named[]) => Operand | null, options: FunctionInput = {}): ValueId {
    const nameSpan = this.take(2);
    const write = (...named: Named[]): void => {
      const result = body(...named);
      if (result !== null) this.return(result);
    };
    const kind = this.builder.draft.facts.language === "python" ? "lambda" : "arrow";
    const id = this.writeFunction("", nameSpan, parameters, write, { kind, ...options }, -1);
    return this.builder.value({ kind: "function", function: id, span: nameSpan });
  }

  class(name: string, bases: readonly Operand[], body: () => void): Named {
    return this.statement(() => {
      const nameSpan = this.take(name.length);
      const named = this.declare(name, "class", nameSpan);
      const id = this.builder.reserveClass({
        name, bases: bases.map((base) => this.asBase(this.read(base))), decorators: [], fields: [], span: nameSpan, nameSpan,
        function: this.builder.function, binding: named.binding, attributes: Object.create(null) as ClassFacts["attributes"],
      });
      this.builder.give(named.binding, this.builder.value({ kind: "class", class: id, span: nameSpan }));
      const outer = [this.builder.scope, this.classId] as const;
      this.builder.scope = this.builder.openScope("class");
      this.classId = id;
      const inside = this.nested(body);
      [this.builder.scope, this.classId] = outer;
      this.builder.body.push({ kind: "define", class: id, at: this.builder.statement }, ...inside);
      return named;
    });
  }

  /** A method of the class being written; `body` gets the instance first. */
  method(name: string, parameters: readonly (string | ParameterInput)[], body: (self: ValueId, ...parameters: Named[]) => void, options: FunctionInput = {}): void {
    const classId = this.classId;
    this.statement(() => {
      const nameSpan = this.take(name.length);
      const write = (...named: Named[]): void => { body(this.self(classId), ...named); };
      const id = this.writeFunction(name, nameSpan, parameters, write, { kind: "method", ...options }, classId);
      this.builder.body.push({ kind: "define", function: id, at: this.builder.statement });
    });
  }

  /** A field of the class being written. */
  field(name: string, value: Operand | null, annotation?: Operand): void {
    this.statement(() => {
      const facts = this.classAt(this.classId);
      const span = this.take(name.length);
      const given = value === null ? null : this.read(value);
      (facts.fields as ClassFacts["fields"][number][]).push({ name, value: given, annotation: annotation === undefined ? null : this.read(annotation), span });
      if (given !== null) (facts.attributes[name] ??= []).push(given);
    });
  }

  /** `self` or `this`, inside a method of the class. */
  self(classId: ClassId = this.classId): ValueId {
    return this.builder.value({ kind: "self", class: classId, span: this.take(4) });
  }

  private importName(form: Import["form"], specifier: string, imported: string, options: ImportOptions): Named {
    return this.statement(() => {
      const specifierSpan = this.take(specifier.length);
      const name = options.as ?? (imported === "*" ? localName(specifier) : imported);
      const span = options.as === undefined ? specifierSpan : this.take(name.length);
      const named = this.declare(name, "import", span);
      const { typeOnly, typeChecking, optional } = options;
      const id = this.builder.import({
        form, specifier, names: [{ imported, binding: named.binding, span }], span, specifierSpan, function: this.builder.function,
        ...(typeOnly && { typeOnly }), ...(typeChecking && { typeChecking }), ...(optional && { optional }),
      });
      const path = imported === "*" ? [] : [imported];
      this.builder.give(named.binding, this.builder.value({ kind: "imported", import: id, path, span }));
      return named;
    });
  }

  private writeFunction(name: string, nameSpan: readonly [number, number], parameters: readonly (string | ParameterInput)[], body: (...parameters: Named[]) => void, options: FunctionInput, classId: ClassId): FunctionId {
    const inputs = parameters.map((parameter) => (typeof parameter === "string" ? { name: parameter } : parameter));
    const written: Parameter[] = [];
    const facts: FunctionFacts = {
      name, kind: options.kind ?? "function", parameters: written, span: nameSpan, nameSpan, parent: this.builder.function,
      returnAnnotation: options.returns === undefined ? null : this.read(options.returns),
      decorators: (options.decorators ?? []).map((decorator) => this.read(decorator)),
      class: classId, scope: this.builder.draft.facts.scopes.length, body: [],
      ...(options.async && { async: true }), ...(options.generator && { generator: true }), ...(options.static && { static: true }),
    };
    const id = this.builder.reserveFunction(facts);
    const scope = this.builder.openScope("function", this.builder.scope, id);
    inputs.forEach((input, index) => written.push(this.parameter(id, scope, input, index)));
    const outer = [this.builder.function, this.builder.scope, this.classId] as const;
    [this.builder.function, this.builder.scope, this.classId] = [id, scope, -1];
    facts.body = this.nested(() => { body(...written); });
    [this.builder.function, this.builder.scope, this.classId] = outer;
    return id;
  }

  private parameter(id: FunctionId, scope: number, input: ParameterInput, index: number): Parameter {
    // Defaults and annotations are read outside the function.
    const value = input.default === undefined ? null : this.read(input.default);
    const annotation = input.annotation === undefined ? null : this.read(input.annotation);
    const span = this.take(input.name.length);
    const binding = this.builder.declare(input.name, "parameter", span, scope);
    this.builder.give(binding, this.builder.value({ kind: "parameter", function: id, index, span }));
    if (annotation !== null) this.builder.binding(binding).annotation = annotation;
    return { name: input.name, binding, kind: input.kind ?? "positional", default: value, annotation, span };
  }

  private asBase(base: ValueId): ValueId {
    return this.role(base, "base");
  }

  protected declare(name: string, kind: Binding["kind"], span: readonly [number, number]): Named {
    return { name, binding: this.builder.declare(name, kind, span) };
  }

  protected classAt(id: ClassId): ClassFacts {
    const facts = this.builder.draft.facts.classes[id];
    if (facts === undefined) throw new RangeError("no class is being written");
    return facts;
  }
}

/** The name that an import binds where none is given: the first part of a dotted one, the last of a path. */
function localName(specifier: string): string {
  const last = specifier.slice(specifier.lastIndexOf("/") + 1).replace(/^node:/, "");
  return (last.split(".")[0] ?? last).replaceAll("-", "_");
}
