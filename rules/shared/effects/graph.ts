import type { CallId, FunctionId, ModuleFacts, Reference } from "@agentgate/parsers";
import type { RuleContext, Tree } from "../../rule.ts";
import { callsWrittenIn, keptWithFacts, onceFor } from "../indexes.ts";
import { EndFinder } from "../reach/ends.ts";
import type { End, ReachTree } from "../reach/ends.ts";
import { ReachModule } from "../reach/modules.ts";
import type { Entity } from "../reach/record.ts";
import { nameSummaryOf } from "../reach/summary.ts";
import { Resolver } from "../tree.ts";
import type { Destination } from "../tree.ts";
import type { Effect } from "./effect.ts";
import { isAbstract } from "./abstract.ts";
import { closureOf } from "./closure.ts";
import type { Closed } from "./closure.ts";
import { linksOf } from "./links.ts";
import type { Link } from "./links.ts";
import { effectsOfOwnCall, inOrder } from "./own.ts";
import type { Asked, ReferenceEnds } from "./own.ts";
import type { Walked } from "./walk.ts";

/** Something that the tree could not tell yet. */
type Lack = { readonly facts: string } | { readonly definers: string };

/** An answer, with the first thing that was lacking when it was worked out. */
export interface Kept<T> {
  readonly value: T;
  readonly lack: Lack | null;
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
  private readonly ownByModule = new Map<string, Kept<readonly Effect[]>>();
  private readonly ownByFunction = new Map<string, Kept<readonly Effect[]>>();
  /** By path, then by call. */
  private readonly ownByCall = new Map<string, Map<CallId, Kept<readonly Effect[]>>>();
  private readonly references = new Map<string, Kept<readonly End[]>>();
  private readonly walks = new Map<string, Kept<Walked>>();
  private readonly links = new Map<string, Kept<readonly Link[]>>();
  private readonly closures = new Map<string, Kept<Closed>>();
  /** Of the module that was asked about last. */
  private destinations: { readonly path: string; readonly known: Map<string, Destination> } = { path: "", known: new Map() };
  private judged: { readonly path: string; readonly facts: ModuleFacts };
  private readonly imports = new Map<string, readonly string[]>();
  private readonly asked = new Map<string, Asked>();
  /** What the answers being worked out lack, the innermost last. */
  private readonly lacking: (Lack | null)[] = [];

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
    const before = this.unanswered();
    const facts = this.tree.facts(path);
    if (facts === null && this.unanswered() !== before) this.lacks({ facts: path });
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
    const before = this.unanswered();
    const paths = this.tree.definersOf(name);
    if (this.unanswered() !== before) this.lacks({ definers: name });
    return paths;
  }

  /** Where an entity of a module, or a member of it, leads. */
  endsOf(path: string, entity: Entity, member?: string): readonly End[] {
    return this.finder.of(path, entity, member).ends;
  }

  /** Where a reference that is written in a module leads. */
  endsOfReference(path: string, written: Reference): readonly End[] {
    const reference = withoutQuotes(written);
    const destination = this.destination(path, reference.module);
    if (destination.kind === "missing") return [];
    if (destination.kind === "outside") {
      const own = destination.module === reference.module ? reference : { ...reference, module: destination.module };
      return [{ kind: "outside", reference: own, through: [] }];
    }
    const key = JSON.stringify([path, reference]);
    return this.kept(this.references, key, () => this.finder.ofReference(path, reference).ends);
  }

  /** The modules of the tree that a module imports. */
  importedBy(path: string, facts: ModuleFacts): readonly string[] {
    let paths = this.imports.get(path);
    if (paths === undefined) {
      const found = facts.imports.map(({ specifier }) => this.destination(path, specifier));
      this.imports.set(path, (paths = [...new Set(found.flatMap((each) => (each.kind === "inside" && each.path !== path ? [each.path] : [])))]));
    }
    return paths;
  }

  private destination(path: string, module: string): Destination {
    if (this.destinations.path !== path) this.destinations = { path, known: new Map() };
    const { known } = this.destinations;
    let found = known.get(module);
    if (found === undefined) known.set(module, (found = this.resolver.destination(path, module)));
    return found;
  }

  /** The same as APIs, and whether it leads to something of the tree. */
  referenceEnds(path: string, reference: Reference): ReferenceEnds {
    const ends = this.endsOfReference(path, reference);
    const [only] = ends;
    if (ends.length === 1 && only?.kind === "outside") return { outside: [only.reference], inside: false };
    return { outside: ends.flatMap((end) => (end.kind === "outside" ? [end.reference] : [])), inside: ends.some((end) => end.kind === "inside" && !this.isAbstract(end.path, end.entity)) };
  }

  /** Whether an entity is a method that only says what others do. */
  isAbstract(path: string, [kind, id]: Entity): boolean {
    const facts = kind === "function" ? this.facts(path) : null;
    return facts !== null && isAbstract(facts, id);
  }

  /** The effects of a module's own calls. */
  own(path: string): readonly Effect[] {
    return this.kept(this.ownByModule, path, () => inOrder(this.facts(path)?.calls.flatMap((_, id) => this.ownOfCall(path, id)) ?? []));
  }

  /** The effects of one call of a module, by itself. Few calls of a module are asked about where no gate binds it. */
  ownOfCall(path: string, id: CallId): readonly Effect[] {
    let byCall: Map<CallId, Kept<readonly Effect[]>> | undefined = this.ownByCall.get(path);
    if (byCall === undefined) this.ownByCall.set(path, (byCall = new Map<CallId, Kept<readonly Effect[]>>()));
    return this.kept(byCall, id, () => {
      const facts = this.facts(path);
      return facts === null ? [] : effectsOfOwnCall(facts, id, this.askedFor(path));
    });
  }

  /** What the effects of a module's calls are asked of. */
  askedFor(path: string): Asked {
    let asked = this.asked.get(path);
    if (asked === undefined) this.asked.set(path, (asked = { ...this.policy, path, ends: (reference) => this.referenceEnds(path, reference) }));
    return asked;
  }

  /** The effects of one function's own calls. */
  ownOf(path: string, id: FunctionId): readonly Effect[] {
    return this.kept(this.ownByFunction, `${id}:${path}`, () => {
      const facts = this.facts(path);
      return facts === null ? [] : inOrder(callsWrittenIn(facts, id).flatMap((call) => this.ownOfCall(path, call)));
    });
  }

  /** What a function runs. */
  linksOf(path: string, id: FunctionId): readonly Link[] {
    return this.kept(this.links, `${id}:${path}`, () => {
      const facts = this.facts(path);
      return facts === null ? [] : linksOf(this, path, facts, id);
    });
  }

  /** What a function reaches over any number of calls, and whether it can come back to itself. */
  closure(path: string, id: FunctionId): Closed {
    return closureOf(this, this.closures, path, id);
  }

  /** Keeps what a walk from a function found. */
  walked(path: string, id: FunctionId, walk: () => Walked): Walked {
    return this.kept(this.walks, `${id}:${path}`, walk);
  }

  /**
   * Keeps an answer. One that lacked something is as good until that is there: it is asked for again, so that whoever
   * reuses the answer is seen to lack it too.
   */
  kept<K, T>(answers: Map<K, Kept<T>>, key: K, work: () => T): T {
    const known = answers.get(key);
    if (known !== undefined && (known.lack === null || this.isStillLacking(known.lack))) return known.value;
    this.lacking.push(null);
    let lack: Lack | null = null;
    try {
      const value = work();
      lack = this.lacking.at(-1) ?? null;
      answers.set(key, { value, lack });
      return value;
    } finally {
      this.lacking.pop();
      if (lack !== null) this.lacks(lack);
    }
  }

  private isStillLacking(lack: Lack): boolean {
    const before = this.unanswered();
    if ("facts" in lack) this.tree.facts(lack.facts);
    else this.tree.definersOf(lack.definers);
    if (this.unanswered() === before) return false;
    this.lacks(lack);
    return true;
  }

  /** Whether the answer that is being worked out lacks something. */
  isLacking(): boolean {
    return (this.lacking.at(-1) ?? null) !== null;
  }

  private lacks(lack: Lack): void {
    const last = this.lacking.length - 1;
    if (last >= 0) this.lacking[last] ??= lack;
  }

  private unanswered(): number {
    return this.tree.unanswered?.() ?? 0;
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
