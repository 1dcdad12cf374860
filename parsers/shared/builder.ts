import { FACTS_VERSION } from "../facts.ts";
import type {
  Argument, Binding, BindingId, Call, ClassFacts, ClassId, Dialect, Directive, Export, FunctionFacts,
  FunctionId, Import, ModuleFacts, ParseProblem, Scope, ScopeId, Span, Statement, Use, Value, ValueId,
} from "../facts.ts";
import { NumberList } from "./number-list.ts";

const NO_REFERENCES: Call["references"] = [];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Roles as small numbers, so that a draft holds one number a value. 0: none was given. */
export const ROLES: readonly Use["role"][] = ["value", "call", "alias", "write", "type", "exception", "base"];

/** What a draft notes of each value, name and call. */
export interface DraftLists {
  /** Values of kind `name`, each with the scope it was written in and its name as an index of `symbols`. */
  readonly names: NumberList;
  readonly nameScopes: NumberList;
  readonly nameSymbols: NumberList;
  readonly nameStatements: NumberList;
  /** Values of kind `name` or `member` in source order, each with the function and statement it stands in. */
  readonly chains: NumberList;
  readonly chainFunctions: NumberList;
  readonly chainStatements: NumberList;
  /** By call: the value that is its result. */
  readonly results: NumberList;
  /** By value: 1 where it is the object of a longer chain. */
  readonly inner: NumberList;
  /** By value: index in `ROLES`. */
  readonly roles: NumberList;
}

/** The facts while they are being built: what `finishFacts` (link.ts) needs beside the tables. */
export interface Draft extends DraftLists {
  readonly facts: Mutable<ModuleFacts>;
  /** Every distinct name, by symbol, and the bindings declared under it; none: nothing in the file declares it. */
  readonly symbols: string[];
  readonly declared: (BindingId[] | undefined)[];
}

/** The lists of the last file, for the next one. */
let spare: DraftLists | null = null;
/** Entries past which a list is not kept: room for a file of some megabytes. */
const MOST_KEPT = 1 << 20;

function takeLists(): DraftLists {
  const lists = spare ?? {
    names: new NumberList(), nameScopes: new NumberList(), nameSymbols: new NumberList(), nameStatements: new NumberList(),
    chains: new NumberList(), chainFunctions: new NumberList(), chainStatements: new NumberList(), results: new NumberList(),
    inner: new NumberList(), roles: new NumberList(),
  };
  spare = null;
  return lists;
}

/** Gives the lists of a finished draft to the next one. */
export function releaseLists({
  names, nameScopes, nameSymbols, nameStatements, chains, chainFunctions, chainStatements, results, inner, roles,
}: DraftLists): void {
  const lists = { names, nameScopes, nameSymbols, nameStatements, chains, chainFunctions, chainStatements, results, inner, roles };
  for (const list of Object.values(lists)) list.length = 0;
  if (inner.items.length <= MOST_KEPT) spare = lists;
}

export interface CallInput {
  readonly callee: ValueId;
  readonly arguments: readonly Argument[];
  readonly span: Span;
  readonly nameSpan: Span;
  readonly construct?: true;
  readonly tagged?: true;
  readonly decorator?: true;
  readonly awaited?: true;
}

/**
 * Where both front ends write what they read. A front end walks its syntax tree once, keeps `function`, `scope`,
 * `statement` and `body` pointing at where it is, and calls the methods below; `finishFacts` (link.ts) then looks
 * names up and fills `uses` and `Call.references`. No method looks at the source language.
 */
export class FactsBuilder {
  readonly draft: Draft;
  /** The function being read; 0 is the module. */
  function: FunctionId = 0;
  scope: ScopeId = 0;
  /** Index in `facts.statements` of the innermost statement being read. */
  statement = 0;
  /** The list that statements are appended to; swap it with `within`. */
  body: Statement[] = [];
  private readonly symbolOf = new Map<string, number>();

  constructor(language: ModuleFacts["language"], dialect: Dialect, lines: readonly number[], length: number) {
    const moduleFunction: FunctionFacts = {
      name: "<module>", kind: "module", parameters: [], returnAnnotation: null, decorators: [],
      span: [0, length], nameSpan: [0, 0], parent: -1, class: -1, scope: 0, body: this.body,
    };
    this.draft = {
      facts: {
        version: FACTS_VERSION, language, dialect, lines, length,
        imports: [], values: [], bindings: [], scopes: [], calls: [], uses: [], functions: [moduleFunction],
        classes: [], statements: [[0, 0]], exports: [], directives: [], problems: [],
      },
      ...takeLists(), symbols: [], declared: [],
    };
    this.openScope("module", -1, 0);
  }

  /** Adds an expression and returns its index. Use `name`, `member` and `call` for those kinds. */
  value(value: Value): ValueId {
    const values = this.draft.facts.values as Value[];
    this.draft.inner.push(0);
    this.draft.roles.push(0);
    return values.push(value) - 1;
  }

  valueAt(id: ValueId): Value {
    const value = this.draft.facts.values[id];
    if (value === undefined) throw new RangeError(`no value ${id}`);
    return value;
  }

  /** An identifier read or written here; looked up in `scope` once everything is declared. */
  name(name: string, span: Span, scope: ScopeId = this.scope): ValueId {
    const symbol = this.symbol(name);
    // The first string of that spelling, so that the table does not keep a slice of the source for each.
    const id = this.value({ kind: "name", name: this.draft.symbols[symbol]!, binding: -1, span });
    this.draft.names.push(id);
    this.draft.nameScopes.push(scope);
    this.draft.nameSymbols.push(symbol);
    this.draft.nameStatements.push(this.statement);
    this.place(id);
    return id;
  }

  /** `object.property`, or `object[key]` with `property` set where the key is a literal string or index. */
  member(member: Omit<Extract<Value, { kind: "member" }>, "kind">): ValueId {
    const { object, property, key, propertySpan, span } = member;
    // Written out, since copying by spread costs more than all the rest.
    const isPlain = member.subscript === undefined && member.optional === undefined;
    const id = this.value(isPlain ? { kind: "member", object, property, key, propertySpan, span } : { kind: "member", ...member });
    this.draft.inner.items[member.object] = 1;
    this.place(id);
    return id;
  }

  /** Adds a call, appends it to the body as evaluated here, and returns the value that is its result. */
  call(input: CallInput): ValueId {
    const calls = this.draft.facts.calls as Call[];
    const call = calls.push(this.completed(input)) - 1;
    this.draft.roles.items[input.callee] = 1;
    this.body.push({ kind: "call", call, at: this.statement });
    const result = this.value({ kind: "call", call, span: input.span });
    this.draft.results.push(result);
    return result;
  }

  private completed(input: CallInput): Call {
    const place = this.function;
    const { statement } = this;
    if (input.construct !== undefined || input.tagged !== undefined || input.decorator !== undefined) {
      return { ...input, function: place, statement, references: NO_REFERENCES };
    }
    const { callee, arguments: given, span, nameSpan, awaited } = input;
    if (awaited !== undefined) return { callee, arguments: given, span, nameSpan, awaited, function: place, statement, references: NO_REFERENCES };
    return { callee, arguments: given, span, nameSpan, function: place, statement, references: NO_REFERENCES };
  }

  /** Says what the outermost value of a chain is used for, where it is not plainly a value. */
  role(value: ValueId, role: Exclude<Use["role"], "call">): void {
    this.draft.roles.items[value] = ROLES.indexOf(role);
  }

  openScope(kind: Scope["kind"], parent: ScopeId = this.scope, inFunction: FunctionId = this.function): ScopeId {
    const scopes = this.draft.facts.scopes as Scope[];
    // Names come from the source: `__proto__` and `constructor` must be plain keys.
    return scopes.push({ kind, parent, function: inFunction, names: Object.create(null) as Record<string, BindingId> }) - 1;
  }

  /** Declares a name in a scope, once: a second declaration returns the first binding. */
  declare(name: string, kind: Binding["kind"], span: Span, scope: ScopeId = this.scope): BindingId {
    const names = this.draft.facts.scopes[scope]!.names;
    const known = names[name];
    if (known !== undefined) return known;
    const bindings = this.draft.facts.bindings as Binding[];
    const symbol = this.symbol(name);
    const id = bindings.push({ name: this.draft.symbols[symbol]!, scope, kind, span, values: [] }) - 1;
    names[name] = id;
    (this.draft.declared[symbol] ??= []).push(id);
    return id;
  }

  /** Records one value that a binding is given. */
  give(id: BindingId, value: ValueId): void {
    const binding: Mutable<Binding> = this.draft.facts.bindings[id]!;
    // Most are given one value: a list that grows takes room for 17 at once.
    if (binding.values.length === 0) binding.values = [value];
    else binding.values.push(value);
  }

  binding(id: BindingId): Binding {
    return this.draft.facts.bindings[id]!;
  }

  /** Starts a statement: everything recorded until the next call stands in it. */
  openStatement(span: Span): number {
    const statements = this.draft.facts.statements as Span[];
    this.statement = statements.push(span) - 1;
    return this.statement;
  }

  /** Runs `read` with statements going to a fresh list, and returns that list. */
  within(read: () => void): Statement[] {
    const outer = this.body;
    const inner: Statement[] = [];
    this.body = inner;
    read();
    this.body = outer;
    // What grew holds room for more; facts are kept.
    return inner.length === 0 ? inner : inner.slice();
  }

  /** Reserves a function's index, so that its parts can name it before it is complete. */
  reserveFunction(facts: FunctionFacts): FunctionId {
    return (this.draft.facts.functions as FunctionFacts[]).push(facts) - 1;
  }

  reserveClass(facts: ClassFacts): ClassId {
    return (this.draft.facts.classes as ClassFacts[]).push(facts) - 1;
  }

  import(entry: Import): number {
    return (this.draft.facts.imports as Import[]).push(entry) - 1;
  }

  export(entry: Export): void {
    (this.draft.facts.exports as Export[]).push(entry);
  }

  directive(entry: Directive): void {
    (this.draft.facts.directives as Directive[]).push(entry);
  }

  problem(entry: ParseProblem): void {
    (this.draft.facts.problems as ParseProblem[]).push(entry);
  }

  private place(id: ValueId): void {
    this.draft.chains.push(id);
    this.draft.chainFunctions.push(this.function);
    this.draft.chainStatements.push(this.statement);
  }

  private symbol(name: string): number {
    const known = this.symbolOf.get(name);
    if (known !== undefined) return known;
    const symbol = this.draft.symbols.push(name) - 1;
    this.draft.declared.push(undefined);
    this.symbolOf.set(name, symbol);
    return symbol;
  }
}
