import type { Span } from "@agentgate/parsers";
import type { Capability, Related } from "@agentgate/rules";
import { Spread } from "@agentgate/rules/reach";
import type { Link, ReachEdge, ReachModule } from "@agentgate/rules/reach";
import { comparePaths, folderOf, joinTree } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { addedIn, derivedBy } from "./added.ts";
import type { Added, AddedPlace } from "./added.ts";
import { hopsOf } from "./hops.ts";
import type { ReachSide } from "./side.ts";
import { SideGraph } from "./side.ts";

export type { ReachSide } from "./side.ts";

export interface ReachInput {
  /** The changed modules with their paths at the base; null where they are new. */
  readonly modules: readonly { readonly path: TreePath; readonly basePath: TreePath | null }[];
  readonly head: ReachSide;
  /** Null where there is no base. */
  readonly base: ReachSide | null;
  /** Whether something at head stands on an added line. */
  isAdded(path: TreePath, span: Span): boolean;
  /** The capabilities that a module has by itself on a side; `path` is its path there. */
  own(path: TreePath, side: "base" | "head"): ReadonlySet<Capability>;
}

/** A capability that a changed module newly reaches through another module of the tree. */
export interface ReachGain extends AddedPlace {
  readonly path: TreePath;
  readonly capability: Capability;
  /** The API at the end, as shown to people. */
  readonly api: string;
  /** The way from the added call to the API: where each function goes on, the last one with the API. */
  readonly related: readonly (Related & { readonly path: TreePath })[];
  /** The modules on the way, each once, the first one first. */
  readonly through: readonly TreePath[];
  /** Further added places of the module that reach the capability. */
  readonly more: readonly AddedPlace[];
}

/** An added place with where it leads. */
interface Start extends Added {
  readonly node: number;
}

interface Found {
  readonly place: AddedPlace;
  readonly link: Link;
  /** Links from there to the API. */
  readonly length: number;
  /** It loads a module, and calls nothing of it. */
  readonly isImport: boolean;
}

/** What a module had and reached at the base. */
interface Before {
  readonly capabilities: ReadonlySet<Capability>;
  /** What loading the packages around it reached. */
  readonly around: ReadonlySet<Capability>;
}

/**
 * The capabilities that changed modules gain through calls and imports which the change added, sorted by path, place
 * and capability: reached at head, not had by the module itself there, and neither reached nor had at the base.
 * Reads downward from the changed modules only, level by level; linear in what is read.
 */
export async function reachGains(input: ReachInput): Promise<readonly ReachGain[]> {
  const head = new SideGraph(input.head);
  const base = input.base === null ? null : new SideGraph(input.base);
  await head.load(input.modules.map(({ path }) => path));
  await base?.load(input.modules.flatMap(({ path, basePath }) => (basePath !== null && derives(head, path) ? [basePath] : [])));
  const starts = new Map(input.modules.map(({ path, basePath }) => [path, startsIn(head, path, basePath === null ? null : base?.module(basePath) ?? null, input)]));
  await head.finish();
  const spread = new Spread(head.graph, (path, capability) => head.covers(path, capability));
  const candidates = input.modules.flatMap((module) => {
    const found = foundIn(head, spread, module.path, starts.get(module.path) ?? []);
    const own = found.size === 0 ? new Set<Capability>() : input.own(module.path, "head");
    for (const capability of [...found.keys()]) if (own.has(capability)) found.delete(capability);
    return found.size === 0 ? [] : [{ ...module, found }];
  });
  const before = base === null ? new Map<TreePath, Before>() : await reachedBefore(base, head, candidates, input);
  return candidates
    .flatMap(({ path, found }) => [...found].flatMap(([capability, all]) => {
      const places = gained(capability, all, before.get(path));
      return places.length === 0 ? [] : [gainOf(head, spread, path, capability, places)];
    }))
    .sort((one, other) => comparePaths(one.path, other.path) || one.span[0] - other.span[0] || comparePaths(one.capability, other.capability));
}

function derives(side: SideGraph, path: TreePath): boolean {
  return side.module(path)?.summary.classes.some(({ bases }) => bases.length > 0) === true;
}

function startsIn(head: SideGraph, path: TreePath, before: ReachModule | null, input: ReachInput): Start[] {
  const module = head.module(path);
  if (module === null) return [];
  return addedIn(module, before, (span) => input.isAdded(path, span)).map((added) => ({
    ...added, node: head.graph.start(path, added.edge === null ? [] : [added.edge], added.entry === null ? [] : [added.entry]),
  }));
}

/** The links of a node that leave its module; the construction of a class of the module is looked through. */
function leaving({ graph }: SideGraph, node: number): Link[] {
  const { path } = graph.nodes[node]!;
  const links: Link[] = [];
  const seen = new Set([node]);
  const pending = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const link of graph.links[next]!) {
      const target = graph.nodes[link.to]!;
      if (target.path !== path) links.push(link);
      else if ((target.kind === "class" || target.kind === "whole") && !seen.has(link.to)) {
        seen.add(link.to);
        pending.push(link.to);
      }
    }
  }
  return links;
}

/** The added places by the capability that they reach, the shortest way first, then in source order. */
function foundIn(head: SideGraph, spread: Spread, path: TreePath, starts: readonly Start[]): Map<Capability, Found[]> {
  const found = new Map<Capability, Found[]>();
  for (const { node, span, statement, entry } of starts) {
    const reached = spread.of(node);
    const links = reached.length === 0 ? [] : leaving(head, node);
    for (const capability of reached) {
      for (const link of links) {
        const length = spread.distance(link.to, capability);
        if (length === Infinity) continue;
        const each = { place: { span, statement }, link, length, isImport: entry !== null };
        const places = found.get(capability);
        if (places === undefined) found.set(capability, [each]);
        else places.push(each);
      }
    }
  }
  for (const places of found.values()) places.sort((one, other) => one.length - other.length || one.place.span[0] - other.place.span[0]);
  return found;
}

/** The places that bring a capability anew: whoever loads a module has loaded the packages around it first. */
function gained(capability: Capability, places: readonly Found[], before: Before | undefined): readonly Found[] {
  if (before?.capabilities.has(capability) === true) return [];
  return before?.around.has(capability) === true ? places.filter(({ isImport }) => !isImport) : places;
}

/** A module that may have gained something, with the places that bring it. */
type Candidate = ReachInput["modules"][number] & { readonly found: ReadonlyMap<Capability, readonly Found[]> };

/** What the modules had and reached at the base, by their path at head. */
async function reachedBefore(side: SideGraph, head: SideGraph, modules: readonly Candidate[], input: ReachInput): Promise<Map<TreePath, Before>> {
  const asked = modules.map(({ path, basePath, found }) => {
    const isImporting = [...found.values()].some((places) => places.some(({ isImport }) => isImport));
    return { path, basePath, around: isImporting && head.module(path)?.summary.language === "python" ? packagesAround(basePath ?? path) : [] };
  });
  await side.load(asked.flatMap(({ basePath, around }) => [...(basePath === null ? [] : [basePath]), ...around]));
  const starts = asked.map(({ path, basePath, around }) => ({
    path, basePath, node: basePath === null ? null : startOfAll(side, basePath, head.module(path)),
    around: around.filter((package_) => side.module(package_) !== null).map((package_) => side.graph.node(package_, "function", 0)),
  }));
  await side.finish();
  const spread = new Spread(side.graph, (path, capability) => side.covers(path, capability));
  return new Map(starts.map(({ path, basePath, node, around }) => {
    const reached = node === null ? [] : leaving(side, node).flatMap((link) => spread.of(link.to));
    const own = basePath === null ? [] : input.own(basePath, "base");
    return [path, { capabilities: new Set([...reached, ...own]), around: new Set(around.flatMap((package_) => spread.of(package_))) }];
  }));
}

/** The `__init__.py` of the folders around a module, which Python runs before it; some may not exist. */
function packagesAround(path: TreePath): TreePath[] {
  const found: TreePath[] = [];
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) found.push(joinTree(folder, "__init__.py"));
  return found.filter((package_) => package_ !== path);
}

/** Everything that a module calls and imports; what a class derives from counts where head may ask about the class. */
function startOfAll(side: SideGraph, path: TreePath, after: ReachModule | null): number {
  const module = side.module(path);
  const asked = new Set(after?.summary.classes.map(({ name }) => name));
  const isRun = (edge: ReachEdge, id: number): boolean => {
    if (edge.how === "derive") return derivedBy(module!, edge).some((name) => asked.has(name));
    return edge.how !== "value" || id !== 0;
  };
  const edges = module?.summary.functions.flatMap((each, id) => each.edges.filter((edge) => isRun(edge, id))) ?? [];
  return side.graph.start(path, edges, module?.summary.imports ?? []);
}

function gainOf(head: SideGraph, spread: Spread, path: TreePath, capability: Capability, places: readonly Found[]): ReachGain {
  const [first, ...others] = places;
  const way = spread.way(first!.link.to, capability);
  const { api, related } = hopsOf(head, way);
  const seen = new Set([first!.place.span[0]]);
  const more = others.map(({ place }) => place).filter(({ span }) => !seen.has(span[0]) && seen.add(span[0])).sort((one, other) => one.span[0] - other.span[0]);
  return { path, capability, api, ...first!.place, related, through: [...new Set(related.map((hop) => hop.path))], more };
}
