import type { EvidenceFile, EvidenceTree } from "@agentgate/rules/contracts";
import { readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { isBelow } from "../discovery/root.ts";
import { codeOf } from "../errors.ts";
import { comparePaths, joinTree } from "../paths.ts";
import { readBounded } from "../reading/read.ts";

/** A dataset may be large; what is larger belongs into no repository. */
const MAX_EVIDENCE_BYTES = 64 * 1_048_576;

/** The tree as it lies on the disk. Links are followed inside of `root` only, and every file is read once. */
export class DiskTree implements EvidenceTree {
  readonly #root: string;
  readonly #files = new Map<string, EvidenceFile>();
  readonly #lists = new Map<string, readonly string[]>();

  /** `root`: absolute, with no link in it. */
  constructor(root: string) {
    this.#root = root;
  }

  read(file: string): EvidenceFile {
    const known = this.#files.get(file) ?? this.#read(file);
    this.#files.set(file, known);
    return known;
  }

  list(folder: string): readonly string[] {
    const known = this.#lists.get(folder) ?? this.#list(folder);
    this.#lists.set(folder, known);
    return known;
  }

  /** The files that were asked for and are there, sorted. */
  filesRead(): readonly string[] {
    return [...this.#files].filter(([, file]) => file.kind === "file").map(([file]) => file).sort(comparePaths);
  }

  #read(file: string): EvidenceFile {
    const real = this.#resolve(file);
    if (typeof real !== "string") return real;
    const read = readBounded(real, MAX_EVIDENCE_BYTES);
    if (read.kind === "bytes") return { kind: "file", bytes: read.bytes };
    return { kind: "unreadable", reason: read.kind === "too-large" ? `it has more than ${MAX_EVIDENCE_BYTES} bytes` : read.reason };
  }

  /** Where a path leads, links resolved; it is inside of the repository and not git's own. */
  #resolve(file: string): string | EvidenceFile {
    try {
      const real = realpathSync(path.join(this.#root, file));
      if (!isBelow(this.#root, real)) return { kind: "outside" };
      const [first] = path.relative(this.#root, real).split(path.sep);
      return first === ".git" ? { kind: "unreadable", reason: "it is git's own" } : real;
    } catch (error) {
      const code = codeOf(error);
      if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
      return { kind: "unreadable", reason: code === "ELOOP" ? "it is a link that leads back to itself" : `reading it failed (${code})` };
    }
  }

  #list(folder: string): readonly string[] {
    const files: string[] = [];
    const open = [folder];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const entry of this.#entries(next)) {
        const below = joinTree(next, entry.name);
        if (entry.isDirectory()) open.push(below);
        // A link is read like any other path: inside of the repository or not at all.
        else if (entry.isFile() || entry.isSymbolicLink()) files.push(below);
      }
    }
    return files.sort(comparePaths);
  }

  #entries(folder: string): ReturnType<typeof readFolder> {
    const real = this.#resolve(folder);
    return typeof real === "string" ? readFolder(real) : [];
  }
}

function readFolder(folder: string): { readonly name: string; isDirectory(): boolean; isFile(): boolean; isSymbolicLink(): boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
