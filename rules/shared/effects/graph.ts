import type { FunctionId, ModuleFacts, Reference } from "@agentgate/parsers";
import type { RuleContext, Tree } from "../../rule.ts";
import { keptWithFacts, onceFor } from "../indexes.ts";
import { EndFinder } from "../reach/ends.ts";
import type { End, ReachTree } from "../reach/ends.ts";
import { ReachModule } from "../reach/modules.ts";
import type { Entity } from "../reach/record.ts";
import { nameSummaryOf } from "../reach/summary.ts";
import { Resolver } from "../tree.ts";
import type { Effect } from "./effect.ts";
import { isAbstract } from "./abstract.ts";
import { linksOf } from "./links.ts";
import type { Link } from "./links.ts";
import { ownEffects } from "./own.ts";
import type { Asked, ReferenceEnds } from "./own.ts";
import type { Walked } from "./walk.ts";

/** An answer with what the tree could not tell yet when it was worked out. */
interface Kept<T> {
  readonly value: T;
  /** Modules without facts. */
  readonly paths: readonly string[];
  /** Names that no module seemed to define. */
  readonly names: readonly string[];
}

type Policy = Pick<RuleContext, "capabilities" | "tools">;

const summaryOf = onceFor(nameSummaryOf);

/**
 * Which function of a tree runs which, as far as it was asked for. Nothing in it holds facts: they are asked of the
 * tree, which may forget them. A tree that reads modules as they are asked for says null for one that it has not read;
 * an answer that met such a module is asked for again, so that whoever reuses it is seen to need that module too.
 */
export class CallGraph implements ReachTree {
  readonly tree: Tree;
  private readonly policy: Policy;
  private readonly resolver: Resolver;
  private readonly finder: EndFinder;
  private readonly modules = new Map<string, ReachModule>();
  private readonly owns = new Map<string, Kept<ReadonlyMap<FunctionId, readonly Effect[]>>>();
  private readonly ownLists = new Map<string, Kept<readonly Effect[]>>();
  private readonly references = new Map<string, Kept<readonly End[]>>();
  private readonly walks = new Map<string, Kept<Walked>>();
  private readonly links = new Map<string, Kept<readonly Link[]>>();
  private judged: { readonly path: string; readonly facts: ModuleFacts };
  /** What the answers being worked out lacked, the innermost last. */
  private readonly lacking: { readonly paths: Set<string>; readonly names: Set<string> }[] = [];

  constructor(path: string, facts: ModuleFacts, { tree, capabilities, tools }: Policy & { readonly tree: Tree }) {
    this.tree = tree;
    this.policy = { capabilities, tools };
    this.resolver = new Resolver({ tree });
    this.finder = new EndFinder(this);
    this.judged = { path, facts };
  }

  /** Says which module is asked about: its facts are at hand, be it in the tree or not. */
  at(path: string, facts: ModuleFacts): void {
    if (this.judged.facts !== facts) this.judged = { path, facts };
  }

  get asking(): Policy {
    return this.policy;
  }

  facts(path: string): ModuleFacts | null {
    if (path === this.judged.path) return this.judged.facts;
    const facts = this.tree.facts(path);
    if (facts === null) this.lacking.at(-1)?.paths.add(path);
    return facts;
  }

  resolve(from: string, specifier: string): ReturnType<Tree["resolve"]> {
    return this.tree.resolve(from, specifier);
  }

  module(path: string): ReachModule | null {
    const known = this.modules.get(path);
    if (known !== undefined) return known;
    const facts = this.facts(path);
    if (facts === null) return null;
    const module = new ReachModule(path, summaryOf(facts));
    this.modules.set(path, module);
    return module;
  }

  /** The modules that define a function or method of a name; null where there are too many to tell anything. */
  definersOf(name: string): readonly string[] | null {
    const paths = this.tree.definersOf(name);
    if (paths?.length === 0) this.lacking.at(-1)?.names.add(name);
    return paths;
  }

  /** Where an entity of a module, or a member of it, leads. */
  endsOf(path: string, entity: Entity, member?: string): readonly End[] {
    return this.finder.of(path, entity, member).ends;
  }

  /** Where a reference that is written in a module leads. */
  endsOfReference(path: string, written: Reference): readonly End[] {
    const reference = withoutQuotes(written);
    const destination = this.resolver.destination(path, reference.module);
    if (destination.kind === "missing") return [];
    if (destination.kind === "outside") return [{ kind: "outside", reference: { ...reference, module: destination.module }, through: [] }];
    const key = JSON.stringify([path, reference]);
    return this.kept(this.references, key, () => this.finder.ofReference(path, reference).ends);
  }

  /** The same as APIs, and whether it leads to something of the tree. */
  referenceEnds(path: string, reference: Reference): ReferenceEnds {
    const ends = this.endsOfReference(path, reference);
    return { outside: ends.flatMap((end) => (end.kind === "outside" ? [end.reference] : [])), inside: ends.some((end) => end.kind === "inside" && !this.isAbstract(end.path, end.entity)) };
  }

  /** Whether an entity is a method that only says what others do. */
  isAbstract(path: string, [kind, id]: Entity): boolean {
    const facts = kind === "function" ? this.facts(path) : null;
    return facts !== null && isAbstract(facts, id);
  }

  /** The effects of a module's own calls. */
  own(path: string): readonly Effect[] {
    return this.kept(this.ownLists, path, () => {
      const facts = this.facts(path);
      return facts === null ? [] : ownEffects(facts, this.askedFor(path));
    });
  }

  /** What the effects of a module's calls are asked of. */
  askedFor(path: string): Asked {
    return { ...this.policy, path, ends: (reference) => this.referenceEnds(path, reference) };
  }

  /** The effects of one function's own calls. */
  ownOf(path: string, id: FunctionId): readonly Effect[] {
    const byFunction = this.kept(this.owns, path, () => {
      const groups = new Map<FunctionId, Effect[]>();
      for (const effect of this.own(path)) groups.set(effect.function, [...(groups.get(effect.function) ?? []), effect]);
      return groups;
    });
    return byFunction.get(id) ?? [];
  }

  /** What a function runs. */
  linksOf(path: string, id: FunctionId): readonly Link[] {
    return this.kept(this.links, `${id}:${path}`, () => {
      const facts = this.facts(path);
      return facts === null ? [] : linksOf(this, path, facts, id);
    });
  }

  /** Keeps what a walk from a function found. */
  walked(path: string, id: FunctionId, walk: () => Walked): Walked {
    return this.kept(this.walks, `${id}:${path}`, walk);
  }

  /** Keeps an answer as long as what it lacked is still lacking. */
  kept<T>(answers: Map<string, Kept<T>>, key: string, work: () => T): T {
    const known = answers.get(key);
    if (known !== undefined && this.isCurrent(known)) return known.value;
    const lacking = { paths: new Set<string>(), names: new Set<string>() };
    this.lacking.push(lacking);
    try {
      const answer = { value: work(), paths: [...lacking.paths], names: [...lacking.names] };
      answers.set(key, answer);
      return answer.value;
    } finally {
      this.lacking.pop();
      this.note(lacking.paths, lacking.names);
    }
  }

  private isCurrent({ paths, names }: Kept<unknown>): boolean {
    if (paths.length === 0 && names.length === 0) return true;
    // All are asked for again, so that the tree learns that they are needed here too.
    const found = paths.filter((path) => this.tree.facts(path) !== null).length + names.filter((name) => this.tree.definersOf(name)?.length !== 0).length;
    if (found > 0) return false;
    this.note(paths, names);
    return true;
  }

  private note(paths: Iterable<string>, names: Iterable<string>): void {
    const around = this.lacking.at(-1);
    if (around === undefined) return;
    for (const path of paths) around.paths.add(path);
    for (const name of names) around.names.add(name);
  }
}

/** An annotation in quotes names a package without importing it: `db: "sqlalchemy.orm.Session"`. */
function withoutQuotes(reference: Reference): Reference {
  const [first, ...rest] = reference.path;
  if (reference.through !== "annotation" || reference.module !== "builtins" || first === undefined || rest.length === 0 || !/^[a-z]/.test(first)) return reference;
  return { ...reference, module: first, path: rest };
}

const graphs = new WeakMap<Tree, CallGraph>();
const ownGraphs = keptWithFacts<CallGraph>();

/** The graph of a tree; of a module that its tree does not hold, or holds by other facts, one of its own. */
export function graphFor(facts: ModuleFacts, context: RuleContext): CallGraph {
  const isSame = (graph: CallGraph | undefined): graph is CallGraph =>
    graph?.tree === context.tree && graph.asking.capabilities === context.capabilities && graph.asking.tools === context.tools;
  if (context.tree.facts(context.path) !== facts) {
    const known = ownGraphs.get(facts);
    if (isSame(known)) return known;
    const graph = new CallGraph(context.path, facts, context);
    ownGraphs.set(facts, graph);
    return graph;
  }
  const known = graphs.get(context.tree);
  if (isSame(known)) return known;
  const graph = new CallGraph(context.path, facts, context);
  graphs.set(context.tree, graph);
  return graph;
}
