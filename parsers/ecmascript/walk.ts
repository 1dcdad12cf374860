import type { BindingId, ClassId, FunctionId, ScopeId, Span, Statement, ValueId } from "../facts.ts";
import type { FactsBuilder } from "../shared/builder.ts";
import { readExpression } from "./expressions.ts";
import { spanOf } from "./estree.ts";
import type { Node } from "./estree.ts";
import { readStatement } from "./statements.ts";

/**
 * How deep expressions, statements and patterns may stand inside each other. Chains to the left (`a + b + c`, `a.b().c()`)
 * and `else if` are read by loops and cost no depth. Real code stays below 100; a level takes up to six frames
 * of the stack, which overflows at about ten times this depth.
 */
const MAX_DEPTH = 400;

export const TOO_DEEP = "nested too deeply: what is inside is not judged";

/** Scopes that hold only types, beside the scopes of values: a type hides no value of the same name. */
export interface TypeScope {
  readonly scope: ScopeId;
  readonly outer: TypeScope | null;
}

/** What `this` and `super` mean here. */
export interface Receiver {
  readonly class: ClassId;
  readonly superClass: Node | null;
  /** The value of it; -1: there is none. */
  readonly base: ValueId;
  /** Where the superclass was written, so that its names are looked up there. */
  readonly scope: ScopeId;
}

/** What an exported declaration of a namespace adds to. */
export type Exporter = (name: string, value: ValueId | null, span: Span) => void;

/** Reads the rest of an expression that begins with `left`. */
export type Fold = (walk: Walk, node: Node, left: ValueId) => ValueId;

/** An assignment to a name, kept until all names are declared. */
export interface Assignment {
  readonly target: ValueId;
  readonly name: string;
  readonly scope: ScopeId;
  /** The value given; -1 where the name is changed by something else (`x++`, `x += 1`). */
  readonly value: ValueId;
}

/** Everything that changes from one function to the next; saved and restored around each. */
export interface Place {
  readonly function: FunctionId;
  readonly scope: ScopeId;
  readonly statement: number;
  readonly body: Statement[];
  readonly variableScope: ScopeId;
  readonly types: TypeScope | null;
  readonly receiver: Receiver | null;
  readonly isOptional: boolean;
  readonly hasArguments: boolean;
  readonly switchLabel: string | null;
}

/** One walk over a tree: where it stands, and how it goes down. */
export class Walk {
  readonly builder: FactsBuilder;
  readonly text: string;
  readonly assignments: Assignment[] = [];
  /** The names of `export { … }`, kept until all names are declared. */
  readonly exportedNames: { readonly value: ValueId; readonly name: string }[] = [];
  /** The nodes of left-deep chains that are still to be read; see chains.ts. */
  readonly spine: Node[] = [];
  /** How each of them goes on with the value of what it begins with. */
  readonly folds: Fold[] = [];
  /** Where `var` declares. */
  variableScope: ScopeId = 0;
  types: TypeScope | null = null;
  receiver: Receiver | null = null;
  /** Inside `declare`, or in a declaration file: nothing runs, nothing is declared but types. */
  isAmbient = false;
  /** Inside a `try` with a handler. */
  isOptional = false;
  /** Inside a function that has `arguments`. */
  hasArguments = false;
  /** The label of the switch that a bare `break` leaves; null where it leaves a loop. */
  switchLabel: string | null = null;
  /** The call that an `await` stands before. */
  awaited: Node | null = null;
  /** Set inside a namespace, whose exports are its members and not the module's. */
  exporter: Exporter | null = null;
  private depth = 0;
  private isTooDeep = false;

  constructor(builder: FactsBuilder, text: string) {
    this.builder = builder;
    this.text = text;
  }

  /** Reads an expression; its calls are appended to the body. */
  expression(node: Node): ValueId {
    if (!this.enter(node)) return this.opaque([], spanOf(node));
    const value = readExpression(this, node);
    this.depth--;
    return value;
  }

  statement(node: Node): void {
    if (!this.enter(node)) return;
    readStatement(this, node);
    this.depth--;
  }

  /** Goes one level down, for whatever calls itself; false and a problem where that is too deep. */
  enter(node: Node): boolean {
    if (this.depth < MAX_DEPTH) {
      this.depth++;
      return true;
    }
    if (!this.isTooDeep) this.builder.problem({ message: TOO_DEEP, span: spanOf(node) });
    this.isTooDeep = true;
    return false;
  }

  leave(): void {
    this.depth--;
  }

  opaque(of: readonly ValueId[], span: Span): ValueId {
    return this.builder.value({ kind: "opaque", of, span });
  }

  /** Sends what follows to a fresh list of statements, and returns the one before, for `closeBody`. */
  openBody(): Statement[] {
    const outer = this.builder.body;
    this.builder.body = [];
    return outer;
  }

  /** Goes back to `outer` and returns the list that was filled. */
  closeBody(outer: Statement[]): Statement[] {
    const inner = this.builder.body;
    this.builder.body = outer;
    return inner;
  }

  /** The binding of a name as far as it is declared by now; -1: none. */
  lookUp(name: string, from: ScopeId = this.builder.scope): BindingId {
    const { scopes } = this.builder.draft.facts;
    for (let scope = from; scope >= 0; scope = scopes[scope]!.parent) {
      const binding = scopes[scope]!.names[name];
      if (binding !== undefined) return binding;
    }
    return -1;
  }

  /** The scope from which a name in a type is looked up: the innermost one of types that declares it. */
  typeScopeOf(name: string): ScopeId {
    const { scopes } = this.builder.draft.facts;
    for (let types = this.types; types !== null; types = types.outer) {
      if (scopes[types.scope]!.names[name] !== undefined) return types.scope;
    }
    return this.builder.scope;
  }

  /** Opens a scope for types and returns it. */
  openTypes(): ScopeId {
    const scope = this.builder.openScope("block");
    this.types = { scope, outer: this.types };
    return scope;
  }

  save(): Place {
    const { builder } = this;
    return {
      function: builder.function, scope: builder.scope, statement: builder.statement, body: builder.body,
      variableScope: this.variableScope, types: this.types, receiver: this.receiver,
      isOptional: this.isOptional, hasArguments: this.hasArguments, switchLabel: this.switchLabel,
    };
  }

  restore(place: Place): void {
    const { builder } = this;
    builder.function = place.function;
    builder.scope = place.scope;
    builder.statement = place.statement;
    builder.body = place.body;
    this.variableScope = place.variableScope;
    this.types = place.types;
    this.receiver = place.receiver;
    this.isOptional = place.isOptional;
    this.hasArguments = place.hasArguments;
    this.switchLabel = place.switchLabel;
  }
}
