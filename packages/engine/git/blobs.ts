import type { ChildProcess } from "node:child_process";
import { GateError } from "../errors.ts";
import { isObjectId } from "./blob-id.ts";
import type { ObjectFormat } from "./blob-id.ts";
import { gitTimedOut, lacksPromised, objectsMissing, readerEnded, startProblem } from "./problems.ts";
import { endGit, startGit } from "./run.ts";
import type { GitOptions } from "./run.ts";

export type BlobRead =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "too-large"; readonly size: number }
  /** No blob of that id is in the repository. */
  | { readonly kind: "missing" };

/** How much of a file shows what it is. */
const HEAD_BYTES = 256;

/** What is still to come from git for one id. */
interface Waiting {
  readonly limit: number;
  /** Whether a longer blob is cut at the limit, or passed over. */
  readonly cut: boolean;
  readonly resolve: (read: BlobRead) => void;
  readonly reject: (error: GateError) => void;
}

/** The blob whose bytes are coming. */
interface Current {
  readonly waiting: Waiting;
  readonly size: number;
  readonly isBlob: boolean;
  readonly kept: Buffer[];
  keep: number;
  /** Bytes to come, the line feed behind them included. */
  left: number;
}

/** Reads blobs through one `git cat-file --batch`, started when it is first asked and kept until `close`. */
export class BlobReader {
  readonly #root: string;
  readonly #format: ObjectFormat;
  readonly #options: GitOptions;
  readonly #timeout: number;
  readonly #promisor: string | null;
  #child: ChildProcess | null = null;
  #problem: GateError | null = null;
  #waiting: Waiting[] = [];
  #current: Current | null = null;
  #line: Buffer[] = [];
  #stderr = "";
  #timer: NodeJS.Timeout | undefined;

  /** `timeout`: milliseconds that git may stay silent while it is asked. `promisor`: see `Repository`. */
  constructor(root: string, format: ObjectFormat, options: GitOptions, timeout: number, promisor: string | null) {
    this.#root = root;
    this.#format = format;
    this.#options = options;
    this.#timeout = timeout;
    this.#promisor = promisor;
  }

  /**
   * The blobs of these ids, in their order; one longer than `limit` bytes is passed over and never held in memory.
   * What is no complete id, or names an object of another type, is missing. Rejects with a GateError where git ends
   * or stays silent; some versions of it end where a partial clone lacks an object.
   */
  read(ids: readonly string[], limit: number): Promise<readonly BlobRead[]> {
    return this.#ask(ids, limit, false);
  }

  /** The first 256 bytes of each blob; null where it is missing. Rejects as `read` does. */
  async heads(ids: readonly string[]): Promise<readonly (Buffer | null)[]> {
    const reads = await this.#ask(ids, HEAD_BYTES, true);
    return reads.map((read) => (read.kind === "bytes" ? read.bytes : null));
  }

  /** Ends git. Reads that are under way are rejected; a later one starts git again. */
  close(): void {
    this.#end(readerEnded("it was closed"));
    this.#problem = null;
  }

  #ask(ids: readonly string[], limit: number, cut: boolean): Promise<readonly BlobRead[]> {
    const reads = ids.map((id) => {
      if (!isObjectId(id, this.#format)) return Promise.resolve<BlobRead>({ kind: "missing" });
      return new Promise<BlobRead>((resolve, reject) => {
        this.#waiting.push({ limit, cut, resolve, reject });
      });
    });
    const asked = ids.filter((id) => isObjectId(id, this.#format));
    if (asked.length > 0) this.#send(asked);
    return Promise.all(reads);
  }

  #send(ids: readonly string[]): void {
    if (this.#problem === null && this.#child === null) this.#start();
    if (this.#problem !== null) {
      this.#rejectAll(this.#problem);
      return;
    }
    this.#child?.stdin?.write(`${ids.join("\n")}\n`);
    this.#hold(true);
    this.#expectAnswer();
  }

  #start(): void {
    try {
      const child = startGit(this.#root, ["cat-file", "--batch"], this.#options);
      this.#child = child;
      this.#stderr = "";
      child.on("error", (error) => { if (child === this.#child) this.#end(startProblem(error)); });
      child.on("close", () => { if (child === this.#child) this.#ended(); });
      child.stdin?.on("error", () => undefined);
      child.stdout?.on("data", (chunk: Buffer) => { if (child === this.#child) this.#take(chunk); });
      child.stderr?.on("data", (chunk: Buffer) => { this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(0, 2000); });
    } catch (error) {
      this.#end(startProblem(error));
    }
  }

  #take(chunk: Buffer): void {
    let start = 0;
    while (start < chunk.length) start = this.#current === null ? this.#takeLine(chunk, start) : this.#takeBytes(this.#current, chunk, start);
    if (this.#waiting.length > 0 || this.#current !== null) this.#expectAnswer();
    else this.#rest();
  }

  #takeLine(chunk: Buffer, start: number): number {
    const end = chunk.indexOf(10, start);
    this.#line.push(chunk.subarray(start, end === -1 ? chunk.length : end));
    if (end === -1) return chunk.length;
    const line = Buffer.concat(this.#line).toString("latin1");
    this.#line = [];
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) this.#begin(line, waiting);
    return end + 1;
  }

  /** `<id> <type> <size>`, with the bytes behind it, or `<id> missing`. */
  #begin(line: string, waiting: Waiting): void {
    const match = /^[0-9a-f]+ (\w+) (\d+)$/.exec(line);
    if (match === null) {
      waiting.resolve({ kind: "missing" });
      return;
    }
    const size = Number(match[2]);
    const isBlob = match[1] === "blob";
    const keep = isBlob && (waiting.cut || size <= waiting.limit) ? Math.min(size, waiting.limit) : 0;
    this.#current = { waiting, size, isBlob, kept: [], keep, left: size + 1 };
  }

  #takeBytes(current: Current, chunk: Buffer, start: number): number {
    const end = Math.min(chunk.length, start + current.left);
    const kept = chunk.subarray(start, Math.min(end, start + current.keep));
    if (kept.length > 0) current.kept.push(kept);
    current.keep -= kept.length;
    current.left -= end - start;
    if (current.left === 0) {
      this.#current = null;
      current.waiting.resolve(readOf(current));
    }
    return end;
  }

  #expectAnswer(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { this.#end(gitTimedOut("cat-file", this.#timeout)); }, this.#timeout);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#hold(false);
  }

  /** Whether the process keeps this one alive: only while something is asked of it. */
  #hold(held: boolean): void {
    const child = this.#child;
    if (child === null) return;
    for (const part of [child, child.stdin, child.stdout, child.stderr] as readonly (Partial<Pick<ChildProcess, "ref" | "unref">> | null)[]) {
      if (held) part?.ref?.();
      else part?.unref?.();
    }
  }

  /** Git ended by itself. What it said of one object holds for that one, and the next reads start it again. */
  #ended(): void {
    const stderr = this.#stderr;
    if (!lacksPromised(stderr)) {
      this.#end(readerEnded(stderr));
      return;
    }
    this.#end(objectsMissing("A version of a file", this.#promisor));
    this.#problem = null;
  }

  #end(problem: GateError): void {
    clearTimeout(this.#timer);
    const child = this.#child;
    this.#child = null;
    if (child !== null) endGit(child);
    this.#problem = problem;
    this.#line = [];
    this.#rejectAll(problem);
  }

  #rejectAll(problem: GateError): void {
    const current = this.#current;
    this.#current = null;
    current?.waiting.reject(problem);
    for (const waiting of this.#waiting.splice(0)) waiting.reject(problem);
  }
}

function readOf({ waiting, size, isBlob, kept }: Current): BlobRead {
  if (!isBlob) return { kind: "missing" };
  if (size > waiting.limit && !waiting.cut) return { kind: "too-large", size };
  // A copy, as a piece would hold the whole chunk that it came in.
  return { kind: "bytes", bytes: Buffer.concat(kept) };
}
