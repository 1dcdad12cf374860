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
  private readonly graph: ReachGraph;
  /** By capability: the hop of each node. */
  private readonly hops = new Map<Capability, (Reached | undefined)[]>();

  /** `covers`: whether a port covers a capability in a module, so that nothing of it gets out. */
  constructor(graph: ReachGraph, covers: (path: string, capability: Capability) => boolean) {
    this.graph = graph;
    const sources = sourcesOf(graph, covers);
    const callers = transposed(graph);
    for (const [capability, first] of sources) this.hops.set(capability, this.search(capability, first, callers, covers));
  }

  /** The capabilities that a node reaches, in the order in which they were met. */
  of(node: number): readonly Capability[] {
    const reached: Capability[] = [];
    for (const [capability, hops] of this.hops) if (hops[node] !== undefined) reached.push(capability);
    return reached;
  }

  /** The number of links from a node to an API with the capability; Infinity where there is none. */
  distance(node: number, capability: Capability): number {
    return this.hops.get(capability)?.[node]?.distance ?? Infinity;
  }

  /** The shortest way from a node to an API with the capability; empty where there is none. */
  way(node: number, capability: Capability): readonly Hop[] {
    const hops = this.hops.get(capability);
    const way: Hop[] = [];
    for (let hop = hops?.[node]?.hop; hop !== undefined; hop = "link" in hop ? hops![hop.link.to]?.hop : undefined) way.push(hop);
    return way;
  }

  private search(
    capability: Capability, first: readonly Hop[], callers: readonly (readonly Caller[] | undefined)[], covers: (path: string, capability: Capability) => boolean,
  ): (Reached | undefined)[] {
    const hops: (Reached | undefined)[] = new Array<undefined>(this.graph.nodes.length).fill(undefined);
    const queue: number[] = [];
    for (const hop of first) {
      if (hops[hop.node] !== undefined) continue;
      hops[hop.node] = { hop, distance: 0 };
      queue.push(hop.node);
    }
    // The queue grows while it is worked off.
    for (const node of queue) {
      const distance = hops[node]!.distance + 1;
      for (const { from, link } of callers[node] ?? []) {
        if (hops[from] !== undefined || covers(this.graph.nodes[from]!.path, capability)) continue;
        hops[from] = { hop: { node: from, link }, distance };
        queue.push(from);
      }
    }
    return hops;
  }
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
