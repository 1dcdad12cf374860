import { parseEcmascript, parsePython, positionAt, dialectOf } from "@agentgate/parsers";
import type { ModuleFacts, Span } from "@agentgate/parsers";
import { NO_TREE, acquiredCapabilities, aloneContext } from "@agentgate/rules";
import type { Capability, CapabilityEntry, RuleContext } from "@agentgate/rules";
import { reachSummaryOf } from "@agentgate/rules/reach-summary";
import type { ReachSummary } from "@agentgate/rules/reach-summary";
import { Linker } from "../modules/tree.ts";
import { reachGains } from "./reach.ts";
import type { ReachGain, ReachSide } from "./reach.ts";

export type Sources = Readonly<Record<string, string>>;

export interface GainsOptions {
  /** Capabilities that ports cover, by path. */
  readonly ports?: Readonly<Record<string, readonly Capability[]>>;
  readonly strict?: boolean;
  readonly capabilities?: readonly CapabilityEntry[];
  /** Old paths by new ones. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** A side over sources in memory, with the engine's own resolver. It counts what it is asked. */
export class MemorySide implements ReachSide {
  readonly capabilities: readonly CapabilityEntry[];
  readonly strict: boolean;
  readonly loads: (readonly string[])[] = [];
  resolved = 0;
  private readonly sources: ReadonlyMap<string, string>;
  private readonly ports: Readonly<Record<string, readonly Capability[]>>;
  private readonly linker: Linker;
  /** By dialect and text: files of the same text share them, as in a cache. */
  private readonly facts = new Map<string, ModuleFacts>();
  private readonly summaries = new Map<ModuleFacts, ReachSummary>();
  private readonly loaded = new Set<string>();

  constructor(sources: Sources, { ports = {}, strict = false, capabilities = [] }: GainsOptions = {}) {
    this.sources = new Map(Object.entries(sources));
    this.ports = ports;
    this.strict = strict;
    this.capabilities = capabilities;
    const files = new Map([...this.sources.keys()].map((path) => [path, { kind: "blob" as const, id: path }]));
    const code = [...files].filter(([path]) => isCode(path)).map(([path, target]) => ({ path, target, dialectPath: path, excludedBy: null, named: true }));
    this.linker = new Linker({ files, links: new Map(), sources: code }, (target) => (target.kind === "blob" ? this.sources.get(target.id) ?? null : null));
  }

  load(paths: readonly string[]): Promise<void> {
    this.loads.push(paths);
    for (const path of paths) this.loaded.add(path);
    return Promise.resolve();
  }

  summary(path: string): ReachSummary | null {
    if (!this.loaded.has(path)) throw new Error(`${path} was not loaded`);
    const facts = this.factsOf(path);
    if (facts === null) return null;
    let summary = this.summaries.get(facts);
    // Through JSON, as from a cache.
    if (summary === undefined) this.summaries.set(facts, (summary = JSON.parse(JSON.stringify(reachSummaryOf(facts))) as ReachSummary));
    return summary;
  }

  resolve(from: string, specifier: string): ReturnType<ReachSide["resolve"]> {
    this.resolved++;
    return this.linker.resolve(from, specifier);
  }

  covers(path: string, capability: Capability): boolean {
    return Object.hasOwn(this.ports, path) && this.ports[path]!.includes(capability);
  }

  factsOf(path: string): ModuleFacts | null {
    const text = this.sources.get(path);
    if (text === undefined || !isCode(path)) return null;
    const key = `${path.endsWith(".py") ? "python" : dialectOf(path)}\0${text}`;
    let facts = this.facts.get(key);
    if (facts === undefined) this.facts.set(key, (facts = path.endsWith(".py") ? parsePython(text) : parseEcmascript(text, { dialect: dialectOf(path) })));
    return facts;
  }

  text(path: string): string | undefined {
    return this.sources.get(path);
  }

  own(path: string): ReadonlySet<Capability> {
    const facts = this.factsOf(path);
    const tree: RuleContext["tree"] = { ...NO_TREE, resolve: (from, specifier) => this.linker.resolve(from, specifier), facts: (of) => this.factsOf(of), covers: (of, capability) => this.covers(of, capability) };
    const context = aloneContext(path, { tree, strict: this.strict, capabilities: this.capabilities });
    return new Set(facts === null ? [] : acquiredCapabilities(facts, context).map(({ capability }) => capability));
  }
}

function isCode(path: string): boolean {
  return /\.(?:py|[cm]?[jt]sx?)$/.test(path);
}

/** Lines of a text that another one does not have, counted as often as they occur there. */
function addedLines(text: string, before: string | undefined): ReadonlySet<number> {
  const left = new Map<string, number>();
  for (const line of (before ?? "").split("\n")) left.set(line.trim(), (left.get(line.trim()) ?? 0) + 1);
  const added = new Set<number>();
  text.split("\n").forEach((line, index) => {
    const count = left.get(line.trim()) ?? 0;
    if (count === 0) added.add(index + 1);
    else left.set(line.trim(), count - 1);
  });
  return added;
}

/** What changed modules gain between two states of a tree; files that are equal on both sides are no change. */
export async function gainsBetween(base: Sources, head: Sources, options: GainsOptions = {}): Promise<{ readonly gains: readonly ReachGain[]; readonly head: MemorySide; readonly base: MemorySide }> {
  const [before, after] = [new MemorySide(base, options), new MemorySide(head, options)];
  const oldPath = (path: string): string => options.renamed?.[path] ?? path;
  const modules = Object.keys(head).sort().filter((path) => isCode(path) && head[path] !== base[oldPath(path)])
    .map((path) => ({ path, basePath: base[oldPath(path)] === undefined ? null : oldPath(path) }));
  const added = new Map(modules.map(({ path, basePath }) => [path, addedLines(head[path]!, basePath === null ? undefined : base[basePath])]));
  const isAdded = (path: string, span: Span): boolean => {
    const { line } = positionAt(after.factsOf(path)!.lines, span[0]);
    return added.get(path)?.has(line) === true;
  };
  const gains = await reachGains({ modules, head: after, base: before, isAdded, own: (path, side) => (side === "base" ? before : after).own(path) });
  return { gains, head: after, base: before };
}

/** A gain in one line: `net app.py:3 requests.post < store.py < http.py`. */
export function shortGains({ gains, head }: Awaited<ReturnType<typeof gainsBetween>>): string[] {
  return gains.map(({ path, capability, api, span, through }) => {
    const { line } = positionAt(head.factsOf(path)!.lines, span[0]);
    return `${capability} ${path}:${line} ${api} < ${through.join(" < ")}`;
  });
}
