import type { ModuleFacts } from "@agentgate/parsers";
import { blobId } from "../git/blob-id.ts";
import type { ObjectFormat } from "../git/blob-id.ts";
import { comparePaths } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { Reader, SnapshotEntry } from "../snapshot/snapshot.ts";
import type { ChangedFile, Difference, Side } from "./change.ts";
import { renamesBetween } from "./renames.ts";
import type { Loose } from "./renames.ts";
import type { ChangeSide } from "./side.ts";

/** What is read of a file as text. */
const TEXT_BYTES = 1_048_576;
/** What is read to name the content of a file that git has not named. */
const HASHED_BYTES = 67_108_864;

/** The names of the contents at head that git has not named: changed in the working tree. */
export class HeadBlobs {
  readonly #reader: Reader;
  readonly #format: ObjectFormat;
  readonly #ids = new Map<TreePath, string>();

  constructor(reader: Reader, format: ObjectFormat) {
    this.#reader = reader;
    this.#format = format;
  }

  async name(entries: readonly SnapshotEntry[]): Promise<void> {
    const unnamed = entries.filter((entry) => entry.blob === null && !this.#ids.has(entry.path));
    for (let index = 0; index < unnamed.length; index += 256) {
      const some = unnamed.slice(index, index + 256);
      const reads = await this.#reader.read(some.map((entry) => entry.target), HASHED_BYTES);
      some.forEach(({ path }, place) => {
        const read = reads[place]!;
        // What cannot be read equals nothing, not even itself at the base.
        this.#ids.set(path, read.kind === "bytes" ? blobId(read.bytes, this.#format) : read.kind === "too-large" ? `of ${read.size} bytes` : "unreadable");
      });
    }
  }

  of(entry: SnapshotEntry): string {
    return entry.blob ?? this.#ids.get(entry.path) ?? "unreadable";
  }
}

/** Compares two sides file by file, renames found. */
export async function differenceBetween(base: ChangeSide, head: ChangeSide, blobs: HeadBlobs, reader: Reader): Promise<Difference> {
  await blobs.name(head.snapshot.entries.filter((entry) => entry.blob === null));
  const sides = { base: sideOf(base, blobs, reader), head: sideOf(head, blobs, reader) };
  const added: SnapshotEntry[] = [];
  const files: ChangedFile[] = [];
  for (const entry of head.snapshot.entries) {
    const before = base.entries.get(entry.path);
    if (before === undefined) added.push(entry);
    else if (!isSame(before, entry, blobs)) files.push({ path: entry.path, basePath: entry.path, status: "modified", baseBlob: blobs.of(before), headBlob: blobs.of(entry) });
  }
  const deleted = base.snapshot.entries.filter((entry) => !head.entries.has(entry.path));
  const pairs = deleted.length > 0 && added.length > 0;
  const renames = pairs ? renamesBetween(await looseOf(deleted, blobs, reader), await looseOf(added, blobs, reader)) : new Map<TreePath, TreePath>();
  const gone = new Set(renames.values());
  for (const entry of added) {
    const from = renames.get(entry.path);
    const before = from === undefined ? undefined : base.entries.get(from);
    files.push({ path: entry.path, basePath: from ?? null, status: before === undefined ? "added" : "renamed", baseBlob: before === undefined ? null : blobs.of(before), headBlob: blobs.of(entry) });
  }
  for (const entry of deleted) if (!gone.has(entry.path)) files.push({ path: entry.path, basePath: entry.path, status: "deleted", baseBlob: blobs.of(entry), headBlob: null });
  return { ...sides, files: files.sort((left, right) => comparePaths(left.path, right.path)) };
}

function isSame(before: SnapshotEntry, now: SnapshotEntry, blobs: HeadBlobs): boolean {
  return before.type === now.type && blobs.of(before) === blobs.of(now) && before.executable === now.executable;
}

/** Files alone are compared: a link's text and a submodule's commit say nothing about what was in them. */
async function looseOf(entries: readonly SnapshotEntry[], blobs: HeadBlobs, reader: Reader): Promise<Loose[]> {
  const files = entries.filter((entry) => entry.type === "file");
  const reads = await reader.read(files.map((entry) => entry.target), TEXT_BYTES);
  return files.map((entry, index) => {
    const read = reads[index]!;
    return { path: entry.path, blob: blobs.of(entry), text: read.kind === "bytes" ? textOf(read.bytes) : null };
  });
}

function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function sideOf(side: ChangeSide, blobs: HeadBlobs, reader: Reader): Side {
  let paths: ReadonlySet<TreePath> | null = null;
  // Each detector looks at the same changed files.
  const texts = new Map<TreePath, Promise<string | null>>();
  const read = async (path: TreePath): Promise<string | null> => {
    const entry = side.entries.get(path);
    if (entry?.type !== "file") return null;
    const [found] = await reader.read([entry.target], TEXT_BYTES);
    return found?.kind === "bytes" ? textOf(found.bytes) : null;
  };
  return {
    // Few rules ask for all of them.
    get paths() {
      return (paths ??= new Set(side.entries.keys()));
    },
    blob: (path) => {
      const entry = side.entries.get(path);
      return entry === undefined ? null : blobs.of(entry);
    },
    text: (path) => {
      const known = texts.get(path) ?? read(path);
      texts.set(path, known);
      return known;
    },
    facts: (path): ModuleFacts | null => side.module(path)?.facts ?? null,
  };
}
