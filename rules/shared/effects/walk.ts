import type { CallId, FunctionId } from "@agentgate/parsers";
import type { Capability } from "../../catalogue/capability.ts";
import type { Effect, ReachedEffect, Step } from "./effect.ts";
import type { CallGraph } from "./graph.ts";
import type { Link } from "./links.ts";

/**
 * Calls on the way to an effect. In real agents it lies three to six calls below the loop; generated code has chains of 200,
 * which are followed in full, since a longer way round must not hide an effect.
 */
export const MOST_CALLS = 256;
/** Functions that one question looks at: a few hundred are reached from a busy one, and a hostile tree may hold millions. */
export const MOST_FUNCTIONS = 2000;
/** A way back to the same function over more calls than this is no retry that somebody wrote. */
const LONGEST_CYCLE = 12;

/** An effect with the module in which it stands, and the way to it, both placed. */
export interface Found {
  readonly effect: Effect;
  readonly path: string;
  readonly steps: readonly (Step & { readonly path: string })[];
}

export interface Walked {
  readonly found: readonly Found[];
  /** The kinds that lie behind more calls than were followed, in order. */
  readonly beyond: readonly string[];
}

type Kind = Pick<Effect, "capability" | "writes" | "temporary">;

/** What tells effects apart: of those alike the nearest is told. */
export function kindOf({ capability, writes, temporary }: Kind): string {
  return `${capability}:${String(writes)}:${String(temporary === true)}`;
}

/** What `kindOf` was made of. */
export function ofKind(kind: string): Kind {
  const [capability, writes, temporary] = kind.split(":");
  return { capability: capability as Capability, writes: writes === "true", ...(temporary === "true" && { temporary: true }) };
}

interface Visit {
  readonly path: string;
  readonly function: FunctionId;
  readonly depth: number;
  /** How it was come to; null for the first one. */
  readonly from: Visit | null;
  readonly link: Link | null;
}

/**
 * The nearest effect of each kind that running a function has, the nearest first. Breadth first, bounded; ends when all of
 * `kinds`, which are those that there are, were found: the others lie beyond.
 */
export function walkFrom(graph: CallGraph, path: string, id: FunctionId, kinds: ReadonlySet<string>): Walked {
  const found = new Map<string, Found>();
  const queue: Visit[] = [{ path, function: id, depth: 0, from: null, link: null }];
  const seen = new Set([`${id}:${path}`]);
  // The queue grows while it is worked off.
  for (const visit of queue) {
    for (const effect of graph.ownOf(visit.path, visit.function)) {
      const kind = kindOf(effect);
      if (!found.has(kind)) found.set(kind, { effect, path: visit.path, steps: stepsTo(visit) });
    }
    if (found.size >= kinds.size) return { found: [...found.values()], beyond: [] };
    for (const link of graph.linksOf(visit.path, visit.function)) {
      const key = `${link.function}:${link.path}`;
      if (seen.has(key)) continue;
      if (visit.depth + 1 >= MOST_CALLS || seen.size >= MOST_FUNCTIONS) continue;
      seen.add(key);
      queue.push({ path: link.path, function: link.function, depth: visit.depth + 1, from: visit, link });
    }
  }
  return { found: [...found.values()], beyond: [...kinds].filter((kind) => !found.has(kind)).sort() };
}

function stepsTo(visit: Visit): Found["steps"] {
  const steps: (Step & { readonly path: string })[] = [];
  for (let at = visit; at.from !== null && at.link !== null; at = at.from) steps.push({ path: at.from.path, span: at.link.span, name: at.link.name });
  return steps.reverse();
}

/** The calls of a function by which it can come back to itself. */
export function cyclesOf(graph: CallGraph, path: string, id: FunctionId): readonly CallId[] {
  const own = `${id}:${path}`;
  const callers = new Map<string, string[]>();
  const queue = [{ key: own, path, function: id, depth: 0 }];
  const seen = new Set([own]);
  for (const visit of queue) {
    for (const link of graph.linksOf(visit.path, visit.function)) {
      const key = `${link.function}:${link.path}`;
      const list = callers.get(key);
      if (list === undefined) callers.set(key, [visit.key]);
      else list.push(visit.key);
      if (seen.has(key) || visit.depth >= LONGEST_CYCLE || seen.size >= MOST_FUNCTIONS) continue;
      seen.add(key);
      queue.push({ key, path: link.path, function: link.function, depth: visit.depth + 1 });
    }
  }
  const back = new Set([own]);
  const pending = [own];
  for (const key of pending) {
    for (const caller of callers.get(key) ?? []) {
      if (back.has(caller)) continue;
      back.add(caller);
      pending.push(caller);
    }
  }
  const calls = graph.linksOf(path, id).filter((link) => link.call >= 0 && back.has(`${link.function}:${link.path}`)).map((link) => link.call);
  return callers.has(own) ? [...new Set(calls)] : [];
}

/** A found effect as it is told for one module. */
export function toldFor(judged: string, { effect, path, steps }: Found): ReachedEffect {
  const { capability, api, root, writes, told, span, temporary, sends, asValue } = effect;
  return {
    effect: { capability, api, root, writes, told, span, ...(temporary === undefined ? {} : { temporary }), ...(sends === undefined ? {} : { sends }), ...(asValue === undefined ? {} : { asValue }) },
    ...(path === judged ? {} : { path }),
    steps: steps.map((step) => (step.path === judged ? { span: step.span, name: step.name } : step)),
  };
}
