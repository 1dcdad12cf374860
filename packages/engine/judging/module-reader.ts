import { EditedPython, decodePython, dialectOf, moduleKindOf } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import { cacheKey } from "../cache/facts-cache.ts";
import type { FactsCache } from "../cache/facts-cache.ts";
import { decodeSummary, encodeSummary } from "../cache/summary.ts";
import type { SourceFile } from "../discovery/discover.ts";
import { blobId } from "../git/blob-id.ts";
import type { ObjectFormat } from "../git/blob-id.ts";
import { endingOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { readText } from "../pool/parse.ts";
import { ParserPool } from "../pool/pool.ts";
import type { PoolOptions } from "../pool/pool.ts";
import type { ParseJob } from "../pool/protocol.ts";
import { cachedSummary } from "../reach/cached.ts";
import { decodeEcmascript } from "../reading/decode.ts";
import type { Decoded } from "../reading/decode.ts";
import { contradiction } from "../reading/first-line.ts";
import type { ReadResult } from "../reading/read.ts";
import type { Reader } from "../snapshot/snapshot.ts";
import type { Types } from "../types/index.ts";
import { FactsStore } from "./facts-store.ts";
import { decodeFacts, encodeFacts } from "../facts-code.ts";
import type { Failure, Module } from "./module.ts";
import { specifiersOf } from "./specifiers.ts";
import type { Specifiers } from "./specifiers.ts";

export interface ModuleReaderOptions extends PoolOptions {
  readonly maxFileBytes: number;
  readonly reader: Reader;
  readonly cache: FactsCache;
  /** How blobs are named in the repository. */
  readonly objectFormat: ObjectFormat;
  /** Absent: receivers are judged without a type checker. */
  readonly types?: Types | null;
  /** Called with the number of files that are done. */
  readonly onDone: (count: number) => void;
}

/** A file that was read. `clean`: all of it could be decoded and parsed. */
export type Loaded =
  | { readonly kind: "module"; readonly module: Module; readonly clean: boolean }
  | { readonly kind: "failure"; readonly failure: Failure };

/** How a file begins that git-lfs put in another's place: its specification, version 1. */
const LFS_POINTER = "version https://git-lfs.github.com/spec/v1\n";

/** JavaScript of fewer characters cannot nest deep enough to overflow the parser's native stack. */
const SAFE_ECMASCRIPT = 2048;
const SAFE_PYTHON = 16_384;
/** Below this many characters in all, starting a child costs more than it saves. */
const SMALL_WORK = 65_536;

interface Read {
  readonly file: SourceFile;
  readonly blob: string;
  readonly decoded: Decoded;
  readonly job: ParseJob;
  /** Equal keys, equal facts. */
  readonly key: string;
}

/**
 * Turns files into modules. Facts come from child processes; small work is done here. The same content is read once,
 * whichever paths and sides of a change it has.
 */
export class ModuleReader {
  readonly #options: ModuleReaderOptions;
  readonly #store = new FactsStore();
  readonly #known = new Map<string, { readonly specifiers: Specifiers; readonly clean: boolean } | { readonly reason: string }>();
  #pool: ParserPool | null = null;
  #edited: EditedPython | null = null;

  constructor(options: ModuleReaderOptions) {
    this.#options = options;
  }

  /** What became of each file, in their order. */
  async load(files: readonly SourceFile[]): Promise<Loaded[]> {
    const { reader, maxFileBytes } = this.#options;
    const bytes = await reader.read(files.map((file) => file.target), maxFileBytes);
    const opened = files.map((file, index) => this.#open(file, bytes[index]!));
    const reads = opened.filter((one): one is Read => "job" in one);
    this.#options.onDone(files.length - reads.length);
    await this.#parse(reads);
    return opened.map((one) => ("job" in one ? this.#loaded(one) : { kind: "failure", failure: one }));
  }

  /**
   * The facts of a text that lies nowhere, such as one that is being written; null where it cannot be read. `dialectPath`
   * is a name that tells its dialect. The next text costs little where it is the same but for an edit.
   */
  async readText(dialectPath: TreePath, text: string): Promise<ModuleFacts | null> {
    const job = jobFor(dialectPath, text, endingOf(dialectPath) === ".py");
    if (job.dialect === "python" || text.length < SAFE_ECMASCRIPT) {
      this.#edited ??= new EditedPython();
      const read = readText(job, (source) => this.#edited!.read(source));
      return "reason" in read ? null : read;
    }
    this.#pool ??= new ParserPool(this.#options);
    const [outcome] = await this.#pool.parse([job], () => undefined);
    return outcome?.kind === "facts" ? decodeFacts(outcome.facts) : null;
  }

  close(): void {
    this.#edited?.close();
    this.#pool?.close();
  }

  #open(file: SourceFile, read: ReadResult): Read | Failure {
    if (read.kind === "too-large") {
      const reason = `it has ${read.size} bytes, more than maxFileBytes (${this.#options.maxFileBytes})`;
      return { path: file.path, severity: "warning", reason, advice: "Split it, or raise maxFileBytes in agentgate.yml." };
    }
    if (read.kind === "unreadable") return { path: file.path, severity: "error", reason: read.reason, advice: "Make it readable, or remove it." };
    if (read.bytes.length < 1024 && read.bytes.toString("latin1").startsWith(LFS_POINTER)) {
      return { path: file.path, severity: "error", reason: "it is a pointer of Git LFS, and the code itself lies elsewhere", advice: "Keep source in git itself." };
    }
    const python = endingOf(file.dialectPath) === ".py";
    const decoded = withFirstLine(file, python ? decodePython(read.bytes) : decodeEcmascript(read.bytes), python);
    const job = jobFor(file.dialectPath, decoded.text, python);
    const blob = file.target.kind === "blob" ? file.target.id : blobId(read.bytes, this.#options.objectFormat);
    return { file, blob, decoded, job, key: cacheKey(blob, job) };
  }

  async #parse(reads: readonly Read[]): Promise<void> {
    const wanted = new Map(reads.filter(({ key }) => !this.#known.has(key)).map((read) => [read.key, read]));
    const unknown = [...wanted.values()].filter((read) => !this.#recall(read));
    this.#options.onDone(reads.length - unknown.length);
    const here = new Set(workHere(unknown));
    const away = unknown.filter((read) => !here.has(read));
    if (away.length > 0) this.#pool ??= new ParserPool(this.#options);
    const outcomes = this.#pool === null || away.length === 0 ? [] : this.#pool.parse(away.map((read) => read.job), this.#options.onDone);
    for (const read of here) this.#parseHere(read);
    const answers = await outcomes;
    away.forEach(({ key }, index) => {
      const answer = answers[index]!;
      if (answer.kind === "facts") this.#store.addBytes(key, answer.facts);
      this.#known.set(key, answer.kind === "failed" ? { reason: answer.reason } : answer);
      if (answer.kind === "facts") this.#remember(key, answer.facts, answer);
    });
  }

  /** Takes what an earlier run found out. */
  #recall({ key }: Read): boolean {
    const { cache } = this.#options;
    const summary = cache.get(key, "specifiers");
    const known = summary === null ? null : decodeSummary(summary);
    const facts = known === null ? null : cache.get(key, "facts");
    if (known === null || facts === null) return false;
    this.#store.addBytes(key, facts);
    this.#known.set(key, known);
    return true;
  }

  /** What is wrong with a text may come from the machine (no time, no memory): that is found out anew each time. */
  #remember(key: string, facts: Uint8Array, { specifiers, clean }: { readonly specifiers: Specifiers; readonly clean: boolean }): void {
    if (!clean) return;
    this.#options.cache.put(key, "facts", facts);
    this.#options.cache.put(key, "specifiers", encodeSummary({ specifiers, clean, undecodable: false }));
  }

  #parseHere({ key, job }: Read): void {
    const result = readText(job);
    if ("reason" in result) this.#known.set(key, result);
    else {
      this.#store.addFacts(key, result);
      const known = { specifiers: specifiersOf(result), clean: result.problems.length === 0 };
      this.#known.set(key, known);
      this.#remember(key, encodeFacts(result), known);
    }
    this.#options.onDone(1);
  }

  #loaded({ file, blob, decoded, key, job }: Read): Loaded {
    const known = this.#known.get(key)!;
    if ("reason" in known) {
      const advice = "Simplify the file: other source like it is read without trouble.";
      return { kind: "failure", failure: { path: file.path, severity: "error", reason: known.reason, advice } };
    }
    const store = this.#store;
    const { cache, types } = this.#options;
    const untyped = { path: file.path, job, get facts() { return store.get(key)!; } };
    const module: Module = {
      path: file.path, blob, text: decoded.text, specifiers: known.specifiers, undecodable: decoded.problems, judged: false,
      get facts() {
        return types == null ? store.get(key)! : types.typed(key, untyped);
      },
      get untyped() {
        return types?.failure(key, untyped) ?? null;
      },
      get reach() {
        return cachedSummary(cache, key, () => store.get(key)!);
      },
    };
    return { kind: "module", module, clean: known.clean && decoded.problems.length === 0 };
  }
}

/** What is read in this process: nothing that could take it down, and only where children would not pay. */
function workHere(reads: readonly Read[]): Read[] {
  const safe = reads.filter(({ job }) => job.text.length < (job.dialect === "python" ? SAFE_PYTHON : SAFE_ECMASCRIPT));
  const characters = safe.reduce((sum, { job }) => sum + job.text.length, 0);
  return characters < SMALL_WORK ? safe : [];
}

/** What a name says of a file is doubted only where the file has an ending of its own. */
function withFirstLine({ path, dialectPath }: SourceFile, decoded: Decoded, python: boolean): Decoded {
  const problem = path === dialectPath ? contradiction(decoded.text, python) : null;
  return problem === null ? decoded : { ...decoded, problems: [...decoded.problems, problem] };
}

function jobFor(path: string, text: string, python: boolean): ParseJob {
  if (python) return { dialect: "python", text };
  const moduleKind = moduleKindOf(path);
  return moduleKind === undefined ? { dialect: dialectOf(path), text } : { dialect: dialectOf(path), text, moduleKind };
}
