import type { ModuleFacts } from "@agentgate/parsers";
import type { RuleContext } from "@agentgate/rules";
import { discoverIn } from "../discovery/discover.ts";
import type { Discovery, SourceFile } from "../discovery/discover.ts";
import type { Excludes } from "../discovery/exclude.ts";
import { canRunUnderAnyName } from "../judging/collect.ts";
import { contextsOver } from "../judging/context.ts";
import type { ContextOf } from "../judging/context.ts";
import type { Keep } from "../judging/run-rules.ts";
import type { Failure, Module } from "../judging/module.ts";
import type { ModuleReader } from "../judging/module-reader.ts";
import { manifestTexts } from "../modules/manifest-texts.ts";
import { Linker } from "../modules/tree.ts";
import type { Ports } from "../modules/tree.ts";
import type { TreePath } from "../paths.ts";
import type { Policy } from "../policy/policy.ts";
import { snapshotHost } from "../snapshot/host.ts";
import type { Reader, Snapshot, SnapshotEntry } from "../snapshot/snapshot.ts";
import { Importers } from "./importers.ts";
import type { Grep, GrepEach } from "./importers.ts";
import { SideSearches } from "./searches.ts";

/** What both sides of a change share. */
export interface SideInput {
  readonly reader: Reader;
  readonly modules: ModuleReader;
  readonly excludes: Excludes;
  readonly policy: Policy;
  readonly ports: Ports;
  /** Paths of the command line, as `discoverIn` takes them. */
  readonly named: readonly TreePath[];
}

/** How the files of one side are searched without being read. */
export interface SideGrep {
  readonly holding: Grep;
  readonly byWord: GrepEach;
  /** By the names that a file may define. */
  readonly defining: GrepEach;
}

/** One side of a change: a snapshot whose modules are read as somebody asks for them. */
export class ChangeSide {
  readonly snapshot: Snapshot;
  readonly entries: ReadonlyMap<TreePath, SnapshotEntry>;
  readonly discovery: Discovery;
  readonly linker: Linker;
  readonly sources: ReadonlyMap<TreePath, SourceFile>;
  readonly importers: Importers;
  readonly #searches: SideSearches;
  readonly #input: SideInput;
  readonly #loaded = new Map<TreePath, Module | Failure>();
  #unnamed: readonly TreePath[] | null = null;
  /** Facts that were asked for and are not read yet. */
  #missed = new Set<TreePath>();
  /** How often that happened. */
  #misses = 0;

  static async open(snapshot: Snapshot, input: SideInput, grep: SideGrep): Promise<ChangeSide> {
    const host = await snapshotHost(snapshot, input.reader);
    const discovery = discoverIn(host, snapshot, input.excludes, input.named);
    return new ChangeSide(snapshot, discovery, new Linker(discovery, await manifestTexts(discovery.files, input.reader)), input, grep);
  }

  private constructor(snapshot: Snapshot, discovery: Discovery, linker: Linker, input: SideInput, grep: SideGrep) {
    this.snapshot = snapshot;
    this.entries = snapshot.byPath;
    this.discovery = discovery;
    this.linker = linker;
    this.sources = byPath(discovery.sources);
    this.#input = input;
    this.importers = new Importers(this, grep.holding, grep.byWord);
    this.#searches = new SideSearches(this, this.importers, grep.defining);
  }

  /** Sources whose content git has no name for: they changed, and its searches pass over them. */
  get unnamed(): readonly TreePath[] {
    return this.#unnamed ??= this.snapshot.entries.filter(({ path, blob }) => blob === null && this.sources.has(path)).map(({ path }) => path);
  }

  #importedBy(path: TreePath): readonly TreePath[] {
    const module = this.module(path);
    return module === null ? [] : [...this.targets(module)];
  }

  /** The glob that leaves a path out, or null. */
  excludes(path: TreePath): string | null {
    return this.#input.excludes(path);
  }

  /** A module that was loaded; null where it was not asked for, is no source or could not be read. */
  module(path: TreePath): Module | null {
    const one = this.#loaded.get(path);
    return one !== undefined && "text" in one ? one : null;
  }

  failure(path: TreePath): Failure | null {
    const one = this.#loaded.get(path);
    return one !== undefined && !("text" in one) ? one : null;
  }

  /** Takes a module as it is being written in place of what the snapshot holds. */
  put(module: Module): void {
    this.#loaded.set(module.path, module);
  }

  /** The paths that were read so far. */
  get loaded(): Iterable<TreePath> {
    return this.#loaded.keys();
  }

  /** Reads the sources among the paths that were not read yet. */
  async load(paths: Iterable<TreePath>): Promise<void> {
    const files = [...new Set(paths)].flatMap((path) => (this.#loaded.has(path) ? [] : (this.#source(path) ?? [])));
    if (files.length === 0) return;
    const loaded = await this.#input.modules.load(files);
    files.forEach((file, index) => {
      const one = loaded[index]!;
      // What only `require` takes for code is code if it parses as such.
      if (one.kind === "module" && !one.clean && !this.sources.has(file.path)) this.#loaded.set(file.path, NO_CODE);
      else this.#loaded.set(file.path, one.kind === "module" ? one.module : one.failure);
    });
  }

  #source(path: TreePath): SourceFile | null {
    const source = this.sources.get(path);
    if (source !== undefined) return source;
    const target = this.discovery.files.get(path);
    if (target === undefined || !this.#loose.has(path)) return null;
    return { path, target, dialectPath: `${path}.cjs`, excludedBy: "", named: false };
  }

  readonly #loose = new Set<TreePath>();

  /** The tree's files that run when a loaded module runs, those under other names included where `require` takes them. */
  targets(module: Module): ReadonlySet<TreePath> {
    for (const path of this.linker.targets(module.path, module.specifiers.required)) {
      if (!this.sources.has(path) && canRunUnderAnyName(path)) this.#loose.add(path);
    }
    return this.linker.targets(module.path, module.specifiers.all);
  }

  /** Contexts for one round of judging; what they ask for and lack is loaded by `settle`. */
  #contexts(): ContextOf {
    const facts = (path: TreePath): ModuleFacts | null => this.#factsOrMissed(path);
    return contextsOver({ facts, linker: this.linker, policy: this.#input.policy, ports: this.#input.ports, searches: this.#searches, unanswered: () => this.#misses + this.#searches.questions });
  }

  #factsOrMissed(path: TreePath): ModuleFacts | null {
    const one = this.#loaded.get(path);
    if (one === undefined && this.#source(path) !== null) {
      this.#misses++;
      this.#missed.add(path);
    }
    return one !== undefined && "text" in one ? one.facts : null;
  }

  /** Keeps the pieces of work about a module during which nothing was missed. */
  #keeper(pieces: Map<TreePath, Map<string, unknown>>, path: TreePath): Keep {
    const kept = pieces.get(path) ?? new Map<string, unknown>();
    pieces.set(path, kept);
    return <T>(name: string, work: () => T): T => {
      // What is kept under a name is what the work of that name gave.
      if (kept.has(name)) return kept.get(name) as T;
      const [missed, asked] = [this.#missed, this.#searches.questions];
      this.#missed = new Set();
      try {
        const result = work();
        if (this.#missed.size === 0 && this.#searches.questions === asked) kept.set(name, result);
        return result;
      } finally {
        for (const one of missed) this.#missed.add(one);
      }
    };
  }

  /**
   * Does something about each module with the facts of others at hand: what is asked for and not read yet is read, what
   * is asked of all modules is looked for, and that module done again, but for the pieces that lacked nothing. Modules
   * that cannot be read are left out.
   */
  async settle<T>(paths: Iterable<TreePath>, work: (module: Module, contextOf: (options?: RuleContext["options"]) => RuleContext, keep: Keep) => T): Promise<Map<TreePath, T>> {
    const done = new Map<TreePath, T>();
    const pieces = new Map<TreePath, Map<string, unknown>>();
    let pending = [...new Set(paths)];
    await this.load(pending);
    // What a module imports is nearly always asked about: reading it at once saves a round for most.
    await this.load(pending.flatMap((path) => this.#importedBy(path)));
    while (pending.length > 0) {
      const contextOf = this.#contexts();
      const again: TreePath[] = [];
      const missing = new Set<TreePath>();
      for (const path of pending) {
        const module = this.module(path);
        if (module === null) continue;
        this.#missed = new Set();
        const asked = this.#searches.questions;
        const result = work(module, (options) => contextOf(module, options), this.#keeper(pieces, path));
        if (this.#missed.size === 0 && this.#searches.questions === asked) done.set(path, result);
        else {
          again.push(path);
          for (const missed of this.#missed) missing.add(missed);
        }
      }
      await this.load(missing);
      await this.#searches.find();
      pending = again;
    }
    return done;
  }
}

/** Trees are large: no pair is made for each entry. */
function byPath<T extends { readonly path: TreePath }>(entries: readonly T[]): ReadonlyMap<TreePath, T> {
  const map = new Map<TreePath, T>();
  for (const entry of entries) map.set(entry.path, entry);
  return map;
}

const NO_CODE: Failure = { path: "", severity: "warning", reason: "it holds no code", advice: "" };
