import type { ReachModule } from "./modules.ts";
import type { Entity, ReachReference } from "./record.ts";

/** What a tree answers about its modules. */
export interface ReachTree {
  /** As `Tree.resolve`. */
  resolve(from: string, specifier: string): { readonly path: string } | { readonly alias: string } | null | "missing";
  /** A module that was read; null where there is nothing to read; undefined where it was not asked for yet. */
  module(path: string): ReachModule | null | undefined;
}

/** Where a name leads in the end. */
export type End =
  /** Something of a module of the tree; `made`: what calling it gives. */
  | { readonly kind: "inside"; readonly path: string; readonly entity: Entity; readonly made: boolean }
  /** An API outside the tree; `through` are the modules that pass it on. */
  | { readonly kind: "outside"; readonly reference: ReachReference; readonly through: readonly string[] }
  /** A getter on the way, which runs. */
  | { readonly kind: "getter"; readonly path: string; readonly id: number };

/** The ends of a name; `wanted` are modules that must be read before they are known. */
export interface Ends {
  readonly ends: readonly End[];
  readonly wanted: readonly string[];
}

interface Step {
  readonly path: string;
  /** Null: the names are those of the module itself. */
  readonly entity: Entity | null;
  readonly names: readonly string[];
  readonly flags: Flags;
  readonly through: readonly string[];
  /** The entity is a member of what was named, so that a call on the way is no call of itself. */
  readonly isMember?: true;
}

type Flags = Pick<ReachReference, "instance" | "through">;

/** Methods of functions that call them, or give them back. */
const BORROWING = new Set(["call", "apply", "bind"]);

/** Re-exports, bases and attributes that are followed from one name. */
const MOST_STEPS = 400;
const MOST_HOPS = 24;

/** Follows names through exports, re-exports, stars, packages, classes with their bases, instances and tables. */
export class EndFinder {
  private readonly tree: ReachTree;

  constructor(tree: ReachTree) {
    this.tree = tree;
  }

  /** The ends of a reference written in a module, or of one of its own entities with a member. */
  of(path: string, entity: Entity, member: string | undefined): Ends {
    const names = member === undefined ? [] : [member];
    return new Walk(this.tree).run({ path, entity, names, flags: {}, through: [] });
  }

  /** The ends of a reference that is written in a module. */
  ofReference(path: string, reference: ReachReference): Ends {
    return new Walk(this.tree).runFrom(path, reference);
  }

  /** The module of the tree that a specifier names; null where it leaves the tree. */
  inside(from: string, specifier: string): string | null {
    const answer = this.tree.resolve(from, specifier);
    return answer !== null && answer !== "missing" && "path" in answer ? answer.path : null;
  }
}

class Walk {
  private readonly tree: ReachTree;
  private readonly ends: End[] = [];
  private readonly wanted = new Set<string>();
  private readonly seen = new Set<string>();
  private readonly pending: Step[] = [];

  constructor(tree: ReachTree) {
    this.tree = tree;
  }

  runFrom(path: string, reference: ReachReference): Ends {
    this.follow({ path, entity: null, names: [], flags: {}, through: [] }, reference);
    return this.finish();
  }

  run(first: Step): Ends {
    this.pending.push(first);
    return this.finish();
  }

  private finish(): Ends {
    for (let step = this.pending.pop(); step !== undefined && this.seen.size < MOST_STEPS; step = this.pending.pop()) {
      const key = JSON.stringify([step.path, step.entity, step.names]);
      if (this.seen.has(key) || step.through.length > MOST_HOPS) continue;
      this.seen.add(key);
      this.take(step);
    }
    return { ends: this.ends, wanted: [...this.wanted] };
  }

  private take(step: Step): void {
    const module = this.tree.module(step.path);
    if (module === undefined) { this.wanted.add(step.path); return; }
    if (module === null) return;
    const { entity } = step;
    if (entity === null) { this.inModule(step, module); return; }
    if (entity[0] === "reference") { this.follow(step, module.summary.references[entity[1]]!); return; }
    if (step.names.length === 0) {
      this.ends.push({ kind: "inside", path: step.path, entity, made: step.flags.instance === true && step.isMember !== true && entity[0] !== "instance" });
      return;
    }
    this.member(step, module, entity);
  }

  /** A reference placed in a module of the tree, with further names behind it. */
  private follow(step: Step, reference: ReachReference): void {
    const names = [...reference.path, ...step.names];
    const flags = joined(reference, step);
    if (reference.computed === true && step.names.length > 0) return;
    const answer = reference.module === "builtins" || reference.module === "globalThis" ? null : this.tree.resolve(step.path, reference.module);
    if (answer === "missing") return;
    if (answer === null || "alias" in answer) {
      const outside = { module: answer?.alias ?? reference.module, path: names, ...flags, ...(reference.computed === true ? { computed: true as const } : {}) };
      this.ends.push({ kind: "outside", reference: outside, through: step.through });
      return;
    }
    if (reference.computed === true) return;
    this.pending.push({ path: answer.path, entity: null, names, flags, through: [...step.through, answer.path] });
    this.submodule(step, reference.module, names, flags, answer.path);
  }

  /** `import pkg.sub`, `from pkg import sub`: a name that the package itself does not have may be a module below it. */
  private submodule(step: Step, specifier: string, names: readonly string[], flags: Flags, of: string): void {
    const [name, ...rest] = names;
    const package_ = this.tree.module(of);
    if (package_ === undefined) { this.wanted.add(of); return; }
    const here = this.tree.module(step.path);
    if (here?.summary.language !== "python" || name === undefined || rest.length === 0) return;
    if (package_?.exported(name)?.some((entity) => entity[0] !== "reference") === true) return;
    const below = specifier.endsWith(".") ? specifier + name : `${specifier}.${name}`;
    const answer = this.tree.resolve(step.path, below);
    if (answer === null || answer === "missing" || !("path" in answer) || answer.path === of) return;
    this.pending.push({ path: answer.path, entity: null, names: rest, flags, through: [...step.through, answer.path] });
    this.submodule(step, below, rest, flags, answer.path);
  }

  private inModule(step: Step, module: ReachModule): void {
    const [name, ...rest] = step.names;
    if (name === undefined) {
      // `import send = require("./send")`: the module is what it exports.
      this.each(step, module.exported("=") ?? [], []);
      return;
    }
    const exact = module.exported(name);
    if (exact !== undefined) { this.each(step, exact, rest); return; }
    const whole = module.exported("=");
    if (whole !== undefined) this.each(step, whole, name === "default" ? rest : step.names);
    // A default import of a CommonJS module is the module itself.
    else if (name === "default" && module.exportsAnything && module.summary.language === "ecmascript") this.push({ ...step, names: rest });
    if (name === "default") return;
    for (const specifier of module.summary.stars) this.follow({ ...step, names: [] }, { module: specifier, path: step.names });
  }

  private each(step: Step, entities: readonly Entity[], names: readonly string[]): void {
    for (const entity of entities) this.push({ ...step, entity, names });
  }

  private push(step: Step): void {
    this.pending.push(step);
  }

  private member(step: Step, module: ReachModule, [kind, id]: Entity): void {
    const [name, ...rest] = step.names;
    if (name === undefined) return;
    if (kind === "table") {
      const { values, spread } = module.entry(id, name);
      this.each({ ...step, isMember: true }, values, rest);
      this.each(step, spread, step.names);
      return;
    }
    const isBorrowed = kind === "function" && module.summary.language === "ecmascript" && BORROWING.has(name);
    if (isBorrowed) { this.push({ ...step, names: rest }); return; }
    // What a call gave: its members are those of what the function returns.
    if (kind === "function") { this.each(step, module.summary.functions[id]?.returns ?? [], step.names); return; }
    const own = module.member(id, name);
    if (own.length === 0) { this.each(step, module.summary.classes[id]?.bases ?? [], step.names); return; }
    for (const entity of own) {
      const isGetter = entity[0] === "function" && module.summary.functions[entity[1]]?.getter === true;
      if (isGetter) this.ends.push({ kind: "getter", path: step.path, id: entity[1] });
      if (!isGetter || rest.length > 0) this.push({ ...step, entity, names: rest, isMember: true });
    }
  }
}

/** How a reference was reached is told by the first of a chain; members of what was made stay so. */
function joined(reference: ReachReference, { flags }: Step): Flags {
  const through = flags.through ?? reference.through;
  return { ...(reference.instance === true || flags.instance === true ? { instance: true as const } : {}), ...(through === undefined ? {} : { through }) };
}
