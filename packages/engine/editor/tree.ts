import type { ModuleFacts } from "@agentgate/parsers";
import { lstatSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FactsCache } from "../cache/facts-cache.ts";
import type { ChangeSide, SideInput } from "../change/side.ts";
import { excluder } from "../discovery/exclude.ts";
import type { Root } from "../discovery/root.ts";
import type { Failure } from "../judging/module.ts";
import { ModuleReader } from "../judging/module-reader.ts";
import { Ports } from "../modules/tree.ts";
import { GateError } from "../errors.ts";
import type { CheckOptions } from "../options.ts";
import type { TreePath } from "../paths.ts";
import { poolOptions, unreadable } from "../run-settings.ts";
import type { EditorPolicy } from "./policy.ts";
import { openBase, openSource, openWorktree } from "./side.ts";
import type { Source } from "./side.ts";

/** Milliseconds without a question after which the disk is looked at again: a run asks without a pause, a person pauses. */
const PAUSE = 500;
/** Milliseconds after the first question about a text in which the others are asked and answered. */
const QUIET = 200;

/** A base to compare with, or why there is none; neither without git. */
export interface BaseSide {
  readonly side: ChangeSide | null;
  readonly problem: GateError | null;
}

async function baseSide(source: Source, ref: string, input: SideInput): Promise<BaseSide> {
  try {
    return { side: await openBase(source, ref, input), problem: null };
  } catch (error) {
    if (error instanceof GateError) return { side: null, problem: error };
    throw error;
  }
}

export interface TreeOptions extends Pick<CheckOptions, "worker"> {
  readonly root: Root;
  readonly policy: EditorPolicy;
  readonly cache: FactsCache;
}

/** A tree under one policy, as it lies on the disk, listed again as it changes. */
export class EditorTree {
  readonly policy: EditorPolicy;
  readonly ports: Ports;
  readonly source: Source;
  readonly input: SideInput;
  readonly root: string;
  readonly #options: TreeOptions;
  readonly #modules: ModuleReader;
  readonly #extra = new Set<TreePath>();
  #side: ChangeSide;
  /** What the files that were read looked like, and the folders they lie in. */
  #seen = new Map<TreePath, string>();
  #asked = performance.now();
  #refreshing: Promise<void> | null = null;
  /** The last listing failed where nobody waited for it: the next question is to hear why. */
  #isLost = false;
  #base: { readonly ref: string; readonly side: Promise<BaseSide> } | null = null;

  /** @throws GateError where the repository cannot be read */
  static async open(options: TreeOptions): Promise<EditorTree> {
    const source = await openSource(options.root);
    const { policy } = options.policy;
    const modules = new ModuleReader({
      ...poolOptions({ version: "", cwd: options.root.folder, jobs: 1, ...(options.worker === undefined ? {} : { worker: options.worker }) }, policy),
      reader: source.reader, cache: options.cache, objectFormat: source.repository?.format ?? "sha1", onDone: () => undefined,
    });
    const input: SideInput = { reader: source.reader, modules, excludes: excluder(policy.exclude), policy, ports: new Ports(policy.ports), named: [] };
    return new EditorTree(options, source, modules, input, await openWorktree(options.root, source, [], input));
  }

  private constructor(options: TreeOptions, source: Source, modules: ModuleReader, input: SideInput, side: ChangeSide) {
    this.#options = options;
    this.root = options.root.folder;
    this.policy = options.policy;
    this.source = source;
    this.input = input;
    this.ports = input.ports;
    this.#modules = modules;
    this.#side = side;
  }

  /** The tree's files as they are now, that of `file` among them, whatever listed it. */
  async side(file: TreePath): Promise<ChangeSide> {
    const idle = performance.now() - this.#asked > PAUSE;
    if (!this.#knows(file)) {
      this.#extra.add(file);
      await this.#list();
    } else if (this.#isLost || idle && this.#isStale()) await this.#list();
    else if (idle) this.#refreshSoon();
    return this.#side;
  }

  /** Once the questions about a text are answered, which somebody waits for. */
  #refreshSoon(): void {
    this.#refreshing ??= sleep(QUIET, undefined, { ref: false }).then(() => this.#list())
      .catch(() => { this.#isLost = true; }).finally(() => { this.#refreshing = null; });
  }

  #knows(file: TreePath): boolean {
    const { sources, discovery } = this.#side;
    return sources.has(file) || discovery.links.has(file) || this.failure(file) !== null;
  }

  /** Why a run could not read the file; null where it can. */
  failure(file: TreePath): Failure | null {
    const found = this.#side.discovery.unreadable.find(({ path }) => path === file);
    return found === undefined ? null : unreadable(found);
  }

  /** The tree at the commit that head and a revision have in common. */
  base(ref: string): Promise<BaseSide> {
    if (this.#base?.ref !== ref) this.#base = { ref, side: baseSide(this.source, ref, this.input) };
    return this.#base.side;
  }

  /** As `ModuleReader.readText`. */
  readText(dialectPath: TreePath, text: string): Promise<ModuleFacts | null> {
    return this.#modules.readText(dialectPath, text);
  }

  /** Notes what was read, and when the last question was answered. */
  answered(): void {
    // A file that is new, or gone, changes how its folder looks.
    for (const file of this.#side.loaded) for (const place of [file, path.posix.dirname(file)]) if (!this.#seen.has(place)) this.#seen.set(place, this.#looks(place));
    this.#asked = performance.now();
  }

  close(): void {
    this.#modules.close();
    this.source.close();
  }

  async #list(): Promise<void> {
    const side = await openWorktree(this.#options.root, this.source, [...this.#extra], this.input);
    this.#side = side;
    this.#isLost = false;
    this.#seen = new Map();
    this.#base = null;
  }

  #isStale(): boolean {
    for (const [file, looks] of this.#seen) if (this.#looks(file) !== looks) return true;
    return false;
  }

  /** Changes whenever a file is written: what stands in its inode. */
  #looks(file: TreePath): string {
    const status = lstatSync(path.join(this.root, file), { throwIfNoEntry: false });
    return status === undefined ? "" : `${status.mtimeMs} ${status.ctimeMs} ${status.size} ${status.ino}`;
  }
}
