/**
 * ModuleFacts: what one source file does, without its language.
 *
 * A parser (ecmascript/, python/) turns one file into this record and nothing after the parser knows which
 * language it was. The record is plain JSON, holds specifiers as written and API names, never capabilities and
 * never its own path, so it can be cached by the content of the file alone.
 *
 * How to read it:
 * - `values` is a table of expressions. Everything else refers to an expression by its index (`ValueId`).
 * - `bindings` is a table of names with what they were given. `references` says what a name *from outside the
 *   file* is used for. `calls` are the calls in the order in which they are evaluated.
 * - `functions[0]` is the module itself. Every function has a `body`, a small tree of statements.
 * - Offsets are UTF-16 code units in the text after the byte order mark was dropped. `lines` turns them into
 *   lines and columns (see positions.ts).
 */

/** Raised whenever the same source may give other facts; part of every cache key. */
export const FACTS_VERSION = 7;

/** `[start, end)` as UTF-16 offsets. */
export type Span = readonly [start: number, end: number];

export type ValueId = number;
export type BindingId = number;
export type CallId = number;
export type FunctionId = number;
export type ClassId = number;
export type ScopeId = number;

export type Dialect = "python" | "javascript" | "jsx" | "typescript" | "tsx" | "declaration";

/**
 * Something that comes from outside the file: a module or a member reached from it.
 *
 * `module` is the specifier as written: `httpx`, `..pkg.mod` (Python keeps its dots), `node:fs`, `./client`.
 * Python's builtins are module `builtins`, JavaScript's globals are module `globalThis`.
 * `path` are the members from there; calls and awaits on the way are dropped, so that
 * `c = httpx.Client(); c.post` is `{ module: "httpx", path: ["Client", "post"] }`.
 */
export interface Reference {
  readonly module: string;
  readonly path: readonly string[];
  /**
   * How the reference was reached, where it was not by plain names. Absent: import, require with a literal,
   * builtin, global, member access, construction.
   * - `annotation`: only a type annotation says so (a handle somebody passed in)
   * - `parameter-default`: the parameter may be replaced by the caller
   * - `star`: one of the modules imported whole may define it
   * - `dynamic`: through a loader that takes text (`import_module("x")`, `require(["n", "et"].join(""))`,
   *   `process.getBuiltinModule("fs")`), the text being folded from plain pieces or written out
   * - `decoded`: as `dynamic`, with the text decoded from base64, hex, character codes or reversal
   * - `literal-reach`: `getattr(os, "system")`, `vars(os)["x"]`, `globalThis["fetch"]`: a plain use spelled oddly
   */
  readonly through?: "annotation" | "parameter-default" | "star" | "dynamic" | "decoded" | "literal-reach";
  /** True where a call lies between the module and the last member: the member of an instance, not of the API. */
  readonly instance?: true;
  /** A computed member that does not fold ends the path: `fs[name]`, `getattr(os, name)`. */
  readonly computed?: true;
}

/** An expression. `span` is always the whole expression. */
export type Value =
  | { readonly kind: "string"; readonly value: string; readonly span: Span; readonly bytes?: true; readonly docstring?: true }
  /** Also Infinity (written `Infinity`, `math.inf`, `float("inf")` fold later); big integers as `NaN`. */
  | { readonly kind: "number"; readonly value: number; readonly span: Span }
  | { readonly kind: "constant"; readonly value: true | false | null; readonly span: Span; readonly undefined?: true }
  /** A name, looked up by scope: `binding` is -1 where nothing in the file declares it. */
  | { readonly kind: "name"; readonly name: string; binding: BindingId; readonly span: Span }
  /** `property` is the name where it is written or a literal key, else null and `key` holds the expression. */
  | { readonly kind: "member"; readonly object: ValueId; readonly property: string | null; readonly key: ValueId | null; readonly propertySpan: Span; readonly subscript?: true; readonly optional?: true; readonly span: Span }
  | { readonly kind: "call"; readonly call: CallId; readonly span: Span }
  | { readonly kind: "function"; readonly function: FunctionId; readonly span: Span }
  | { readonly kind: "class"; readonly class: ClassId; readonly span: Span }
  /** list, tuple, set, array. A spread or starred item is a value of kind `spread`. */
  | { readonly kind: "list"; readonly items: readonly ValueId[]; readonly form: "list" | "tuple" | "set"; readonly span: Span }
  /** dict or object literal. `key` null: spread (`**x`, `...x`). Written names are string values. */
  | { readonly kind: "table"; readonly entries: readonly TableEntry[]; readonly span: Span }
  | { readonly kind: "spread"; readonly value: ValueId; readonly span: Span }
  /** f-string, template literal, implicit concatenation: pieces in order. */
  | { readonly kind: "template"; readonly parts: readonly ValueId[]; readonly span: Span; readonly tag?: ValueId }
  /** `a or b`, `a ?? b`, `a || b`, `a and b`: in order. */
  | { readonly kind: "logical"; readonly operator: "or" | "and" | "??"; readonly left: ValueId; readonly right: ValueId; readonly span: Span }
  | { readonly kind: "conditional"; readonly test: ValueId; readonly then: ValueId; readonly else: ValueId; readonly span: Span }
  /** Python spelling for both languages: `==` and `===` are `==`, `is` stays, `in`, `not in`, `instanceof`. */
  | { readonly kind: "binary"; readonly operator: string; readonly left: ValueId; readonly right: ValueId; readonly span: Span }
  | { readonly kind: "unary"; readonly operator: "not" | "-" | "+" | "~" | "typeof" | "void" | "delete"; readonly value: ValueId; readonly span: Span }
  | { readonly kind: "await"; readonly value: ValueId; readonly span: Span }
  | { readonly kind: "yield"; readonly value: ValueId | null; readonly span: Span; readonly delegate?: true }
  /** An assignment used as an expression: walrus, `a = b` inside an expression, `x++`. */
  | { readonly kind: "assigned"; readonly value: ValueId; readonly span: Span }
  /** A comprehension or generator expression (`lazy`); its parts stand in the function that `function` names. */
  | { readonly kind: "comprehension"; readonly element: ValueId; readonly iterables: readonly ValueId[]; readonly lazy?: true; readonly span: Span }
  /** `self` / `this` inside class `class`. */
  | { readonly kind: "self"; readonly class: ClassId; readonly span: Span }
  /** An imported module or one of its names, as the value of the binding it made. */
  | { readonly kind: "imported"; readonly import: number; readonly path: readonly string[]; readonly span: Span }
  /** A parameter as the value of its binding. */
  | { readonly kind: "parameter"; readonly function: FunctionId; readonly index: number; readonly span: Span }
  /** One item of something iterated or unpacked: `for x in xs`, `[a] = xs`. `index` null: any. */
  | { readonly kind: "item"; readonly of: ValueId; readonly index: number | null; readonly span: Span }
  /** What a caught error is bound to. */
  | { readonly kind: "caught"; readonly types: readonly ValueId[]; readonly span: Span }
  | { readonly kind: "regex"; readonly pattern: string; readonly span: Span }
  /** Anything else; `of` are the expressions inside, so that nothing is dropped. */
  | { readonly kind: "opaque"; readonly of: readonly ValueId[]; readonly span: Span };

export interface TableEntry {
  readonly key: ValueId | null;
  readonly value: ValueId;
}

export interface Binding {
  readonly name: string;
  readonly scope: ScopeId;
  readonly kind: "import" | "parameter" | "variable" | "constant" | "function" | "class" | "caught" | "type";
  /** Where it was first declared. */
  readonly span: Span;
  /** Every value it is ever given, in source order; an unpacked one as `member` or `item` of the whole. */
  readonly values: ValueId[];
  /** Its annotation where it has one. */
  annotation?: ValueId;
  /** Set when something the table cannot show writes to it: `del`, augmented assignment, a closure's `global`. */
  rebound?: true;
}

export interface Scope {
  readonly kind: "module" | "function" | "class" | "block" | "comprehension";
  readonly parent: ScopeId;
  readonly function: FunctionId;
  /** Name to binding, as declared here. */
  readonly names: Record<string, BindingId>;
}

export interface ImportName {
  /** The exported name; `*` is everything (namespace or star), `default` as written in ECMAScript. */
  readonly imported: string;
  /** The local binding; -1 for a star import into the scope and for a bare import of side effects. */
  readonly binding: BindingId;
  readonly span: Span;
  readonly typeOnly?: true;
}

export interface Import {
  readonly form:
    | "import" // import x / import x as y / import "x" / import * as x
    | "from" // from x import y / import { y } from "x"
    | "require" // require("x") with a written literal, import x = require("x")
    | "reexport"; // export … from "x"
  /** As written. `import a.b.c` has specifier `a.b.c` and binds `a`. */
  readonly specifier: string;
  readonly names: readonly ImportName[];
  /** The whole statement. */
  readonly span: Span;
  /** The module's name in it; in ECMAScript from quote to quote. */
  readonly specifierSpan: Span;
  readonly function: FunctionId;
  /** `import type`, `export type`. */
  readonly typeOnly?: true;
  /** Under `if TYPE_CHECKING:`. */
  readonly typeChecking?: true;
  /** Inside a `try` that catches its failure (ImportError, or any in ECMAScript). */
  readonly optional?: true;
}

/** One place where a name from outside the file is used; imports themselves are in `imports`. */
export interface Use {
  /** What it can be; several when the name was given several values. */
  readonly references: readonly Reference[];
  /**
   * - `call`: called (or constructed), `call` says which
   * - `value`: passed, returned, stored in a table or attribute, a default, an option, exported
   * - `alias`: given to a local name (also by unpacking) whose own uses are followed
   * - `write`: assigned to or deleted (`process.env.X = 1`, `del os.environ["X"]`)
   * - `type`: annotation, type argument, `implements`, `isinstance` against it
   * - `exception`: in an `except`/`instanceof`/`raise`/`throw new` position
   * - `base`: a class derives from it
   */
  readonly role: "call" | "value" | "alias" | "write" | "type" | "exception" | "base";
  readonly call?: CallId;
  /** The expression used: the longest member chain. */
  readonly value: ValueId;
  /** The telling token: the last name of the chain. */
  readonly span: Span;
  readonly function: FunctionId;
  /** The innermost statement around it (index in `statements`). */
  readonly statement: number;
}

export interface Argument {
  readonly value: ValueId;
  /** Keyword name (Python). Options objects of ECMAScript stay tables. */
  readonly name?: string;
}

export interface Call {
  readonly callee: ValueId;
  readonly arguments: readonly Argument[];
  /** `new X()`. Python constructions are plain calls. */
  readonly construct?: true;
  /** Tagged template: the template is the only argument. */
  readonly tagged?: true;
  /** A decorator applied to a function or class: `@retry(...)` is two calls, this marks the application. */
  readonly decorator?: true;
  readonly awaited?: true;
  /** The whole call. */
  readonly span: Span;
  /** The callee's last name. */
  readonly nameSpan: Span;
  readonly function: FunctionId;
  readonly statement: number;
  /** What the callee can be outside this file; empty when local or unknown. Filled by the resolver. */
  references: readonly Reference[];
}

export interface Parameter {
  readonly name: string;
  readonly binding: BindingId;
  readonly kind: "positional" | "keyword" | "rest" | "keyword-rest";
  readonly default: ValueId | null;
  readonly annotation: ValueId | null;
  /** The pattern's own bindings are given `member`/`item` values of the parameter. */
  readonly pattern?: true;
  readonly span: Span;
}

export interface FunctionFacts {
  /** `<module>` for functions[0]; empty for an anonymous one that no declaration names. */
  readonly name: string;
  readonly kind: "module" | "function" | "method" | "arrow" | "lambda" | "getter" | "setter" | "constructor" | "initializer";
  readonly async?: true;
  readonly generator?: true;
  readonly static?: true;
  readonly parameters: readonly Parameter[];
  readonly returnAnnotation: ValueId | null;
  /** Decorators from top to bottom. */
  readonly decorators: readonly ValueId[];
  readonly span: Span;
  readonly nameSpan: Span;
  /** The function around it; -1 for the module. */
  readonly parent: FunctionId;
  /** The class it is a member of, else -1. */
  readonly class: ClassId;
  readonly scope: ScopeId;
  body: readonly Statement[];
}

export interface ClassFacts {
  readonly name: string;
  readonly bases: readonly ValueId[];
  readonly decorators: readonly ValueId[];
  /** Methods by name are functions whose `class` is this. */
  readonly fields: readonly Field[];
  readonly span: Span;
  readonly nameSpan: Span;
  readonly function: FunctionId;
  /** The binding of its name; -1 for an anonymous class expression. */
  readonly binding: BindingId;
  /** Everything assigned to `self.name` / `this.name` anywhere in the class, fields included. */
  readonly attributes: Record<string, ValueId[]>;
}

export interface Field {
  readonly name: string;
  readonly value: ValueId | null;
  readonly annotation: ValueId | null;
  readonly static?: true;
  readonly span: Span;
}

/** A statement of a body. `at` is its index in `statements`. Expressions inside are evaluated in `calls` order. */
export type Statement =
  /** `targets` are `name`/`member` values or `list`/`table` patterns; `operator` is "=" or e.g. "+=". */
  | { readonly kind: "assign"; readonly targets: readonly ValueId[]; readonly value: ValueId; readonly operator: string; readonly at: number }
  /** A call evaluated here, whichever statement it is written in; it comes before the statement that uses it. */
  | { readonly kind: "call"; readonly call: CallId; readonly at: number }
  /** if, elif (nested in `else`), match/switch case, conditional expressions and short circuits that hold calls. */
  | { readonly kind: "test"; readonly test: ValueId; readonly then: readonly Statement[]; readonly else: readonly Statement[]; readonly at: number }
  | {
      readonly kind: "loop";
      /** `each`: for-in/for-of/for x in. `count`: for(;;) with its parts. */
      readonly form: "while" | "do" | "count" | "each";
      readonly test: ValueId | null;
      readonly targets: readonly ValueId[];
      readonly iterable: ValueId | null;
      readonly before: readonly Statement[];
      readonly update: readonly Statement[];
      readonly body: readonly Statement[];
      /** Python's `else`. */
      readonly otherwise: readonly Statement[];
      readonly label?: string;
      readonly keywordSpan: Span;
      readonly at: number;
    }
  | { readonly kind: "try"; readonly body: readonly Statement[]; readonly handlers: readonly Handler[]; readonly otherwise: readonly Statement[]; readonly finally: readonly Statement[]; readonly at: number }
  /** `with`/`using`: the items are entered, then the body runs. Under `contextlib.suppress(A)` it is a `try` whose handler of A does nothing. */
  | { readonly kind: "with"; readonly items: readonly ValueId[]; readonly body: readonly Statement[]; readonly at: number }
  /** A labelled or bare block that only groups. */
  | { readonly kind: "block"; readonly body: readonly Statement[]; readonly label?: string; readonly at: number }
  | { readonly kind: "jump"; readonly to: "break" | "continue" | "raise"; readonly label?: string; readonly value: ValueId | null; readonly at: number }
  | { readonly kind: "return"; readonly value: ValueId | null; readonly at: number }
  /** A bare expression whose value is dropped; its calls stand before it. */
  | { readonly kind: "expression"; readonly value: ValueId; readonly at: number }
  /** A function or class is defined here. */
  | { readonly kind: "define"; readonly function?: FunctionId; readonly class?: ClassId; readonly at: number };

export interface Handler {
  /** Empty: catches everything. */
  readonly types: readonly ValueId[];
  readonly binding: BindingId;
  readonly body: readonly Statement[];
  readonly span: Span;
}

export interface Export {
  /** `default`, `*` for `export * from`, `=` for `module.exports =` and `export =`; Python: each name of the module scope. */
  readonly name: string;
  readonly value: ValueId | null;
  /** For `export … from`: the import and the name taken there. */
  readonly import?: number;
  readonly imported?: string;
  readonly span: Span;
  readonly typeOnly?: true;
}

/** A comment that speaks to a tool. `text` starts after `#`, `//`, or `/*`; a Python comment is split at each inner `#`. */
export interface Directive {
  readonly text: string;
  readonly span: Span;
  /** 1-based line on which the comment starts. */
  readonly line: number;
  /** Nothing but blanks stands before it on its line. */
  readonly ownLine: boolean;
}

export interface ParseProblem {
  readonly message: string;
  readonly span: Span;
}

/** What a type checker says of something that is called on. */
export interface TypedValue {
  readonly value: ValueId;
  /** An instance of what a package exports; null: of what is neither from a package nor unknown. */
  readonly reference: Reference | null;
}

export interface ModuleFacts {
  readonly version: number;
  readonly language: "python" | "ecmascript";
  readonly dialect: Dialect;
  /** Offset of the first character of each line. */
  readonly lines: readonly number[];
  readonly length: number;
  /** Its header says that a tool wrote it. */
  readonly generated?: true;
  readonly imports: readonly Import[];
  readonly values: readonly Value[];
  readonly bindings: readonly Binding[];
  readonly scopes: readonly Scope[];
  readonly calls: readonly Call[];
  readonly uses: readonly Use[];
  readonly functions: readonly FunctionFacts[];
  readonly classes: readonly ClassFacts[];
  /** Spans of the statements, innermost ones; compound statements: the header up to their body. */
  readonly statements: readonly Span[];
  readonly exports: readonly Export[];
  readonly directives: readonly Directive[];
  readonly problems: readonly ParseProblem[];
  /** Where a type checker was asked: what it knows of the receivers that nothing of the file tells. In order of `value`. */
  readonly types?: readonly TypedValue[];
}
