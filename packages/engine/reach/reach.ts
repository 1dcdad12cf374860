import type { Span } from "@agentgate/parsers";
import type { Capability, Related } from "@agentgate/rules";
import { Spread } from "@agentgate/rules/reach";
import type { Link, ReachModule } from "@agentgate/rules/reach";
import { comparePaths } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { addedIn } from "./added.ts";
import type { Added, AddedPlace } from "./added.ts";
import { stateBefore } from "./before.ts";
import type { Before } from "./before.ts";
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
  const before = base === null ? new Map<TreePath, Before>() : await stateBefore(base, head, candidates.map((each) => ({ ...each, loads: loadsModules(head, spread, each.found) })), input);
  const beside = new SpreadsBeside(head, spread);
  return candidates
    .flatMap(({ path, found }) => [...found].flatMap(([capability, all]) => gained(head, beside, path, capability, all, before.get(path))))
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

/** The added places by the capability that they reach, the shortest way first, then in source order. */
function foundIn(head: SideGraph, spread: Spread, path: TreePath, starts: readonly Start[]): Map<Capability, Found[]> {
  const found = new Map<Capability, Found[]>();
  for (const { node, span, statement, entry } of starts) {
    const reached = spread.of(node);
    const links = reached.length === 0 ? [] : head.leaving(node);
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
  for (const places of found.values()) places.sort(nearestFirst);
  return found;
}

/** Whether one of the ways runs the body of a module, so that it matters what was loaded before. */
function loadsModules(head: SideGraph, spread: Spread, found: ReadonlyMap<Capability, readonly Found[]>): boolean {
  return [...found].some(([capability, places]) => places.some(({ link, isImport }) => isImport || spread.way(link.to, capability).some((hop) => head.isBody(hop.node))));
}

/**
 * The gain of one capability; none where the module had or reached it. What was loaded before runs no second time:
 * ways through the bodies of such modules are none, and what these do anew is their own gain.
 */
function gained(head: SideGraph, beside: SpreadsBeside, path: TreePath, capability: Capability, all: readonly Found[], before: Before | undefined): ReachGain[] {
  if (before?.capabilities.has(capability) === true) return [];
  const spread = beside.of(before?.loaded ?? NONE);
  const places = all.filter(({ isImport }) => !isImport || before?.around.has(capability) !== true)
    .map((place) => ({ ...place, length: spread.distance(place.link.to, capability) })).filter(({ length }) => length < Infinity);
  return places.length === 0 ? [] : [gainOf(head, spread, path, capability, places.sort(nearestFirst))];
}

const NONE: ReadonlySet<TreePath> = new Set();

function nearestFirst(one: Found, other: Found): number {
  return one.length - other.length || one.place.span[0] - other.place.span[0];
}

/** Each costs as much as the graph is large; past this many, ways through modules that were loaded count. */
const MOST_SPREADS = 256;

/** What is reached where the bodies of some modules do not run, for each set of modules once. */
class SpreadsBeside {
  private readonly head: SideGraph;
  private readonly whole: Spread;
  private readonly known = new Map<string, Spread>();

  constructor(head: SideGraph, whole: Spread) {
    this.head = head;
    this.whole = whole;
  }

  of(loaded: ReadonlySet<TreePath>): Spread {
    if (loaded.size === 0) return this.whole;
    const key = JSON.stringify([...loaded].sort());
    let spread = this.known.get(key);
    if (spread === undefined) {
      if (this.known.size >= MOST_SPREADS) return this.whole;
      spread = this.whole.without((node) => this.head.isBody(node) && loaded.has(this.head.graph.nodes[node]!.path));
      this.known.set(key, spread);
    }
    return spread;
  }
}

function gainOf(head: SideGraph, spread: Spread, path: TreePath, capability: Capability, places: readonly Found[]): ReachGain {
  const [first, ...others] = places;
  const way = spread.way(first!.link.to, capability);
  const { api, related } = hopsOf(head, way);
  const seen = new Set([first!.place.span[0]]);
  const more = others.map(({ place }) => place).filter(({ span }) => !seen.has(span[0]) && seen.add(span[0])).sort((one, other) => one.span[0] - other.span[0]);
  return { path, capability, api, ...first!.place, related, through: [...new Set(related.map((hop) => hop.path))], more };
}
