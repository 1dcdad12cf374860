import type { BindingId, Call, Dialect, ModuleFacts, Span, Statement, Use, Value, ValueId } from "../facts.ts";
import { FactsBuilder } from "./builder.ts";

/** Something that has a name in the file. Wherever it stands as an operand, it is read there by that name. */
export interface Named {
  readonly name: string;
  readonly binding: BindingId;
}

/** An expression, or a name to be read. */
export type Operand = ValueId | Named;

export interface CallOptions {
  readonly named?: Readonly<Record<string, Operand>>;
  readonly construct?: true;
  readonly awaited?: true;
}

/** Width of a made-up line: each statement stands on a line of its own. */
export const LINE = 1000;

/** Writes expressions by hand. Positions are made up and grow in the order of writing. */
export class ExpressionWriter {
  /** For what this class has no method for. */
  readonly builder: FactsBuilder;
  protected readonly lines: number[] = [0];
  private cursor = 0;
  private depth = 0;

  constructor(language: ModuleFacts["language"], dialect: Dialect) {
    this.builder = new FactsBuilder(language, dialect, this.lines, 0);
  }

  string(value: string): ValueId {
    return this.builder.value({ kind: "string", value, span: this.take(value.length + 2) });
  }

  bytes(value: string): ValueId {
    return this.builder.value({ kind: "string", value, bytes: true, span: this.take(value.length + 3) });
  }

  number(value: number): ValueId {
    return this.builder.value({ kind: "number", value, span: this.take(String(value).length) });
  }

  /** True, False, None / true, false, null. */
  constant(value: true | false | null): ValueId {
    return this.builder.value({ kind: "constant", value, span: this.take(4) });
  }

  /** Reads a name by its spelling: a global, or something declared further down. */
  name(name: string): ValueId {
    return this.builder.name(name, this.take(name.length));
  }

  /** `object.a.b`. */
  member(object: Operand, ...properties: readonly string[]): ValueId {
    let value = this.read(object);
    for (const property of properties) {
      const propertySpan = this.take(property.length);
      value = this.builder.member({ object: value, property, key: null, propertySpan, span: this.around(value, propertySpan) });
    }
    return value;
  }

  /** `object[key]`. */
  subscript(object: Operand, key: Operand): ValueId {
    const of = this.read(object);
    const id = this.read(key);
    const value = this.builder.valueAt(id);
    const property = value.kind === "string" ? value.value : value.kind === "number" ? String(value.value) : null;
    return this.builder.member({ object: of, property, key: id, propertySpan: value.span, subscript: true, span: this.around(of, value.span) });
  }

  call(callee: Operand, positional: readonly Operand[] = [], options: CallOptions = {}): ValueId {
    return this.statement(() => {
      const target = this.read(callee);
      const called = this.builder.valueAt(target);
      const given = positional.map((value) => ({ value: this.read(value) }));
      const named = Object.entries(options.named ?? {}).map(([name, value]) => ({ name, value: this.read(value) }));
      const { construct, awaited } = options;
      const nameSpan = called.kind === "member" ? called.propertySpan : called.span;
      return this.builder.call({
        callee: target, arguments: [...given, ...named], span: this.around(target, this.take(1)), nameSpan,
        ...(construct && { construct }), ...(awaited && { awaited }),
      });
    });
  }

  /** `new X()`. */
  construct(callee: Operand, positional: readonly Operand[] = []): ValueId {
    return this.call(callee, positional, { construct: true });
  }

  /** The record of a call that `call` made, to look at in a test. */
  callOf(value: ValueId): Call {
    const result = this.builder.valueAt(value);
    if (result.kind !== "call") throw new TypeError("not the result of a call");
    return this.builder.draft.facts.calls[result.call]!;
  }

  await(value: Operand): ValueId {
    return this.composite([value], ([of], span) => ({ kind: "await", value: of!, span }));
  }

  yield(value: Operand): ValueId {
    return this.composite([value], ([of], span) => ({ kind: "yield", value: of!, span }));
  }

  list(...items: readonly Operand[]): ValueId {
    return this.composite(items, (ids, span) => ({ kind: "list", items: ids, form: "list", span }));
  }

  tuple(...items: readonly Operand[]): ValueId {
    return this.composite(items, (ids, span) => ({ kind: "list", items: ids, form: "tuple", span }));
  }

  table(entries: Readonly<Record<string, Operand>>): ValueId {
    const start = this.cursor;
    const written = Object.entries(entries).map(([key, value]) => ({ key: this.string(key), value: this.read(value) }));
    return this.builder.value({ kind: "table", entries: written, span: [start, this.cursor] });
  }

  /** f-string or template literal; plain text is given as strings. */
  template(...parts: readonly (Operand | string)[]): ValueId {
    const operands = parts.map((part) => (typeof part === "string" ? this.string(part) : part));
    return this.composite(operands, (ids, span) => ({ kind: "template", parts: ids, span }));
  }

  binary(left: Operand, operator: string, right: Operand): ValueId {
    return this.composite([left, right], ([a, b], span) => ({ kind: "binary", operator, left: a!, right: b!, span }));
  }

  logical(left: Operand, operator: "or" | "and" | "??", right: Operand): ValueId {
    return this.composite([left, right], ([a, b], span) => ({ kind: "logical", operator, left: a!, right: b!, span }));
  }

  not(value: Operand): ValueId {
    return this.composite([value], ([of], span) => ({ kind: "unary", operator: "not", value: of!, span }));
  }

  conditional(test: Operand, then: Operand, otherwise: Operand): ValueId {
    return this.composite([test, then, otherwise], ([a, b, c], span) => ({ kind: "conditional", test: a!, then: b!, else: c!, span }));
  }

  spread(value: Operand): ValueId {
    return this.composite([value], ([of], span) => ({ kind: "spread", value: of!, span }));
  }

  opaque(...of: readonly Operand[]): ValueId {
    return this.composite(of, (ids, span) => ({ kind: "opaque", of: ids, span }));
  }

  role(value: ValueId, role: Exclude<Use["role"], "call">): ValueId {
    this.builder.role(value, role);
    return value;
  }

  /** Runs `write` in a statement of its own, unless one is being written; wraps what shall stand in one statement. */
  statement<T>(write: () => T): T {
    if (this.depth > 0) return write();
    this.openLine();
    this.depth++;
    const result = write();
    this.depth--;
    return result;
  }

  /** Runs `write` with every statement in it on a line of its own. */
  protected nested(write: () => void): Statement[] {
    const { depth } = this;
    const { statement } = this.builder;
    this.depth = 0;
    const body = this.builder.within(write);
    this.depth = depth;
    this.builder.statement = statement;
    return body;
  }

  protected read(operand: Operand): ValueId {
    return typeof operand === "number" ? operand : this.name(operand.name);
  }

  protected take(length: number): Span {
    const start = this.cursor;
    this.cursor += length;
    const span: Span = [start, this.cursor];
    this.cursor++;
    return span;
  }

  private openLine(): void {
    const start = this.lines.length * LINE;
    this.lines.push(start);
    this.cursor = start;
    this.builder.openStatement([start, start + LINE - 1]);
  }

  private around(first: ValueId, last: Span): Span {
    return [this.builder.valueAt(first).span[0], last[1]];
  }

  private composite(operands: readonly Operand[], make: (ids: readonly ValueId[], span: Span) => Value): ValueId {
    const ids = operands.map((operand) => this.read(operand));
    const first = ids[0];
    return this.builder.value(make(ids, first === undefined ? this.take(2) : this.around(first, this.take(1))));
  }
}
