import { comparePaths, nameOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { Snapshot, SnapshotEntry } from "../snapshot/snapshot.ts";

/** A name as git lists it. */
export interface Listed {
  readonly bytes: Buffer;
  readonly path: TreePath;
  /** Octal, as git prints it: `100644`, `100755`, `120000` (link), `160000` (submodule). */
  readonly mode: string;
  readonly id: string;
}

/** Takes a listed name apart: what stands before the tab are words, and the rest is the name. */
export function splitEntry(entry: Buffer): { words: string[]; bytes: Buffer; path: TreePath } {
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
