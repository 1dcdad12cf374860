import type { FunctionId } from "@agentgate/parsers";
import type { Effect } from "./effect.ts";
import type { CallGraph, Kept } from "./graph.ts";
import { kindOf } from "./walk.ts";

/** What a function reaches over any number of calls. */
export interface Closed {
  /** `kindOf` of every effect. */
  readonly kinds: ReadonlySet<string>;
  /** It is on a circle of calls. */
  readonly isCircular: boolean;
}

interface Node {
  readonly key: string;
  readonly path: string;
  readonly function: FunctionId;
  readonly index: number;
  lowest: number;
  onStack: boolean;
  readonly targets: readonly { readonly path: string; readonly function: FunctionId }[];
  next: number;
  callsItself: boolean;
  /** Of finished components that it calls. */
  readonly below: Set<ReadonlySet<string>>;
}

/**
 * Works out a function with everything that it runs in one search for strongly connected components (R. Tarjan,
 * Depth-first search and linear graph algorithms, 1972), with a stack of its own: the functions of a component reach the
 * same effects. Linear in the calls that are reached, once for all functions; the answers are kept in `known`.
 */
export function closureOf(graph: CallGraph, known: Map<string, Kept<Closed>>, path: string, id: FunctionId): Closed {
  return graph.kept(known, `${id}:${path}`, () => new Search(graph, known).run(path, id));
}

const NOTHING: ReadonlySet<string> = new Set();

class Search {
  private readonly graph: CallGraph;
  private readonly known: Map<string, Kept<Closed>>;
  private readonly nodes = new Map<string, Node>();
  private readonly found = new Map<string, Closed>();
  private readonly stack: Node[] = [];

  constructor(graph: CallGraph, known: Map<string, Kept<Closed>>) {
    this.graph = graph;
    this.known = known;
  }

  run(path: string, id: FunctionId): Closed {
    const first = this.open(`${id}:${path}`, path, id);
    const way = [first];
    for (let node = way.at(-1); node !== undefined; node = way.at(-1)) {
      const target = node.targets[node.next++];
      if (target !== undefined) this.look(node, target, way);
      else {
        way.pop();
        const above = way.at(-1);
        if (above !== undefined) above.lowest = Math.min(above.lowest, node.lowest);
        if (node.lowest === node.index) this.close(node, above);
      }
    }
    const answer = this.found.get(first.key)!;
    // Where nothing was lacking all of it is known for good.
    if (!this.graph.isLacking()) for (const [key, closed] of this.found) this.known.set(key, { value: closed, lack: null });
    return answer;
  }

  private open(key: string, path: string, id: FunctionId): Node {
    const targets = this.graph.linksOf(path, id);
    const node: Node = { key, path, function: id, index: this.nodes.size, lowest: this.nodes.size, onStack: true, targets, next: 0, callsItself: false, below: new Set() };
    this.nodes.set(key, node);
    this.stack.push(node);
    return node;
  }

  private look(node: Node, target: Node["targets"][number], way: Node[]): void {
    const key = `${target.function}:${target.path}`;
    if (key === node.key) node.callsItself = true;
    const done = this.found.get(key) ?? this.kept(key);
    if (done !== null) {
      if (done.kinds.size > 0) node.below.add(done.kinds);
      return;
    }
    const seen = this.nodes.get(key);
    if (seen === undefined) way.push(this.open(key, target.path, target.function));
    else if (seen.onStack) node.lowest = Math.min(node.lowest, seen.index);
  }

  private kept(key: string): Closed | null {
    const known = this.known.get(key);
    return known?.lack === null ? known.value : null;
  }

  /** Takes a whole component off the stack. */
  private close(node: Node, above: Node | undefined): void {
    const members: Node[] = [];
    for (let last = this.stack.pop(); last !== undefined; last = this.stack.pop()) {
      last.onStack = false;
      members.push(last);
      if (last === node) break;
    }
    const sets = new Set(members.flatMap((member) => [...member.below]));
    const own = members.flatMap((member) => this.graph.ownOf(member.path, member.function));
    const kinds = together(sets, own);
    const isCircular = members.length > 1 || members.some((member) => member.callsItself);
    for (const member of members) this.found.set(member.key, { kinds, isCircular });
    if (above !== undefined && kinds.size > 0) above.below.add(kinds);
  }
}

/** Sets are shared where nothing is added: most functions reach what one of those that they call does. */
function together(sets: ReadonlySet<ReadonlySet<string>>, own: readonly Effect[]): ReadonlySet<string> {
  if (own.length === 0 && sets.size === 0) return NOTHING;
  if (own.length === 0 && sets.size === 1) return [...sets][0]!;
  const kinds = new Set(own.map(kindOf));
  for (const set of sets) for (const kind of set) kinds.add(kind);
  return kinds;
}
