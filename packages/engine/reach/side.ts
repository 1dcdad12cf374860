import type { Capability, CapabilityEntry } from "@agentgate/rules";
import { ReachGraph, ReachModule } from "@agentgate/rules/reach";
import type { Link, ReachSummary } from "@agentgate/rules/reach";
import type { TreePath } from "../paths.ts";

/** One side of a change as reach asks it. */
export interface ReachSide {
  /** Makes the summaries of these paths ready; paths without source are no error. */
  load(paths: readonly TreePath[]): Promise<void>;
  /** After `load`: what a module may run; null where there is none (no source, not parsed). */
  summary(path: TreePath): ReachSummary | null;
  /** As `Tree.resolve`. */
  resolve(from: TreePath, specifier: string): { readonly path: string } | { readonly alias: string } | null | "missing";
  /** Whether a port covers a capability in a module. */
  covers(path: TreePath, capability: Capability): boolean;
  /** Additions to the catalogue from agentgate.yml. */
  readonly capabilities: readonly CapabilityEntry[];
  readonly strict: boolean;
}

/** A side with the modules read so far, and the graph over them. */
export class SideGraph {
  readonly graph: ReachGraph;
  private readonly side: ReachSide;
  private readonly modules = new Map<TreePath, ReachModule | null>();

  constructor(side: ReachSide) {
    this.side = side;
    const tree = { resolve: (from: string, specifier: string) => side.resolve(from, specifier), module: (path: string) => this.modules.get(path) };
    this.graph = new ReachGraph(tree, side);
  }

  /** A module that was read; null where there is none. */
  module(path: TreePath): ReachModule | null {
    return this.modules.get(path) ?? null;
  }

  covers(path: TreePath, capability: Capability): boolean {
    return this.side.covers(path, capability);
  }

  async load(paths: Iterable<TreePath>): Promise<void> {
    const missing = [...new Set(paths)].filter((path) => !this.modules.has(path)).sort();
    if (missing.length === 0) return;
    await this.side.load(missing);
    for (const path of missing) {
      const summary = this.side.summary(path);
      this.modules.set(path, summary === null ? null : new ReachModule(path, summary));
    }
  }

  /** Follows what was started to its ends, level by level. */
  async finish(): Promise<void> {
    for (let wanted = this.graph.follow(); wanted.length > 0; wanted = this.graph.follow()) await this.load(wanted);
  }

  /** Whether a node is the body of a module. */
  isBody(node: number): boolean {
    const { kind, id } = this.graph.nodes[node]!;
    return kind === "function" && id === 0;
  }

  /** The links of a node that leave its module; the construction of a class of the module is looked through. */
  leaving(node: number): Link[] {
    const { nodes, links } = this.graph;
    const { path } = nodes[node]!;
    const found: Link[] = [];
    const seen = new Set([node]);
    // Grows while it is worked off.
    for (const each of seen) {
      for (const link of links[each]!) {
        const target = nodes[link.to]!;
        if (target.path !== path) found.push(link);
        else if (target.kind === "class" || target.kind === "whole") seen.add(link.to);
      }
    }
    return found;
  }
}
