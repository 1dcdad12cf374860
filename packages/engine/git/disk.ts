import { lstatSync } from "node:fs";
import type { Stats } from "node:fs";
import { codeOf } from "../errors.ts";
import { isPlainName, joinFs } from "../paths.ts";
import type { FsPath, TreePath } from "../paths.ts";
import type { SnapshotEntry } from "../snapshot/snapshot.ts";

/** The files below a folder of the disk; none that only a link leads to. */
export class DiskFolder {
  readonly #root: string;
  /** By bytes of a folder's name, as latin1: whether every step to it is a folder and no link. */
  readonly #folders = new Map<string, boolean>([["", true]]);

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * The entry of a name, null where nothing is there. `mode`: what git says of it (`100755`); else the disk tells
   * whether it is executable.
   */
  entry(bytes: Buffer, path: TreePath, mode: string | undefined): SnapshotEntry | null {
    if (!this.#isReached(bytes)) return null;
    const fs = joinFs(this.#root, isPlainName(bytes, path) ? path : bytes);
    const status = statOf(fs);
    if (status === null) return null;
    // What cannot be looked at is taken for a file: reading it will say why it cannot be read.
    if (status === "closed") return { path, type: "file", executable: false, target: { kind: "disk", fs }, blob: null };
    // Where links cannot be made, git writes what a link points to into a file and keeps its mode.
    const type = mode === "120000" && status.isFile() ? "link" : typeOf(status);
    const executable = type === "file" && (mode === undefined || mode === "" ? (status.mode & 0o100) !== 0 : mode === "100755");
    return { path, type, executable, target: type === "link" ? { kind: "disk", fs, link: true } : { kind: "disk", fs }, blob: null };
  }

  #isReached(bytes: Buffer): boolean {
    const key = bytes.toString("latin1");
    const slash = key.lastIndexOf("/");
    return slash === -1 || this.#isFolder(key.slice(0, slash));
  }

  /** From the top down, without recursion: names can be as deep as their maker likes. */
  #isFolder(folder: string): boolean {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    let reached = true;
    for (let end = folder.indexOf("/"); reached; end = folder.indexOf("/", end + 1)) {
      const step = end === -1 ? folder : folder.slice(0, end);
      reached = this.#folders.get(step) ?? isFolder(joinFs(this.#root, Buffer.from(step, "latin1")));
      this.#folders.set(step, reached);
      if (end === -1) break;
    }
    this.#folders.set(folder, reached);
    return reached;
  }
}

function isFolder(target: FsPath): boolean {
  const status = statOf(target);
  return status === "closed" || status?.isDirectory() === true;
}

/** Null where nothing is there, `closed` where it cannot be told. */
function statOf(target: FsPath): Stats | "closed" | null {
  try {
    return lstatSync(target);
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOENT" || code === "ENOTDIR" ? null : "closed";
  }
}

function typeOf(status: Stats): SnapshotEntry["type"] {
  if (status.isFile()) return "file";
  if (status.isSymbolicLink()) return "link";
  return status.isDirectory() ? "folder" : "other";
}
