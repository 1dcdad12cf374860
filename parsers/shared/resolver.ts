import type { BindingId, Call, CallId, ClassId, FunctionId, Import, ModuleFacts, Value, ValueId } from "../facts.ts";
import { shapesOfAttribute } from "./attributes.ts";
import { foldValue } from "./fold.ts";
import type { Folded } from "./fold.ts";
import { shapesOfBinding, shapesOfValue } from "./names.ts";
import { shapesOfResult } from "./results.ts";
import { NO_SHAPES, World } from "./shapes.ts";
import type { Local, Outside, Shape } from "./shapes.ts";
import { Question, Solver } from "./solver.ts";
import type { Ask } from "./solver.ts";
import { unionOf } from "./union.ts";
import { vocabularyOf } from "./vocabulary.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Folding steps in one file; past it nothing more folds. */
const MAX_FOLDING = 1_000_000;

/** Answers about one file's names, kept for as long as its facts are. */
export class Resolver {
  readonly facts: ModuleFacts;
  readonly vocabulary: Vocabulary;
  readonly world: World;
  readonly solver: Solver;
  readonly isPython: boolean;
  /** Modules whose every name is imported. */
  readonly stars: readonly string[];
  foldingLeft = MAX_FOLDING;
  private readonly shapes: (readonly Shape[] | undefined)[];
  private readonly folds: (readonly Folded[] | null | undefined)[];
  private readonly others = new Map<string, readonly Folded[] | null>();
  private readonly folding = new Set<ValueId>();
  private readonly bindings: (Question | undefined)[];
  private readonly results: (Question | undefined)[];
  private readonly attributes: (Map<string, Question> | undefined)[];
  private readonly unions = new Map<string, Question>();
  private readonly imports: (Outside | undefined)[];
  private readonly locals = new Map<string, Local>();
  private readonly tables = new Map<string, unknown>();

  constructor(facts: ModuleFacts) {
    this.facts = facts;
    this.vocabulary = vocabularyOf(facts);
    this.world = new World(this.vocabulary);
    this.solver = new Solver(this.world, () => { this.folding.clear(); });
    this.isPython = facts.language === "python";
    this.stars = this.isPython ? facts.imports.filter(isStar).map((entry) => entry.specifier) : [];
    this.shapes = new Array<undefined>(facts.values.length);
    this.folds = [];
    this.bindings = new Array<undefined>(facts.bindings.length);
    this.results = [];
    this.attributes = [];
    this.imports = [];
  }

  /** What a value can be, asked from outside. */
  settleShapes(id: ValueId): readonly Shape[] {
    const known = this.shapes[id];
    if (known !== undefined) return known;
    this.solver.settle(this.ask("shapes", id));
    return this.shapes[id] ?? NO_SHAPES;
  }

  /** What a value folds to, asked from outside. */
  settleFold(id: ValueId): readonly Folded[] | null {
    const known = this.folds[id];
    if (known !== undefined) return known;
    this.solver.settle(this.ask("fold", id));
    return this.folds[id] ?? null;
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
    const outer = this.solver.enter("shapes", id, this.ask);
    const shapes = shapesOfValue(this, id);
    if (this.solver.leave(outer)) this.shapes[id] = shapes;
    return shapes;
  }

  foldOf(id: ValueId): readonly Folded[] | null {
    const known = this.folds[id];
    if (known !== undefined) return known;
    // What is made from itself, in a loop or a recursion, is no constant.
    if (this.folding.has(id)) return null;
    const outer = this.solver.enter("fold", id, this.ask);
    this.folding.add(id);
    const folded = this.foldingLeft-- > 0 ? foldValue(this, id) : null;
    this.folding.delete(id);
    if (this.solver.leave(outer)) this.folds[id] = folded;
    return folded;
  }

  /** What something beside a value folds to, remembered. */
  rememberFold(key: string, fold: () => readonly Folded[] | null): readonly Folded[] | null {
    let folded = this.others.get(key);
    if (folded === undefined) this.others.set(key, (folded = fold()));
    return folded;
  }

  bindingShapes(id: BindingId): readonly Shape[] {
    const question = (this.bindings[id] ??= new Question(`binding ${id}`, () => shapesOfBinding(this, id)));
    return this.solver.answer(question);
  }

  /** What a call of a function of the file gives. */
  resultShapes(id: FunctionId): readonly Shape[] {
    const question = (this.results[id] ??= new Question(`result ${id}`, () => shapesOfResult(this, id)));
    return this.solver.answer(question);
  }

  attributeShapes(id: ClassId, name: string): readonly Shape[] {
    const attributes = (this.attributes[id] ??= new Map<string, Question>());
    let question = attributes.get(name);
    if (question === undefined) attributes.set(name, (question = new Question(`attribute ${id} ${name}`, () => shapesOfAttribute(this, id, name))));
    return this.solver.answer(question);
  }

  /** A union over a table that may have thousands of entries, built once. */
  unionOf(key: string, lists: () => readonly (readonly Shape[])[]): readonly Shape[] {
    let question = this.unions.get(key);
    if (question === undefined) this.unions.set(key, (question = new Question(key, () => unionOf(this.world, lists()))));
    return this.solver.answer(question);
  }

  /** The module that an import names. `import a.b` of Python, without another name, gives `a`. */
  imported(id: number): Outside {
    return (this.imports[id] ??= this.world.module(this.moduleOf(id)));
  }

  local(kind: Local["kind"], id: number): Local {
    const key = `${kind}${id}`;
    let local = this.locals.get(key);
    if (local === undefined) this.locals.set(key, (local = { kind, id }));
    return local;
  }

  /** Something built once for these facts. */
  once<T>(key: string, build: () => T): T {
    const known = this.tables.get(key);
    if (known !== undefined) return known as T;
    const built = build();
    this.tables.set(key, built);
    return built;
  }

  private readonly ask = (kind: string, id: number): Ask =>
    kind === "shapes"
      ? { key: `shapes ${id}`, run: () => { this.shapesOf(id); }, giveUp: () => { this.shapes[id] = NO_SHAPES; } }
      : { key: `fold ${id}`, run: () => { this.foldOf(id); }, giveUp: () => { this.folds[id] = null; } };

  private moduleOf(id: number): string {
    const { specifier, form, names, specifierSpan } = this.facts.imports[id]!;
    const [name] = names;
    const isWhole = form === "import" && this.isPython && name !== undefined && name.binding >= 0;
    if (!isWhole || name.span[0] >= specifierSpan[1]) return specifier;
    return specifier.slice(0, (specifier + ".").indexOf("."));
  }
}

function isStar({ form, names }: Import): boolean {
  return form === "from" && names.some((name) => name.binding < 0 && name.imported === "*");
}

const resolvers = new WeakMap<ModuleFacts, Resolver>();

export function resolverOf(facts: ModuleFacts): Resolver {
  let resolver = resolvers.get(facts);
  if (resolver === undefined) resolvers.set(facts, (resolver = new Resolver(facts)));
  return resolver;
}

/** As `resolverOf`, for facts that were still being built when they were last asked about. */
export function freshResolver(facts: ModuleFacts): Resolver {
  resolvers.delete(facts);
  return resolverOf(facts);
}
