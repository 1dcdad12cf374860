import { isAscii } from "node:buffer";
import { comparePaths, nameOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { Snapshot, SnapshotEntry } from "../snapshot/snapshot.ts";
import { splitAtNul } from "./run.ts";

/** A name as git lists it. */
export interface Listed {
  readonly path: TreePath;
  /** Octal, as git prints it: `100644`, `100755`, `120000` (link), `160000` (submodule). */
  readonly mode: string;
  readonly id: string;
}

/** A listed name taken apart: what stands before the tab are words, and the rest is the name. */
export interface Split {
  readonly words: readonly string[];
  readonly bytes: Buffer;
  readonly path: TreePath;
}

/** Takes `-z` output of listings apart. Lists are long and nearly always plain: then no name is a buffer of its own. */
export function splitEntries(output: Buffer): Split[] {
  if (!isAscii(output)) return splitAtNul(output).map(splitEntry);
  const text = output.toString("latin1");
  const entries: Split[] = [];
  for (let start = 0, end = text.indexOf("\0"); end !== -1; start = end + 1, end = text.indexOf("\0", start)) entries.push(new PlainEntry(text.slice(start, end)));
  return entries;
}

class PlainEntry implements Split {
  readonly words: readonly string[];
  readonly path: TreePath;

  constructor(entry: string) {
    const tab = entry.indexOf("\t");
    this.words = entry.slice(0, tab).split(" ");
    this.path = entry.slice(tab + 1);
  }

  get bytes(): Buffer {
    return Buffer.from(this.path, "latin1");
  }
}

function splitEntry(entry: Buffer): Split {
  const tab = entry.indexOf(9);
  const bytes = entry.subarray(tab + 1);
  return { words: entry.toString("latin1", 0, tab).split(" "), bytes, path: nameOf(bytes) };
}

/** The entry of a name whose bytes are those of a blob that git holds. */
export function blobEntry({ path, mode, id }: Listed): SnapshotEntry {
  return { path, type: typeOfMode(mode), executable: mode === "100755", target: { kind: "blob", id }, blob: id };
}

function typeOfMode(mode: string): SnapshotEntry["type"] {
  if (mode.startsWith("100")) return "file";
  if (mode === "120000") return "link";
  return mode === "160000" || mode === "040000" ? "folder" : "other";
}

/** Collects entries; a path that comes twice is kept once and said to have several versions. */
export class SnapshotBuilder {
  readonly #entries = new Map<TreePath, SnapshotEntry>();
  readonly #unmerged = new Set<TreePath>();
  readonly #closed: { path: TreePath; reason: string }[] = [];

  add(entry: SnapshotEntry): void {
    if (!isBelowRoot(entry.path)) this.close(entry.path, "its name is none that git would write to a disk");
    else if (this.#entries.has(entry.path)) this.#unmerged.add(entry.path);
    else this.#entries.set(entry.path, entry);
  }

  has(path: TreePath): boolean {
    return this.#entries.has(path);
  }

  markUnmerged(path: TreePath): void {
    this.#unmerged.add(path);
  }

  close(path: TreePath, reason: string): void {
    this.#closed.push({ path, reason });
  }

  build(): Snapshot {
    return {
      entries: [...this.#entries.values()].sort((left, right) => comparePaths(left.path, right.path)),
      byPath: this.#entries,
      unmerged: [...this.#unmerged].sort(comparePaths),
      closed: this.#closed.sort((left, right) => comparePaths(left.path, right.path)),
    };
  }
}

/** A commit can be made by hand to hold any name; git itself refuses to check these out. */
function isBelowRoot(path: TreePath): boolean {
  if (!path.includes("..") && !path.includes("./") && !path.includes("//") && !path.startsWith("/") && !path.endsWith("/.")) return path !== "" && path !== ".";
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}
