import type { Capability } from "../../catalogue/capability.ts";
import type { ApiLink, Link, ReachGraph } from "./graph.ts";

/** How a node comes to a capability: by an API of its own, or by a link to a node that is nearer to one. */
export type Hop = { readonly node: number; readonly api: ApiLink } | { readonly node: number; readonly link: Link };

/** A hop with the links from its node to the API. */
interface Reached {
  readonly hop: Hop;
  readonly distance: number;
}

/**
 * What the nodes of a graph reach. For each capability a breadth-first search runs against the links, from all nodes
 * that have it by themselves (multi-source BFS on the transposed graph: Cormen et al., Introduction to Algorithms,
 * 22.1 and 22.2). Cycles need no care of their own, the first way found is a shortest one, and a module that a port
 * covers for a capability ends the search for that capability alone, which a condensation into strongly connected
 * components could not tell. Linear in nodes and links for each of the (at most 20) capabilities.
 */
export class Spread {
  private readonly question: Question;
  /** By capability: the hop of each node; made when first asked for. */
  private readonly hops = new Map<Capability, (Reached | undefined)[]>();

  /**
   * `covers`: whether a port covers a capability in a module, so that nothing of it gets out. Of a `Question` that
   * another one made, the work that they share.
   */
  constructor(graph: ReachGraph, covers: (path: string, capability: Capability) => boolean, question?: Question) {
    this.question = question ?? { graph, covers, sources: sourcesOf(graph, covers), callers: transposed(graph), isIdle: () => false };
  }

  /** The same where some nodes do not run. */
  without(isIdle: (node: number) => boolean): Spread {
    return new Spread(this.question.graph, this.question.covers, { ...this.question, isIdle });
  }

  /** The capabilities that a node reaches, in the order in which they were met. */
  of(node: number): readonly Capability[] {
    return [...this.question.sources.keys()].filter((capability) => this.hopsFor(capability)[node] !== undefined);
  }

  /** The number of links from a node to an API with the capability; Infinity where there is none. */
  distance(node: number, capability: Capability): number {
    return this.hopsFor(capability)[node]?.distance ?? Infinity;
  }

  /** The shortest way from a node to an API with the capability; empty where there is none. */
  way(node: number, capability: Capability): readonly Hop[] {
    const hops = this.hopsFor(capability);
    const way: Hop[] = [];
    for (let hop = hops[node]?.hop; hop !== undefined; hop = "link" in hop ? hops[hop.link.to]?.hop : undefined) way.push(hop);
    return way;
  }

  private hopsFor(capability: Capability): readonly (Reached | undefined)[] {
    let hops = this.hops.get(capability);
    if (hops === undefined) this.hops.set(capability, (hops = this.search(capability)));
    return hops;
  }

  private search(capability: Capability): (Reached | undefined)[] {
    const { graph, covers, sources, callers, isIdle } = this.question;
    const hops: (Reached | undefined)[] = new Array<undefined>(graph.nodes.length).fill(undefined);
    const queue: number[] = [];
    for (const hop of sources.get(capability) ?? []) {
      if (hops[hop.node] !== undefined || isIdle(hop.node)) continue;
      hops[hop.node] = { hop, distance: 0 };
      queue.push(hop.node);
    }
    // The queue grows while it is worked off.
    for (const node of queue) {
      const distance = hops[node]!.distance + 1;
      for (const { from, link } of callers[node] ?? []) {
        if (hops[from] !== undefined || isIdle(from) || covers(graph.nodes[from]!.path, capability)) continue;
        hops[from] = { hop: { node: from, link }, distance };
        queue.push(from);
      }
    }
    return hops;
  }
}

/** What a spread is asked about. */
interface Question {
  readonly graph: ReachGraph;
  readonly covers: (path: string, capability: Capability) => boolean;
  readonly sources: ReadonlyMap<Capability, readonly Hop[]>;
  readonly callers: readonly (readonly Caller[] | undefined)[];
  readonly isIdle: (node: number) => boolean;
}

interface Caller {
  readonly from: number;
  readonly link: Link;
}

function sourcesOf({ nodes, apis }: ReachGraph, covers: (path: string, capability: Capability) => boolean): Map<Capability, Hop[]> {
  const sources = new Map<Capability, { readonly node: number; readonly api: ApiLink }[]>();
  apis.forEach((own, node) => {
    // What comes first in the source made what comes later.
    for (const api of [...own].sort((one, other) => one.span[0] - other.span[0])) {
      for (const capability of api.capabilities) {
        if ([nodes[node]!.path, ...api.through].some((path) => covers(path, capability))) continue;
        const list = sources.get(capability);
        if (list === undefined) sources.set(capability, [{ node, api }]);
        else list.push({ node, api });
      }
    }
  });
  // A breadth-first search keeps the order of its sources among those that are as near.
  for (const list of sources.values()) list.sort((one, other) => one.api.rank - other.api.rank);
  return sources;
}

function transposed({ links }: ReachGraph): (Caller[] | undefined)[] {
  const callers: (Caller[] | undefined)[] = new Array<undefined>(links.length).fill(undefined);
  links.forEach((own, from) => {
    for (const link of own) (callers[link.to] ??= []).push({ from, link });
  });
  return callers;
}
