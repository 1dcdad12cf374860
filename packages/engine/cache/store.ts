import { randomBytes } from "node:crypto";
import { lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { codeOf } from "../errors.ts";
import type { FactsCache, Section } from "./facts-cache.ts";
import { Pack, encodePack, encodeSection, recordKey } from "./pack.ts";
import type { PackRecord } from "./pack.ts";

const NAME = /^[0-9a-f]{16}-[0-9a-z]{9}-[0-9a-f]{12}\.(?:pack|tmp)$/;
/** More packs than this are merged when the run ends, and this is how large a pack may become by merging. */
const MERGE_ABOVE = 8;
const MAX_MERGED_BYTES = 64 * 1024 * 1024;
/** Packs of all extractors; each open one takes a file handle. */
const MAX_PACKS = 64;
/** What is put is written when it takes this much memory. */
const BUFFERED_BYTES = 32 * 1024 * 1024;
/** A file half written that is older was left by a run that was killed. */
const ABANDONED_MILLISECONDS = 3_600_000;

interface Listed {
  readonly path: string;
  readonly size: number;
  readonly modified: number;
}

/**
 * Packs in one folder. A run adds packs of its own and changes none: it writes them under another name and renames them
 * when they are whole, so that runs neither wait for each other nor see anything half written.
 */
export class PackStore implements FactsCache {
  readonly #folder: string;
  readonly #extractor: string;
  readonly #maxBytes: number;
  readonly #pending = new Map<string, PackRecord>();
  #pendingBytes = 0;
  /** The newest first. */
  readonly #packs: Pack[] = [];
  readonly #damaged: string[] = [];
  #state: "open" | "read-only" | "closed" = "open";
  #note: string | null = null;

  constructor(folder: string, extractor: string, maxBytes: number) {
    this.#folder = folder;
    this.#extractor = extractor;
    this.#maxBytes = maxBytes;
    const newest = this.#list(".pack").filter((file) => this.#isOwn(file)).sort((left, right) => (left.path < right.path ? 1 : -1));
    for (const file of newest.slice(0, MAX_PACKS)) {
      const pack = Pack.open(file.path, extractor);
      if (pack === null) this.#damaged.push(file.path);
      else this.#packs.push(pack);
    }
  }

  get note(): string | null {
    return this.#note;
  }

  get(key: string, section: Section): Uint8Array | null {
    if (this.#state === "closed") return null;
    const hashed = recordKey(section, key);
    const pending = this.#pending.get(hashed.toString("latin1"));
    if (pending !== undefined) return pending.record.subarray(16);
    for (const pack of this.#packs) {
      const content = pack.get(hashed);
      if (content !== null) return content;
    }
    return null;
  }

  put(key: string, section: Section, bytes: Uint8Array): void {
    if (this.#state !== "open" || bytes.length > this.#maxBytes) return;
    const hashed = recordKey(section, key);
    const record = encodeSection(hashed, bytes);
    this.#pending.set(hashed.toString("latin1"), { key: hashed, record });
    this.#pendingBytes += record.length;
    if (this.#pendingBytes > BUFFERED_BYTES) this.#write();
  }

  flush(): Promise<void> {
    this.#write();
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#state === "closed") return Promise.resolve();
    this.#write();
    const now = Date.now();
    if (this.#state === "open") this.#merge();
    for (const pack of this.#packs.splice(0)) pack.close(now);
    this.#tidy(now);
    this.#state = "closed";
    return Promise.resolve();
  }

  #write(): void {
    if (this.#pending.size === 0) return;
    const records = [...this.#pending.values()];
    this.#pending.clear();
    this.#pendingBytes = 0;
    try {
      this.#add(records);
    } catch (error) {
      // What cannot be written now is not tried again: the run goes on without.
      this.#state = "read-only";
      this.#note ??= `Facts of this run are not cached: writing to the cache folder failed (${codeOf(error) || "unknown error"}).`;
    }
  }

  #add(records: readonly PackRecord[]): void {
    const name = `${this.#extractor.slice(0, 16)}-${Date.now().toString(36).padStart(9, "0")}-${randomBytes(6).toString("hex")}`;
    const file = path.join(this.#folder, `${name}.pack`);
    const half = path.join(this.#folder, `${name}.tmp`);
    try {
      writeFileSync(half, encodePack(this.#extractor, records), { flag: "wx", mode: 0o600 });
      renameSync(half, file);
      const pack = Pack.open(file, this.#extractor);
      if (pack !== null) this.#packs.unshift(pack);
    } catch (error) {
      remove(half);
      throw error;
    }
  }

  /** Puts the smallest packs together, so that reading does not ask ever more of them. Each record is checked. */
  #merge(): void {
    if (this.#packs.length <= MERGE_ABOVE) return;
    const chosen: Pack[] = [];
    let bytes = 0;
    for (const pack of [...this.#packs].sort((left, right) => left.size - right.size)) {
      // A large one is written again only together with about as much of small ones.
      if (bytes + pack.size > MAX_MERGED_BYTES || (chosen.length > 1 && pack.size > 2 * bytes)) break;
      chosen.push(pack);
      bytes += pack.size;
    }
    if (chosen.length < 2) return;
    // In their order: of two records with one key the newer stays.
    const ordered = this.#packs.filter((pack) => chosen.includes(pack));
    try {
      this.#add(ordered.flatMap((pack) => pack.records()));
    } catch {
      return;
    }
    for (const pack of ordered) remove(pack.path);
  }

  /** Removes what was left half written, what is damaged, and what was used longest ago beyond the bounds. */
  #tidy(now: number): void {
    for (const file of this.#damaged) remove(file);
    for (const file of this.#list(".tmp")) if (now - file.modified > ABANDONED_MILLISECONDS) remove(file.path);
    const packs = this.#list(".pack").sort((left, right) => right.modified - left.modified);
    let bytes = 0;
    packs.forEach((file, index) => {
      bytes += file.size;
      if (bytes > this.#maxBytes || index >= MAX_PACKS) remove(file.path);
    });
  }

  #isOwn(file: Listed): boolean {
    return path.basename(file.path).startsWith(this.#extractor.slice(0, 16));
  }

  /** Regular files of ours with this ending. */
  #list(ending: ".pack" | ".tmp"): Listed[] {
    try {
      return readdirSync(this.#folder).filter((name) => NAME.test(name) && name.endsWith(ending)).flatMap((name) => listed(path.join(this.#folder, name)));
    } catch {
      return [];
    }
  }
}

function listed(file: string): Listed[] {
  try {
    const status = lstatSync(file);
    return status.isFile() ? [{ path: file, size: status.size, modified: status.mtimeMs }] : [];
  } catch {
    // Another run has tidied up.
    return [];
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It is harmless where it is.
  }
}
