import type { Discovery, SourceFile } from "../discovery/discover.ts";
import type { Linker } from "../modules/tree.ts";
import { comparePaths } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { Failure, Module } from "./module.ts";
import type { ModuleReader } from "./module-reader.ts";

export interface Collected {
  readonly modules: ReadonlyMap<TreePath, Module>;
  /** Of judged files, sorted by path. */
  readonly failures: readonly Failure[];
}

/**
 * Reads the judged files of a tree, the excluded ones that they import (directly or through excluded files), and what
 * they refer to.
 */
export async function collect(discovery: Discovery, linker: Linker, reader: ModuleReader, onTotal: (files: number) => void): Promise<Collected> {
  return new Collector(discovery, linker, reader, onTotal).run();
}

class Collector {
  readonly #discovery: Discovery;
  readonly #sources: Map<TreePath, SourceFile>;
  /** Files that are source only if they parse as such: what `require` is given under any name. */
  readonly #loose = new Set<TreePath>();
  readonly #linker: Linker;
  readonly #reader: ModuleReader;
  readonly #onTotal: (files: number) => void;
  readonly #modules = new Map<TreePath, Module>();
  readonly #failures = new Map<TreePath, Failure>();
  /** Paths asked for, with whether they are judged. */
  readonly #asked = new Map<TreePath, boolean>();

  constructor(discovery: Discovery, linker: Linker, reader: ModuleReader, onTotal: (files: number) => void) {
    this.#discovery = discovery;
    this.#sources = new Map(discovery.sources.map((file) => [file.path, file]));
    this.#linker = linker;
    this.#reader = reader;
    this.#onTotal = onTotal;
  }

  async run(): Promise<Collected> {
    let pending: TreePath[] = [];
    for (const file of this.#sources.values()) if (file.named && file.excludedBy === null) this.#ask(file.path, true, pending);
    while (pending.length > 0) {
      this.#onTotal(this.#asked.size);
      await this.#read(pending.filter((path) => !this.#modules.has(path) && !this.#failures.has(path)));
      const next: TreePath[] = [];
      for (const path of pending) this.#follow(path, next);
      pending = next;
    }
    for (const [path, judged] of this.#asked) if (!judged) this.#failures.delete(path);
    const failures = [...this.#failures.values()].sort((left, right) => comparePaths(left.path, right.path));
    return { modules: new Map([...this.#modules].sort(([left], [right]) => comparePaths(left, right))), failures };
  }

  /** Notes that a path is wanted; queues it when that is new, or when it is newly judged. */
  #ask(path: TreePath, judged: boolean, queue: TreePath[]): void {
    const known = this.#asked.get(path);
    if (known === true || known === judged) return;
    this.#asked.set(path, judged);
    queue.push(path);
  }

  #follow(path: TreePath, queue: TreePath[]): void {
    const module = this.#modules.get(path);
    if (module === undefined) return;
    module.judged = this.#asked.get(path) === true;
    for (const target of this.#linker.targets(path, module.specifiers.required)) this.#addLoose(target);
    for (const target of this.#linker.targets(path, module.specifiers.all)) {
      const file = this.#sources.get(target);
      if (file !== undefined) this.#ask(target, module.judged && (file.excludedBy !== null || file.named), queue);
    }
  }

  #addLoose(path: TreePath): void {
    const target = this.#discovery.files.get(path);
    if (target === undefined || this.#sources.has(path) || !canRunUnderAnyName(path)) return;
    this.#loose.add(path);
    this.#sources.set(path, { path, target, dialectPath: `${path}.cjs`, excludedBy: "", named: false });
  }

  async #read(paths: readonly TreePath[]): Promise<void> {
    const loaded = await this.#reader.load(paths.map((path) => this.#sources.get(path)!));
    paths.forEach((path, index) => {
      const one = loaded[index]!;
      if (one.kind === "failure") this.#failures.set(path, one.failure);
      else if (one.clean || !this.#loose.has(path)) this.#modules.set(path, one.module);
    });
  }
}

/** Whether a file without a source's name runs when `require` is given it: a name takes nothing out of the gate. */
export function canRunUnderAnyName(path: TreePath): boolean {
  return !/\.(?:json|node|wasm|pyw?)$/.test(path);
}
