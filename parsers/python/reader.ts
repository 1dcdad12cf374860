import type { BindingId, ClassId, FunctionFacts, FunctionId, ScopeId, Span, Statement, ValueId } from "../facts.ts";
import type { FactsBuilder } from "../shared/builder.ts";
import { Field, Kind } from "./kinds.ts";
import type { SyntaxTable } from "./table.ts";
import type { TypeCheckingImport } from "./type-checking.ts";

/** Reads the expression at a row and returns its value. */
export type ExpressionReader = (reader: Reader, row: number) => ValueId;
/** Reads an expression whose left operand, the row's first child, has been read already. */
export type RightReader = (reader: Reader, row: number, left: ValueId) => ValueId;
export type StatementReader = (reader: Reader, row: number) => void;

/** How each kind of row is read, by `Kind`. */
export interface Grammar {
  readonly expressions: readonly (ExpressionReader | undefined)[];
  readonly rights: readonly (RightReader | undefined)[];
  readonly statements: readonly (StatementReader | undefined)[];
}

/** Filled by the first `global` or `nonlocal` of a body. */
export interface Redirected {
  scopes: Map<string, ScopeId> | null;
}

/** What holds for everything inside the function, class body or `try` being read. */
export interface Surroundings {
  /** The function being read; `generator` is set when a `yield` is met. */
  readonly functionFacts: { -readonly [K in keyof FunctionFacts]: FunctionFacts[K] };
  /** The class whose body is being read, -1 inside its methods. */
  readonly classId: ClassId;
  /** Where a walrus binds: the scope around the comprehensions being read. */
  readonly scope: ScopeId;
  /** Names declared `global` or `nonlocal` in this function or class body, with the scope they belong to. */
  readonly redirected: Redirected;
  /** A failing import is caught. */
  readonly optional: boolean;
  /** Under `if TYPE_CHECKING:`; the row of the test. */
  readonly typeChecking: number;
}

/** Something nested too deeply, read once everything around it is. */
interface Postponed {
  readonly row: number;
  readonly isStatement: boolean;
  readonly function: FunctionId;
  readonly scope: ScopeId;
  readonly statement: number;
  readonly surroundings: Surroundings;
}

/**
 * Deepest nesting that is read in place. CPython itself refuses 200 open brackets and 100 levels of indentation, so
 * no program that runs is deeper by these; what is deeper is a problem, and is read as if it stood by itself.
 */
const DEEPEST = 250;

const STAR = 42;

/** Walks the syntax table and writes facts. Left operands are followed in a loop, everything else is bounded in depth. */
export class Reader {
  readonly text: string;
  readonly builder: FactsBuilder;
  readonly kinds: Uint8Array;
  readonly fields: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly after: Uint32Array;
  /** The grammar found errors, so that an empty block is only what is left of something. */
  private readonly hasErrors: boolean;
  surroundings: Surroundings;
  /** The row of a call that an `await` stands before. */
  awaited = -1;
  /** The bracketed row that `type` stands before, in what only looks like a type alias: its arguments or subscript. */
  typeOperand = -1;
  /** Inside an annotation: names are types. */
  inType = false;
  /** Bindings that hold an instance or the class itself: `self`, `cls`. */
  readonly selfBindings = new Map<BindingId, ClassId>();
  /** The body whose first statement may be a docstring. */
  documented = 0;
  /** Rows of error nodes that have been read. */
  readonly readErrors = new Set<number>();
  readonly typeCheckingImports: TypeCheckingImport[] = [];
  private readonly grammar: Grammar;
  private depth = 0;
  private isTooDeep = false;
  private readonly spine: number[] = [];
  private readonly postponed: Postponed[] = [];
  /** Whether the text holds ASCII alone, so that every name is in its normal form. */
  private readonly isPlain: boolean;
  /** The span asked for last: a statement often has the same as the expression it is. */
  private latest: Span = [0, 0];

  constructor(text: string, table: SyntaxTable, builder: FactsBuilder, grammar: Grammar) {
    this.text = text;
    this.builder = builder;
    this.grammar = grammar;
    this.isPlain = !/[^\x00-\x7f]/.test(text);
    this.hasErrors = table.hasErrors;
    ({ kinds: this.kinds, fields: this.fields, starts: this.starts, ends: this.ends, after: this.after } = table);
    this.surroundings = {
      functionFacts: builder.draft.facts.functions[0]!, classId: -1, scope: 0, redirected: { scopes: null },
      optional: false, typeChecking: -1,
    };
  }

  span(row: number): Span {
    return this.spanOf(this.starts[row]!, this.ends[row]!);
  }

  private spanOf(start: number, end: number): Span {
    const { latest } = this;
    return latest[0] === start && latest[1] === end ? latest : (this.latest = [start, end]);
  }

  /**
   * Span of a row whose left operand is a value. It starts before the row where `type (x).y` is read as a call of
   * `type`, and behind it where the row starts with a star that is not its own.
   */
  spanAfter(row: number, left: ValueId): Span {
    const start = this.starts[row]!;
    const inner = this.builder.valueAt(left).span[0];
    return this.spanOf(inner < start || this.text.charCodeAt(start) === STAR ? inner : start, this.ends[row]!);
  }

  textOf(row: number): string {
    return this.text.slice(this.starts[row], this.ends[row]);
  }

  /** The name an identifier spells, as Python compares names: normalised to NFKC. */
  nameOf(row: number): string {
    const name = this.textOf(row);
    if (this.isPlain) return name;
    for (let index = 0; index < name.length; index++) if (name.charCodeAt(index) > 127) return name.normalize("NFKC");
    return name;
  }

  /** The first child with a field, -1 where there is none. */
  child(row: number, field: number): number {
    const { fields, after } = this;
    const end = after[row]!;
    for (let child = row + 1; child < end; child = after[child]!) if (fields[child] === field) return child;
    return -1;
  }

  /** The first child of a kind, -1 where there is none. */
  childOfKind(row: number, kind: number): number {
    const { kinds, after } = this;
    const end = after[row]!;
    for (let child = row + 1; child < end; child = after[child]!) if (kinds[child] === kind) return child;
    return -1;
  }

  children(row: number): number[] {
    const rows: number[] = [];
    const end = this.after[row]!;
    for (let child = row + 1; child < end; child = this.after[child]!) rows.push(child);
    return rows;
  }

  /** The first child that is an expression: no token, no error. */
  operand(row: number): number {
    const { kinds, after } = this;
    const end = after[row]!;
    for (let child = row + 1; child < end; child = after[child]!) {
      const kind = kinds[child]!;
      if (kind !== Kind.error && kind !== Kind[":"] && kind !== Kind.from) return child;
    }
    return -1;
  }

  /** Reads an expression. The operands on its left are followed in a loop, since chains have no bound in real code. */
  expression(row: number): ValueId {
    if (this.depth >= DEEPEST) return this.postpone(row, false);
    this.depth++;
    const { spine, kinds, grammar } = this;
    const base = spine.length;
    let at = this.descendLeft(row);
    // The grammar binds the star of `*f(x)` to f alone.
    const starred = spine.length > base && (kinds[at] === Kind.list_splat || kinds[at] === Kind.list_splat_pattern) ? this.operand(at) : -1;
    if (starred >= 0) at = this.descendLeft(starred);
    const read = grammar.expressions[kinds[at]!];
    let value = read === undefined ? this.opaque(at) : read(this, at);
    while (spine.length > base) {
      at = spine.pop()!;
      value = grammar.rights[kinds[at]!]!(this, at, value);
    }
    this.depth--;
    return starred < 0 ? value : this.builder.value({ kind: "spread", value, span: this.span(at) });
  }

  /** Puts what has its left operand first on the spine, down to what has not, and returns that. */
  private descendLeft(row: number): number {
    const { kinds, after, grammar } = this;
    let at = row;
    for (;;) {
      const kind = kinds[at]!;
      if (kind === Kind.parenthesized_expression && at !== this.typeOperand) {
        if (at + 1 === after[at] || after[at + 1] !== after[at]) return at;
      } else if (grammar.rights[kind] !== undefined && at + 1 < after[at]! && kinds[at + 1] !== Kind.error) {
        this.spine.push(at);
      } else return at;
      at++;
    }
  }

  /** Runs what reads parts of a row by itself, one level down; postpones the row where that is too deep. */
  deeper(row: number, read: () => ValueId): ValueId {
    if (this.depth >= DEEPEST) return this.postpone(row, false);
    this.depth++;
    const value = read();
    this.depth--;
    return value;
  }

  /** Reads a value outside of annotations, whatever surrounds it. */
  plainExpression(row: number): ValueId {
    const { inType } = this;
    this.inType = false;
    const value = this.expression(row);
    this.inType = inType;
    return value;
  }

  /** Anything that has no meaning of its own: the expressions inside are kept. */
  opaque(row: number): ValueId {
    const of: ValueId[] = [];
    const end = this.after[row]!;
    for (let child = row + 1; child < end; child = this.after[child]!) {
      const kind = this.kinds[child]!;
      if (this.grammar.statements[kind] !== undefined) this.statement(child);
      else if (kind !== Kind[":"] && kind !== Kind.from && kind !== Kind.operator) of.push(this.expression(child));
    }
    return this.builder.value({ kind: "opaque", of, span: this.span(row) });
  }

  statement(row: number): void {
    if (this.depth >= DEEPEST) {
      this.postpone(row, true);
      return;
    }
    // A statement takes several frames where an expression takes two.
    this.depth += 2;
    const read = this.grammar.statements[this.kinds[row]!];
    if (read !== undefined) read(this, row);
    else this.looseExpression(row);
    this.depth -= 2;
  }

  private looseExpression(row: number): void {
    const kind = this.kinds[row];
    if (kind === Kind[":"] || kind === Kind.from || kind === Kind.operator) return;
    const at = this.builder.openStatement(this.span(row));
    this.builder.body.push({ kind: "expression", value: this.expression(row), at });
  }

  /** Reads the statements of a block in place. */
  statements(row: number): void {
    if (this.after[row] === row + 1 && this.kinds[row] === Kind.block && !this.hasErrors) {
      this.builder.problem({ message: "A block needs a statement.", span: [this.starts[row]!, this.starts[row]!] });
    }
    const end = this.after[row]!;
    for (let child = row + 1; child < end; child = this.after[child]!) this.statement(child);
  }

  /** Reads the statements of a block into a list of their own. A row of -1 is no block. */
  block(row: number): Statement[] {
    if (row < 0) return [];
    return this.builder.within(() => { this.statements(row); });
  }

  /** The scope that a name bound here belongs to. */
  scopeOf(name: string, scope: ScopeId = this.builder.scope): ScopeId {
    return this.surroundings.redirected.scopes?.get(name) ?? scope;
  }

  /** A name read or written here. */
  name(row: number): ValueId {
    const name = this.nameOf(row);
    const value = this.builder.name(name, this.span(row), this.scopeOf(name));
    if (this.inType) this.builder.role(value, "type");
    return value;
  }

  /** The class of which a name holds an instance or which it is, -1 where it is no `self`. */
  classOfSelf(name: string): ClassId {
    if (this.selfBindings.size === 0) return -1;
    const { scopes } = this.builder.draft.facts;
    for (let id = this.builder.scope; id >= 0; id = scopes[id]!.parent) {
      const binding = scopes[id]!.names[name];
      if (binding !== undefined) return this.selfBindings.get(binding) ?? -1;
    }
    return -1;
  }

  /** Reads with other surroundings. */
  inside(surroundings: Surroundings, read: () => void): void {
    const outer = this.surroundings;
    this.surroundings = surroundings;
    read();
    this.surroundings = outer;
  }

  private postpone(row: number, isStatement: boolean): ValueId {
    const { builder, surroundings } = this;
    if (!this.isTooDeep) {
      this.isTooDeep = true;
      builder.problem({ message: "Nested too deeply to be judged where it stands: split it into smaller parts.", span: this.span(row) });
    }
    const { function: inFunction, scope, statement } = builder;
    this.postponed.push({ row, isStatement, function: inFunction, scope, statement, surroundings });
    return builder.value({ kind: "opaque", of: [], span: this.span(row) });
  }

  /**
   * Reads what was nested too deeply, and what is deeper still after it. The statements come at the end of the
   * function, so that bodies are not nested deeper than what is read in place.
   */
  readPostponed(): void {
    const { builder, postponed } = this;
    for (let next = postponed.pop(); next !== undefined; next = postponed.pop()) {
      const { row, isStatement, surroundings, function: inFunction, scope, statement } = next;
      this.surroundings = surroundings;
      Object.assign(builder, { function: inFunction, scope, statement });
      builder.body = builder.draft.facts.functions[inFunction]!.body as Statement[];
      this.depth = 0;
      if (isStatement) this.statement(row);
      else this.expression(row);
    }
  }

  /** Span from the start of a compound statement to the colon before its body. */
  header(row: number): Span {
    const colon = this.childOfKind(row, Kind[":"]);
    return [this.starts[row]!, colon < 0 ? this.ends[row]! : this.ends[colon]!];
  }

  /** Whether the row begins with `async`; the keyword it stands before has another first letter. */
  isAsync(row: number): boolean {
    return this.text.startsWith("async", this.starts[row]);
  }

  /** All children with a field. */
  childrenWith(row: number, field: number): number[] {
    const rows: number[] = [];
    const end = this.after[row]!;
    for (let child = row + 1; child < end; child = this.after[child]!) if (this.fields[child] === field) rows.push(child);
    return rows;
  }
}

/** A list indexed by `Kind` from readers by the names of the kinds. */
export function byKind<T>(readers: Partial<Record<keyof typeof Kind, T>>): (T | undefined)[] {
  const list = new Array<T | undefined>(256).fill(undefined);
  for (const [name, reader] of Object.entries(readers) as [keyof typeof Kind, T][]) list[Kind[name]] = reader;
  return list;
}

export { Field, Kind };
