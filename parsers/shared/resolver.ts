import type { BindingId, Call, CallId, ClassId, FunctionId, Import, ModuleFacts, Value, ValueId } from "../facts.ts";
import { shapesOfAttribute } from "./attributes.ts";
import { foldValue } from "./fold.ts";
import type { Folded } from "./folded.ts";
import { entriesOf, pairedIn } from "./items.ts";
import { entryOf } from "./members.ts";
import { mayBeUnset, shapesOfBinding, shapesOfName, shapesOfValue } from "./names.ts";
import { shapesOfResult } from "./results.ts";
import { World } from "./outside.ts";
import type { Outside } from "./outside.ts";
import { NO_SHAPES } from "./shapes.ts";
import type { Local, Shape } from "./shapes.ts";
import { Question, Solver, TooDeep } from "./solver.ts";
import type { Answerer, Ask } from "./solver.ts";
import { vocabularyOf } from "./vocabulary.ts";
import type { IndexedVocabulary } from "./vocabulary.ts";

/** Folding steps in one file; past it nothing more folds. */
const MAX_FOLDING = 200_000;

/** What is built at most once for a file. */
type Table = "methods" | "callers" | "spreads" | "loops" | "tables" | "mutations" | "unset" | "globals" | "occurrences";

/** Kinds of values that depend on no name. */
const PLAIN: ReadonlySet<Value["kind"]> = new Set([
  "string", "number", "constant", "function", "class", "list", "table", "imported", "template", "unary", "regex", "caught", "opaque", "comprehension", "self", "yield",
]);

/** Answers about one file's names, kept for as long as its facts are. */
export class Resolver implements Answerer {
  readonly facts: ModuleFacts;
  readonly vocabulary: IndexedVocabulary;
  readonly world: World;
  readonly isPython: boolean;
  /** Modules whose every name is imported. */
  readonly stars: readonly string[];
  foldingLeft = MAX_FOLDING;
  private readonly solver: Solver;
  private readonly shapes: (readonly Shape[] | undefined)[];
  private readonly types: ReadonlyMap<ValueId, readonly Shape[]> | null;
  private readonly folds: (readonly Folded[] | null | undefined)[] = [];
  private readonly otherFolds = new Map<string, readonly Folded[] | null>();
  private readonly folding = new Set<ValueId>();
  private readonly bindings: (Question | undefined)[];
  private readonly results: (Question | undefined)[] = [];
  private readonly attributes: (Map<string, Question> | undefined)[] = [];
  private readonly entries: (Map<string, Question> | undefined)[] = [];
  private readonly imports: (Outside | undefined)[] = [];
  private readonly locals = new Map<Local["kind"], (Local | undefined)[]>();
  private readonly tables: Partial<Record<Table, unknown>> = {
    methods: undefined, callers: undefined, spreads: undefined, loops: undefined, tables: undefined, mutations: undefined,
    unset: undefined, globals: undefined, occurrences: undefined,
  };

  constructor(facts: ModuleFacts) {
    this.facts = facts;
    this.vocabulary = vocabularyOf(facts);
    this.world = new World(this.vocabulary);
    this.solver = new Solver(this);
    this.isPython = facts.language === "python";
    this.stars = this.isPython ? facts.imports.filter(isStar).map((entry) => entry.specifier) : [];
    this.shapes = new Array<undefined>(facts.values.length);
    this.types = facts.types === undefined ? null : new Map(facts.types.flatMap(({ value, reference }) => (reference === null ? [] : [[value, [this.world.at(reference)]]])));
    this.bindings = new Array<undefined>(facts.bindings.length);
  }

  /** What a value can be, asked from outside. */
  settleShapes(id: ValueId): readonly Shape[] {
    try {
      return this.shapesOf(id);
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      this.solver.settle({ kind: "shapes", id }, error);
      return this.attemptShapes(id);
    }
  }

  /** As `settleShapes`, for a name or member: most begin with a name that is nothing, and then are nothing. */
  chainShapes(id: ValueId): readonly Shape[] {
    const { values } = this.facts;
    let first = values[id]!;
    while (first.kind === "member") first = values[first.object]!;
    if (this.types === null && first.kind === "name" && first.binding >= 0) {
      const known = this.bindings[first.binding]?.result;
      if (known?.length === 0 && !mayBeUnset(this, first.binding)) return NO_SHAPES;
    }
    return this.settleShapes(id);
  }

  /** What a value folds to, asked from outside. */
  settleFold(id: ValueId): readonly Folded[] | null {
    try {
      return this.foldOf(id);
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      this.solver.settle({ kind: "fold", id }, error);
      return this.folds[id] ?? null;
    }
  }

  value(id: ValueId): Value {
    return this.facts.values[id]!;
  }

  call(id: CallId): Call {
    return this.facts.calls[id]!;
  }

  shapesOf(id: ValueId): readonly Shape[] {
    const known = this.shapes[id];
    if (known !== undefined) return known;
    // The name's binding remembers.
    const value = this.facts.values[id]!;
    const typed = this.types?.get(id);
    if (typed !== undefined) return typed;
    if (value.kind === "name") return shapesOfName(this, value);
    const outer = this.solver.enter("shapes", id);
    const shapes = shapesOfValue(this, id);
    if (this.solver.leave(outer)) this.shapes[id] = shapes;
    return shapes;
  }

  foldOf(id: ValueId): readonly Folded[] | null {
    const known = this.folds[id];
    if (known !== undefined) return known;
    // What is made from itself, in a loop or a recursion, is no constant.
    if (this.folding.has(id)) return null;
    const outer = this.solver.enter("fold", id);
    this.folding.add(id);
    const folded = this.foldingLeft-- > 0 ? foldValue(this, id) : null;
    this.folding.delete(id);
    if (this.solver.leave(outer)) this.folds[id] = folded;
    return folded;
  }

  /** What something beside a value folds to, remembered. */
  rememberFold(key: string, fold: () => readonly Folded[] | null): readonly Folded[] | null {
    let folded = this.otherFolds.get(key);
    if (folded === undefined) this.otherFolds.set(key, (folded = fold()));
    return folded;
  }

  bindingShapes(id: BindingId): readonly Shape[] {
    const question = this.bindings[id];
    if (question !== undefined) return this.solver.answer(question);
    const { values, annotation } = this.facts.bindings[id]!;
    // Most names are given one thing that depends on no other.
    const [only] = values;
    if (values.length === 1 && annotation === undefined && PLAIN.has(this.facts.values[only!]!.kind)) return this.shapesOf(only!);
    return this.solver.answer((this.bindings[id] = new Question("binding", id)));
  }

  /** What a call of a function of the file gives. */
  resultShapes(id: FunctionId): readonly Shape[] {
    return this.solver.answer((this.results[id] ??= new Question("result", id)));
  }

  attributeShapes(id: ClassId, name: string): readonly Shape[] {
    return this.solver.answer(questionIn(this.attributes, "attribute", id, name));
  }

  /** A union over a literal that may have thousands of entries: any entry, or any value of its pairs. */
  allShapes(kind: "entries" | "paired", id: ValueId): readonly Shape[] {
    return this.solver.answer(questionIn(this.entries, kind, id, kind));
  }

  /** What a table has under a key. */
  entryShapes(id: ValueId, name: string): readonly Shape[] {
    // A blank keeps the keys of the source apart from the two above.
    return this.solver.answer(questionIn(this.entries, "entry", id, ` ${name}`));
  }

  /** The module that an import names. `import a.b` of Python, without another name, gives `a`. */
  imported(id: number): Outside {
    return (this.imports[id] ??= this.world.module(this.moduleOf(id)));
  }

  local(kind: Local["kind"], id: number): Local {
    let known = this.locals.get(kind);
    if (known === undefined) this.locals.set(kind, (known = []));
    return (known[id] ??= { kind, id });
  }

  /** Something built once for these facts. */
  once<T>(key: Table, build: () => T): T {
    const known = this.tables[key];
    if (known !== undefined) return known as T;
    const built = build();
    this.tables[key] = built;
    return built;
  }

  answer({ kind, id, name }: Question): readonly Shape[] {
    switch (kind) {
      case "binding": return shapesOfBinding(this, id);
      case "result": return shapesOfResult(this, id);
      case "attribute": return shapesOfAttribute(this, id, name);
      case "entries": return entriesOf(this, id);
      case "paired": return pairedIn(this, id);
      case "entry": return entryOf(this, id, name.slice(1));
    }
  }

  run(ask: Ask): void {
    if (ask instanceof Question) this.solver.answer(ask);
    else if (ask.kind === "shapes") this.shapesOf(ask.id);
    else this.foldOf(ask.id);
  }

  giveUp(ask: Ask): void {
    if (ask instanceof Question) ask.result = NO_SHAPES;
    else if (ask.kind === "shapes") this.shapes[ask.id] = NO_SHAPES;
    else this.folds[ask.id] = null;
  }

  reset(): void {
    this.folding.clear();
  }

  /** The answer once what it needed is settled. */
  private attemptShapes(id: ValueId): readonly Shape[] {
    return this.shapes[id] ?? this.shapesOf(id);
  }

  private moduleOf(id: number): string {
    const { specifier, form, names, specifierSpan } = this.facts.imports[id]!;
    const [name] = names;
    const isWhole = form === "import" && this.isPython && name !== undefined && name.binding >= 0;
    if (!isWhole || name.span[0] >= specifierSpan[1]) return specifier;
    return specifier.slice(0, (specifier + ".").indexOf("."));
  }
}

function questionIn(known: (Map<string, Question> | undefined)[], kind: Question["kind"], id: number, name: string): Question {
  const byName = (known[id] ??= new Map<string, Question>());
  let question = byName.get(name);
  if (question === undefined) byName.set(name, (question = new Question(kind, id, name)));
  return question;
}

function isStar({ form, names }: Import): boolean {
  return form === "from" && names.some((name) => name.binding < 0 && name.imported === "*");
}

/**
 * Where facts keep their resolver: a hidden property, which no copy, comparison or JSON sees. A weak map from facts
 * would keep all of them until the next full collection, which doubled the cost of linking.
 */
const RESOLVER = Symbol("resolver");

/** For facts that cannot be extended. */
const resolvers = new WeakMap<ModuleFacts, Resolver>();

export function resolverOf(facts: ModuleFacts): Resolver {
  return (facts as { [RESOLVER]?: Resolver })[RESOLVER] ?? resolvers.get(facts) ?? freshResolver(facts);
}

/** As `resolverOf`, for facts that were still being built when they were last asked about. */
export function freshResolver(facts: ModuleFacts): Resolver {
  const resolver = new Resolver(facts);
  if (Object.isExtensible(facts)) Object.defineProperty(facts, RESOLVER, { value: resolver, configurable: true });
  else resolvers.set(facts, resolver);
  return resolver;
}
