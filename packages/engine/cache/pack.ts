import { hash } from "node:crypto";
import { closeSync, constants, fstatSync, futimesSync, openSync, readSync } from "node:fs";
import type { Section } from "./facts-cache.ts";

/*
 * A pack is written once and never changed:
 *   8 bytes   "AGFACTS1"
 *   32        what made the facts (`extractorId`)
 *   4, 8      number of records, size of the file (little-endian)
 *   32        SHA-256 of all the above and of the index
 *   32 each   index, sorted: 23 bytes of the key's SHA-256, 1 for the section, 4 for the record's offset, 4 for its length
 *   records   16 bytes of the SHA-256 of key and content, then the content
 */
const MAGIC = Buffer.from("AGFACTS1", "latin1");
const SUM_AT = 52;
const HEADER = 84;
const ENTRY = 32;
const KEY = 24;
const SUM = 16;
/** Offsets have 32 bits. */
export const MAX_PACK_BYTES = 2 ** 32 - 1;

/** The key of a record: the first 23 bytes of SHA-256, which nobody can make two keys share, and the section. */
export type RecordKey = Buffer;

const SECTIONS = ["facts", "specifiers", "reach"] as const satisfies readonly Section[];
let last: { readonly key: string; readonly hashed: Buffer } | null = null;

export function recordKey(section: Section, key: string): RecordKey {
  // The sections of a text are asked for one after the other.
  if (last?.key !== key) last = { key, hashed: hash("sha256", key, "buffer") };
  const record = Buffer.from(last.hashed.subarray(0, KEY));
  record[KEY - 1] = SECTIONS.indexOf(section);
  return record;
}

/** A record's bytes: its content behind a checksum over key and content. */
export function encodeSection(key: RecordKey, content: Uint8Array): Buffer {
  return Buffer.concat([checksum(key, content), content]);
}

/** The content of a record; null where it is not exactly what was written under this key. */
export function decodeSection(key: RecordKey, record: Uint8Array): Uint8Array | null {
  if (record.length < SUM) return null;
  const content = record.subarray(SUM);
  return checksum(key, content).equals(record.subarray(0, SUM)) ? content : null;
}

function checksum(key: RecordKey, content: Uint8Array): Buffer {
  return hash("sha256", Buffer.concat([key, content]), "buffer").subarray(0, SUM);
}

export interface PackRecord {
  readonly key: RecordKey;
  /** As `encodeSection` made it. */
  readonly record: Uint8Array;
}

/** The bytes of a pack. Of two records with one key the first is kept. */
export function encodePack(extractor: string, records: readonly PackRecord[]): Buffer {
  const sorted = [...records].sort((left, right) => left.key.compare(right.key)).filter((one, index, all) => index === 0 || !one.key.equals(all[index - 1]!.key));
  const start = HEADER + sorted.length * ENTRY;
  const pack = Buffer.alloc(sorted.reduce((sum, { record }) => sum + record.length, start));
  let offset = start;
  sorted.forEach(({ key, record }, index) => {
    const entry = HEADER + index * ENTRY;
    pack.set(key, entry);
    pack.writeUInt32LE(offset, entry + KEY);
    pack.writeUInt32LE(record.length, entry + KEY + 4);
    pack.set(record, offset);
    offset += record.length;
  });
  pack.set(MAGIC);
  pack.write(extractor, 8, 32, "hex");
  pack.writeUInt32LE(sorted.length, 40);
  pack.writeBigUInt64LE(BigInt(pack.length), 44);
  pack.set(headSum(pack.subarray(0, start)), SUM_AT);
  return pack;
}

function headSum(head: Buffer): Buffer {
  return hash("sha256", Buffer.concat([head.subarray(0, SUM_AT), head.subarray(HEADER)]), "buffer");
}

/** An open pack: its index in memory, its records in the file. */
export class Pack {
  readonly path: string;
  readonly size: number;
  readonly #file: number;
  readonly #index: Buffer;
  readonly #modified: number;
  #used = false;

  private constructor(path: string, file: number, index: Buffer, size: number, modified: number) {
    this.path = path;
    this.size = size;
    this.#file = file;
    this.#index = index;
    this.#modified = modified;
  }

  /** Null for a file that is no whole pack of this extractor, or belongs to somebody else. */
  static open(path: string, extractor: string): Pack | null {
    let file = -1;
    try {
      file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      const status = fstatSync(file);
      const owned = process.getuid === undefined || status.uid === process.getuid();
      const index = status.isFile() && owned ? readIndex(file, status.size, extractor) : null;
      if (index !== null) return new Pack(path, file, index, status.size, status.mtimeMs);
    } catch {
      // As one that is damaged.
    }
    if (file !== -1) closeSync(file);
    return null;
  }

  get(key: RecordKey): Uint8Array | null {
    const at = this.#find(key);
    if (at === -1) return null;
    const content = decodeSection(key, this.#read(at));
    if (content !== null) this.#used = true;
    return content;
  }

  /** All records that are unharmed. */
  records(): PackRecord[] {
    const records: PackRecord[] = [];
    for (let at = 0; at < this.#index.length; at += ENTRY) {
      const key = this.#index.subarray(at, at + KEY);
      const record = this.#read(at);
      if (decodeSection(key, record) !== null) records.push({ key, record });
    }
    return records;
  }

  /** Notes in the file's time that it was of use, at most once an hour: what was used last goes last. */
  close(now: number): void {
    try {
      if (this.#used && now - this.#modified > 3_600_000) futimesSync(this.#file, now / 1000, now / 1000);
    } catch {
      // On a disk that cannot be written, nothing needs to go.
    }
    closeSync(this.#file);
  }

  #find(key: RecordKey): number {
    const index = this.#index;
    const head = key.readUInt32BE(0);
    let low = 0;
    let high = index.length / ENTRY;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (index.readUInt32BE(middle * ENTRY) < head) low = middle + 1;
      else high = middle;
    }
    for (let at = low * ENTRY; at < index.length && index.readUInt32BE(at) === head; at += ENTRY) {
      if (key.equals(index.subarray(at, at + KEY))) return at;
    }
    return -1;
  }

  /** The bytes of a record; fewer where the file was cut meanwhile. */
  #read(at: number): Buffer {
    const offset = this.#index.readUInt32LE(at + KEY);
    const length = this.#index.readUInt32LE(at + KEY + 4);
    try {
      return readAt(this.#file, offset, length);
    } catch {
      return Buffer.alloc(0);
    }
  }
}

/** The checked index; null where anything is not as `encodePack` writes it. */
function readIndex(file: number, size: number, extractor: string): Buffer | null {
  if (size < HEADER || size > MAX_PACK_BYTES) return null;
  const header = readAt(file, 0, HEADER);
  if (header.length < HEADER || !header.subarray(0, 8).equals(MAGIC) || header.toString("hex", 8, 40) !== extractor) return null;
  const count = header.readUInt32LE(40);
  if (header.readBigUInt64LE(44) !== BigInt(size) || HEADER + count * ENTRY > size) return null;
  const index = readAt(file, HEADER, count * ENTRY);
  return headSum(Buffer.concat([header, index])).equals(header.subarray(SUM_AT, HEADER)) ? index : null;
}

function readAt(file: number, offset: number, length: number): Buffer {
  // Small ones share memory, and each large one keeps no more than its own alive.
  const bytes = length < 2048 ? Buffer.allocUnsafe(length) : Buffer.allocUnsafeSlow(length);
  let done = 0;
  while (done < length) {
    const count = readSync(file, bytes, done, length - done, offset + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}
