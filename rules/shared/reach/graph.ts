import type { Span } from "@agentgate/parsers";
import { isPythonLibrary } from "../../standard.ts";
import { importedApi, mayBeFunction, reachedApi } from "./apis.ts";
import type { ReachedApi, ReachPolicy } from "./apis.ts";
import { EndFinder } from "./ends.ts";
import type { End, ReachTree } from "./ends.ts";
import { importedModules } from "./imports.ts";
import type { ReachModule } from "./modules.ts";
import type { Entity, ReachEdge, ReachImport } from "./record.ts";

/**
 * Something that runs: a function (`function`, 0 is the body of the module), what a call of it gave (`made`: the
 * functions that it returns; `given`: the same, without what those give in turn), the construction of a class (`class`), or everything that a class has (`whole`).
 * Where edges were only asked about, `id` is -1.
 */
export interface ReachNode {
  readonly path: string;
  readonly kind: "function" | "made" | "given" | "class" | "whole";
  readonly id: number;
}

/** A node that another one may run, and where. */
export interface Link {
  readonly to: number;
  readonly span: Span;
}

/** An API that a node has by itself. */
export interface ApiLink extends ReachedApi {
  readonly span: Span;
  /** Modules of the tree that pass it on. */
  readonly through: readonly string[];
}

type Work = { readonly node: number; readonly edge: ReachEdge } | { readonly node: number; readonly entry: ReachImport };

/**
 * What may run what, as far as it was asked for: starts at `add` and goes downward. Each edge of each function is
 * worked off once, when the modules that decide where it leads are there.
 */
export class ReachGraph {
  readonly nodes: ReachNode[] = [];
  readonly links: Link[][] = [];
  readonly apis: ApiLink[][] = [];
  /** Edges looked at, for tests of how much is done. */
  steps = 0;
  private readonly tree: ReachTree;
  private readonly finder: EndFinder;
  private readonly policy: ReachPolicy;
  private readonly numbers = new Map<string, number>();
  private readonly ends = new Map<string, readonly End[]>();
  private unopened: number[] = [];
  private work: Work[] = [];
  private wanted = new Set<string>();

  constructor(tree: ReachTree, policy: ReachPolicy) {
    this.tree = tree;
    this.finder = new EndFinder(tree);
    this.policy = policy;
  }

  /** The number of a node; a new one will be followed. */
  node(path: string, kind: ReachNode["kind"], id: number): number {
    const key = `${kind}:${id}:${path}`;
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.nodes.push({ path, kind, id }) - 1;
      this.links.push([]);
      this.apis.push([]);
      this.numbers.set(key, number);
      this.unopened.push(number);
    }
    return number;
  }

  /** A node of its own with only these edges, to ask where they lead. */
  start(path: string, edges: readonly ReachEdge[], imports: readonly ReachImport[]): number {
    const number = this.nodes.push({ path, kind: "function", id: -1 }) - 1;
    this.links.push([]);
    this.apis.push([]);
    for (const edge of edges) this.work.push({ node: number, edge });
    for (const entry of imports) this.work.push({ node: number, entry });
    return number;
  }

  /** Goes on as far as modules are there; returns those that must be read before it can go on, none when it is done. */
  follow(): readonly string[] {
    this.wanted = new Set();
    const { work, unopened } = this;
    [this.work, this.unopened] = [[], []];
    const unread: number[] = [];
    for (const each of work) this.take(each);
    // What is opened may bring further nodes.
    for (const number of unopened) this.unopened.push(number);
    for (let number = this.unopened.pop(); number !== undefined; number = this.unopened.pop()) {
      if (!this.open(number)) unread.push(number);
    }
    this.unopened = unread;
    return [...this.wanted];
  }

  /** Looks at everything that a node may run; false where its module is not there yet. */
  private open(number: number): boolean {
    const { path, kind, id } = this.nodes[number]!;
    const module = this.tree.module(path);
    if (module === undefined) this.wanted.add(path);
    if (module === undefined || module === null) return module === null;
    if (kind === "class") this.openClass(number, module, id);
    else if (kind === "whole") this.openWhole(number, module, id);
    else {
      const subject = module.summary.functions[id];
      // What is given back was made by calls of its own; a function among it may be called.
      const how = kind === "made" ? "call" : "decorate";
      if (kind !== "function") for (const to of subject?.returns ?? []) this.take({ node: number, edge: { to, how, span: subject!.span, statement: -1 } });
      else for (const edge of subject?.edges ?? []) if (edge.how !== "derive") this.take({ node: number, edge });
      if (kind === "function") for (const entry of module.importsOf(id)) this.take({ node: number, entry });
    }
    return true;
  }

  /** A class without a constructor of its own is constructed by those of its bases. */
  private openClass(number: number, module: ReachModule, id: number): void {
    const subject = module.summary.classes[id];
    if (subject === undefined) return;
    const edge = { how: "call" as const, span: module.summary.functions[0]!.span, statement: -1 };
    const own = CONSTRUCTORS[module.summary.language].flatMap((name) => module.member(id, name)).filter(([kind]) => kind === "function");
    const initializers = subject.initializers.map((each): Entity => ["function", each]);
    for (const to of [...own, ...initializers, ...(own.length > 0 ? [] : subject.bases)]) this.take({ node: number, edge: { ...edge, to } });
  }

  /** Deriving from a class gives all that it has. */
  private openWhole(number: number, module: ReachModule, id: number): void {
    const subject = module.summary.classes[id];
    if (subject === undefined) return;
    const edge = { span: module.summary.functions[0]!.span, statement: -1 };
    const own = subject.methods.flatMap(([, ids]) => ids).concat(subject.initializers);
    for (const each of own) this.take({ node: number, edge: { ...edge, to: ["function", each], how: "call" } });
    for (const to of subject.bases) this.take({ node: number, edge: { ...edge, to, how: "derive" } });
  }

  private take(work: Work): void {
    this.steps++;
    const isSettled = "edge" in work ? this.takeEdge(work.node, work.edge) : this.takeImport(work.node, work.entry);
    if (!isSettled) this.work.push(work);
  }

  private takeEdge(number: number, edge: ReachEdge): boolean {
    const { path, kind, id } = this.nodes[number]!;
    if (kind === "function" && id === 0 && this.isIdle(path, edge)) return true;
    const ends = this.endsOf(path, edge.to, edge.member);
    return ends?.every((end) => this.takeEnd(number, edge, end)) ?? false;
  }

  /**
   * What an import of a module does not run: what its body only names, what runs when it is started as a program, and
   * what it hands to a package (`Field(default_factory=f)`, `app.get("/", f)`), which keeps it for later.
   */
  private isIdle(path: string, { how, main, taker }: ReachEdge): boolean {
    if (how === "value" || main === true) return true;
    const summary = how === "pass" && taker !== undefined ? this.tree.module(path)?.summary : undefined;
    const module = summary?.references[taker!]?.module;
    if (summary === undefined || module === undefined || module === "builtins" || module === "globalThis") return false;
    return !isLibrary(summary.language, module) && this.finder.inside(path, module) === null;
  }

  /** Where a name leads; null where modules must be read first. */
  private endsOf(path: string, entity: Entity, member: string | undefined): readonly End[] | null {
    const key = `${entity[0]}:${entity[1]}:${member ?? ""}:${path}`;
    const known = this.ends.get(key);
    if (known !== undefined) return known;
    const { ends, wanted } = this.finder.of(path, entity, member);
    for (const each of wanted) this.wanted.add(each);
    if (wanted.length > 0) return null;
    this.ends.set(key, ends);
    return ends;
  }

  private takeEnd(number: number, edge: ReachEdge, end: End): boolean {
    if (end.kind === "getter") this.link(number, this.node(end.path, "function", end.id), edge.span);
    else if (end.kind === "inside") return this.takeInside(number, edge, end);
    else if (!this.isGiven(number) || (end.reference.instance !== true && mayBeFunction(end.reference))) {
      const summary = this.tree.module(this.nodes[number]!.path)?.summary;
      const api = summary === undefined ? null : reachedApi(summary, edge, end.reference, this.policy);
      if (api !== null) this.apis[number]!.push({ ...api, span: edge.span, through: end.through });
    }
    return true;
  }

  private isGiven(number: number): boolean {
    const { kind } = this.nodes[number]!;
    return kind === "made" || kind === "given";
  }

  private takeInside(number: number, edge: ReachEdge, end: Extract<End, { kind: "inside" }>): boolean {
    const [kind, id] = end.entity;
    const { how, span } = edge;
    // Of what a call gives, functions alone are there to be called.
    if (kind !== "function" && this.isGiven(number)) return true;
    // What is only taken as a value runs where that is called, and is found there.
    if (how === "write" || how === "value" || kind === "table" || kind === "reference") return true;
    if (kind === "function") {
      if (!end.made && how !== "decorated") this.link(number, this.node(end.path, "function", id), span);
      if (end.made || how !== "decorate") this.link(number, this.node(end.path, how === "decorate" ? "given" : "made", id), span);
      return true;
    }
    if (kind === "class" && !end.made) {
      if (how === "derive") this.link(number, this.node(end.path, "whole", id), span);
      // A class that is only named, handed on, or returned by a decorator, is not constructed.
      else if (how === "call" || how === "decorate") this.link(number, this.node(end.path, "class", id), span);
      return true;
    }
    if (how !== "call" && how !== "decorate") return true;
    const called = this.endsOf(end.path, [kind, id], "__call__");
    if (called === null) return false;
    for (const each of called) {
      if (each.kind === "inside" && each.entity[0] === "function") this.link(number, this.node(each.path, "function", each.entity[1]), span);
    }
    return true;
  }

  private takeImport(number: number, entry: ReachImport): boolean {
    const { path } = this.nodes[number]!;
    const module = this.tree.module(path);
    if (module === null || module === undefined) return true;
    const { modules, outside, wanted } = importedModules(this.tree, module, entry);
    for (const each of wanted) this.wanted.add(each);
    if (wanted.length > 0) return false;
    for (const each of modules) this.link(number, this.node(each.path, "function", 0), each.span);
    const api = outside === null || entry.bare !== true ? null : importedApi(module.summary, outside, this.policy);
    if (api !== null) this.apis[number]!.push({ ...api, span: entry.span, through: [] });
    return true;
  }

  private link(from: number, to: number, span: Span): void {
    if (from !== to) this.links[from]!.push({ to, span });
  }
}

const CONSTRUCTORS = { python: ["__init__", "__new__", "__post_init__"], ecmascript: ["constructor"] };

/** Whether a module comes with the language, and so runs what it is given rather than keep it. */
function isLibrary(language: "python" | "ecmascript", module: string): boolean {
  if (language === "ecmascript") return /^(?:node:|timers|process$|worker_threads$)/.test(module);
  return module !== "dataclasses" && isPythonLibrary(module.slice(0, (module + ".").indexOf(".")));
}
