import type { Binding, Dialect, ModuleFacts, Statement, Value, ValueId } from "../facts.ts";
import { DefinitionWriter } from "./testing-definitions.ts";
import { LINE } from "./testing-expressions.ts";
import type { Named, Operand } from "./testing-expressions.ts";
import { finishFacts } from "./link.ts";

export type { Named, Operand } from "./testing-expressions.ts";

export interface HandlerInput {
  /** Empty or absent: catches everything. */
  readonly types?: readonly Operand[];
  readonly as?: string;
  readonly body: (caught: Named | null) => void;
}

/**
 * Facts written by hand, without any source:
 *
 *     factsOf("python", (b) => {
 *       const httpx = b.import("httpx");
 *       b.call(b.member(httpx, "post"), [b.string("x")]);
 *     });
 *
 * Positions are made up: every statement has a line of its own, and everything in it follows in the order of writing.
 */
export function factsOf(
  language: ModuleFacts["language"],
  write: (writer: FactsWriter) => void,
  dialect: Dialect = language === "python" ? "python" : "typescript",
): ModuleFacts {
  const writer = new FactsWriter(language, dialect);
  write(writer);
  return writer.finish();
}

/** Writes statements by hand; imports, functions and classes are those of DefinitionWriter, expressions those of ExpressionWriter. */
export class FactsWriter extends DefinitionWriter {
  finish(): ModuleFacts {
    const { facts } = this.builder.draft;
    facts.length = this.lines.length * LINE;
    return finishFacts(this.builder);
  }

  /** `name = value`, declared in the scope of the moment; a second one gives the same name another value. */
  let(name: string, value: Operand | null, options: { readonly kind?: Binding["kind"]; readonly annotation?: Operand } = {}): Named {
    return this.statement(() => {
      const target = this.name(name);
      const named = this.declare(name, options.kind ?? "variable", this.builder.valueAt(target).span);
      if (options.annotation !== undefined) this.builder.binding(named.binding).annotation = this.read(options.annotation);
      if (value !== null) this.assignTo(target, named.binding, this.read(value));
      return named;
    });
  }

  /** `object.property = value`; on `self` it becomes an attribute of the class. */
  set(object: Operand, property: string, value: Operand): void {
    this.statement(() => {
      const target = this.member(object, property);
      const given = this.read(value);
      const on = this.builder.valueAt((this.builder.valueAt(target) as Extract<Value, { kind: "member" }>).object);
      if (on.kind === "self") (this.classAt(on.class).attributes[property] ??= []).push(given);
      this.builder.role(target, "write");
      this.builder.body.push({ kind: "assign", targets: [target], value: given, operator: "=", at: this.builder.statement });
    });
  }

  /** `name += value` and its like. */
  augment(named: Named, operator: string, value: Operand): void {
    this.statement(() => {
      this.builder.binding(named.binding).rebound = true;
      const target = this.read(named);
      this.builder.body.push({ kind: "assign", targets: [target], value: this.read(value), operator, at: this.builder.statement });
    });
  }

  return(value: Operand | null): void {
    this.statement(() => {
      this.builder.body.push({ kind: "return", value: value === null ? null : this.read(value), at: this.builder.statement });
    });
  }

  expression(value: Operand): void {
    this.statement(() => {
      this.builder.body.push({ kind: "expression", value: this.read(value), at: this.builder.statement });
    });
  }

  if(test: Operand, then: () => void, otherwise: () => void = () => undefined): void {
    this.statement(() => {
      const at = this.builder.statement;
      this.builder.body.push({ kind: "test", test: this.read(test), then: this.nested(then), else: this.nested(otherwise), at });
    });
  }

  while(test: Operand, body: () => void): void {
    this.statement(() => {
      this.loop({ form: "while", test: this.read(test), targets: [], iterable: null }, body);
    });
  }

  forEach(name: string, iterable: Operand, body: (item: Named) => void): void {
    this.statement(() => {
      const target = this.name(name);
      const item = this.declare(name, "variable", this.builder.valueAt(target).span);
      const over = this.read(iterable);
      this.builder.give(item.binding, this.builder.value({ kind: "item", of: over, index: null, span: this.builder.valueAt(target).span }));
      this.loop({ form: "each", test: null, targets: [target], iterable: over }, () => { body(item); });
    });
  }

  try(body: () => void, handlers: readonly HandlerInput[], last: () => void = () => undefined): void {
    this.statement(() => {
      const at = this.builder.statement;
      const tried = this.nested(body);
      const written = handlers.map((handler) => this.handler(handler));
      this.builder.body.push({ kind: "try", body: tried, handlers: written, otherwise: [], finally: this.nested(last), at });
    });
  }

  with(item: Operand, as: string | null, body: (entered: Named | null) => void): void {
    this.statement(() => {
      const at = this.builder.statement;
      const value = this.read(item);
      const entered = as === null ? null : this.declare(as, "variable", this.take(as.length));
      if (entered !== null) this.builder.give(entered.binding, value);
      this.builder.body.push({ kind: "with", items: [value], body: this.nested(() => { body(entered); }), at });
    });
  }

  jump(to: "break" | "continue" | "raise", value: Operand | null = null): void {
    this.statement(() => {
      this.builder.body.push({ kind: "jump", to, value: value === null ? null : this.read(value), at: this.builder.statement });
    });
  }

  export(name: string, value: Operand | null): void {
    this.statement(() => {
      this.builder.export({ name, value: value === null ? null : this.read(value), span: this.take(name.length) });
    });
  }

  /** A comment on the line of the next statement, or above it (`ownLine`). */
  directive(text: string, ownLine = false): void {
    const span = this.take(text.length);
    this.builder.directive({ text, span, line: this.lines.length, ownLine });
  }

  private handler(input: HandlerInput): Extract<Statement, { kind: "try" }>["handlers"][number] {
    const types = (input.types ?? []).map((type) => this.role(this.read(type), "exception"));
    const span = this.take(6);
    const caught = input.as === undefined ? null : this.declare(input.as, "caught", span);
    if (caught !== null) this.builder.give(caught.binding, this.builder.value({ kind: "caught", types, span }));
    return { types, binding: caught?.binding ?? -1, body: this.nested(() => { input.body(caught); }), span };
  }

  private loop(head: Pick<Extract<Statement, { kind: "loop" }>, "form" | "test" | "targets" | "iterable">, body: () => void): void {
    const at = this.builder.statement;
    const keywordSpan = this.take(5);
    this.builder.body.push({ kind: "loop", ...head, before: [], update: [], body: this.nested(body), otherwise: [], keywordSpan, at });
  }

  private assignTo(target: ValueId, binding: number, value: ValueId): void {
    this.builder.give(binding, value);
    const given = this.builder.valueAt(value);
    if (given.kind === "name" || given.kind === "member") this.builder.role(value, "alias");
    this.builder.body.push({ kind: "assign", targets: [target], value, operator: "=", at: this.builder.statement });
  }
}
