import { decodePython, dialectOf, moduleKindOf } from "@agentgate/parsers";
import type { Discovery, SourceFile } from "../discovery/discover.ts";
import type { Linker } from "../modules/tree.ts";
import { comparePaths, endingOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { readText } from "../pool/parse.ts";
import { ParserPool } from "../pool/pool.ts";
import type { PoolOptions } from "../pool/pool.ts";
import type { ParseJob } from "../pool/protocol.ts";
import { decodeEcmascript } from "../reading/decode.ts";
import type { Decoded } from "../reading/decode.ts";
import { readBounded } from "../reading/read.ts";
import { FactsStore } from "./facts-store.ts";
import type { Failure, Module } from "./module.ts";
import { specifiersOf } from "./specifiers.ts";
import type { Specifiers } from "./specifiers.ts";

export interface CollectOptions extends PoolOptions {
  readonly maxFileBytes: number;
  readonly onProgress: ((done: number, total: number) => void) | undefined;
}

export interface Collected {
  readonly modules: ReadonlyMap<TreePath, Module>;
  /** Of judged files, sorted by path. */
  readonly failures: readonly Failure[];
}

/** JavaScript of fewer characters cannot nest deep enough to overflow the parser's native stack. */
const SAFE_ECMASCRIPT = 2048;
const SAFE_PYTHON = 16_384;
/** Below this many characters in all, starting a child costs more than it saves. */
const SMALL_WORK = 65_536;

interface Read {
  readonly file: SourceFile;
  readonly decoded: Decoded;
  readonly job: ParseJob;
}

/**
 * Reads the judged files, the excluded ones that they import (directly or through excluded files), and what they refer
 * to. Facts come from child processes; small work is done here.
 */
export async function collect(discovery: Discovery, linker: Linker, options: CollectOptions): Promise<Collected> {
  const collector = new Collector(discovery, linker, options);
  try {
    return await collector.run();
  } finally {
    collector.close();
  }
}

class Collector {
  readonly #discovery: Discovery;
  readonly #sources: Map<TreePath, SourceFile>;
  /** Files that are source only if they parse as such: what `require` is given under any name. */
  readonly #loose = new Set<TreePath>();
  readonly #linker: Linker;
  readonly #options: CollectOptions;
  readonly #store = new FactsStore();
  readonly #modules = new Map<TreePath, Module>();
  readonly #failures = new Map<TreePath, Failure>();
  /** Paths asked for, with whether they are judged. */
  readonly #asked = new Map<TreePath, boolean>();
  #pool: ParserPool | null = null;
  #done = 0;

  constructor(discovery: Discovery, linker: Linker, options: CollectOptions) {
    this.#discovery = discovery;
    this.#sources = new Map(discovery.sources.map((file) => [file.path, file]));
    this.#linker = linker;
    this.#options = options;
  }

  async run(): Promise<Collected> {
    let pending: TreePath[] = [];
    for (const file of this.#sources.values()) if (file.named && file.excludedBy === null) this.#ask(file.path, true, pending);
    while (pending.length > 0) {
      await this.#read(pending.filter((path) => !this.#modules.has(path) && !this.#failures.has(path)));
      const next: TreePath[] = [];
      for (const path of pending) this.#follow(path, next);
      pending = next;
    }
    for (const [path, judged] of this.#asked) if (!judged) this.#failures.delete(path);
    const failures = [...this.#failures.values()].sort((left, right) => comparePaths(left.path, right.path));
    return { modules: new Map([...this.#modules].sort(([left], [right]) => comparePaths(left, right))), failures };
  }

  close(): void {
    this.#pool?.close();
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

  /** A file without a source's name that `require` runs all the same: a name takes nothing out of the gate. */
  #addLoose(path: TreePath): void {
    const target = this.#discovery.files.get(path);
    if (target === undefined || this.#sources.has(path) || /\.(?:json|node|wasm)$/.test(path) || path.endsWith(".py")) return;
    this.#loose.add(path);
    this.#sources.set(path, { path, target, dialectPath: `${path}.cjs`, excludedBy: "", named: false });
  }

  async #read(paths: readonly TreePath[]): Promise<void> {
    const reads = paths.flatMap((path) => this.#open(this.#sources.get(path)!) ?? []);
    const here = new Set(workHere(reads));
    const away = reads.filter((read) => !here.has(read));
    if (away.length > 0) this.#pool ??= new ParserPool(this.#options);
    const outcomes = this.#pool === null || away.length === 0 ? [] : this.#pool.parse(away.map((read) => read.job), () => this.#progress());
    for (const read of here) {
      const result = readText(read.job);
      if ("reason" in result) this.#fail(read, result.reason);
      else {
        this.#store.addFacts(read.file.path, result);
        this.#keep(read, specifiersOf(result), result.problems.length === 0);
      }
      this.#progress();
    }
    const answers = await outcomes;
    away.forEach((read, index) => {
      const answer = answers[index]!;
      if (answer.kind === "failed") this.#fail(read, answer.reason);
      else {
        this.#store.addText(read.file.path, answer.facts);
        this.#keep(read, answer.specifiers, answer.clean);
      }
    });
  }

  #open(file: SourceFile): Read | null {
    const read = readBounded(file.target, this.#options.maxFileBytes);
    if (read.kind === "too-large") {
      const reason = `it has ${read.size} bytes, more than maxFileBytes (${this.#options.maxFileBytes})`;
      this.#failures.set(file.path, { path: file.path, severity: "warning", reason, advice: "Split it, or raise maxFileBytes in agentgate.yml." });
      return null;
    }
    if (read.kind === "unreadable") {
      this.#failures.set(file.path, { path: file.path, severity: "error", reason: read.reason, advice: "Make it readable, or remove it." });
      return null;
    }
    const python = endingOf(file.dialectPath) === ".py";
    const decoded = python ? decodePython(read.bytes) : decodeEcmascript(read.bytes);
    return { file, decoded, job: jobFor(file.dialectPath, decoded.text, python) };
  }

  #fail({ file }: Read, reason: string): void {
    const advice = "Simplify the file: other source like it is read without trouble.";
    this.#failures.set(file.path, { path: file.path, severity: "error", reason, advice });
  }

  #keep({ file, decoded }: Read, specifiers: Specifiers, clean: boolean): void {
    if (this.#loose.has(file.path) && !(clean && decoded.problems.length === 0)) return;
    const store = this.#store;
    this.#modules.set(file.path, {
      path: file.path, text: decoded.text, specifiers, undecodable: decoded.problems, judged: false,
      get facts() {
        return store.get(file.path)!;
      },
    });
  }

  #progress(): void {
    this.#done++;
    this.#options.onProgress?.(this.#done, this.#asked.size);
  }
}

/** What is read in this process: nothing that could take it down, and only where children would not pay. */
function workHere(reads: readonly Read[]): Read[] {
  const safe = reads.filter(({ job }) => job.text.length < (job.dialect === "python" ? SAFE_PYTHON : SAFE_ECMASCRIPT));
  const characters = safe.reduce((sum, { job }) => sum + job.text.length, 0);
  return characters < SMALL_WORK ? safe : [];
}

function jobFor(path: string, text: string, python: boolean): ParseJob {
  if (python) return { dialect: "python", text };
  const moduleKind = moduleKindOf(path);
  return moduleKind === undefined ? { dialect: dialectOf(path), text } : { dialect: dialectOf(path), text, moduleKind };
}
