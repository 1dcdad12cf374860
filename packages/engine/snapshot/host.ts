import { LEAVES, brokenLink } from "../discovery/disk-host.ts";
import type { DiscoveryHost, LinkEnd } from "../discovery/discover.ts";
import { kindOfName } from "../discovery/kind.ts";
import { folderOf, joinTree, nameOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { Reader, Snapshot, Target } from "./snapshot.ts";

/** As the systems do: a path through more links than this leads nowhere. */
const MOST_LINKS = 40;
/** The longest path that a link may hold. */
const LINK_BYTES = 4096;

/**
 * Looks at the files of a snapshot: links are followed by their texts, inside the snapshot only. What is looked into is
 * read at once, before discovery asks.
 */
export async function snapshotHost(snapshot: Snapshot, reader: Reader): Promise<DiscoveryHost> {
  const links = snapshot.entries.filter((entry) => entry.type === "link");
  const texts = await reader.read(links.map((entry) => entry.target), LINK_BYTES);
  const follower = new Follower(snapshot, new Map(links.map((entry, index) => [entry.path, textOf(texts[index]!)])));
  const unnamed = snapshot.entries.flatMap((entry) => {
    if (kindOfName(entry.path).kind !== "unknown") return [];
    const target = entry.type === "file" ? entry.target : entry.type === "link" ? follower.target(entry.path) : null;
    return target === null ? [] : [target];
  });
  const heads = await reader.heads(unnamed);
  const known = new Map(unnamed.map((target, index) => [keyOf(target), heads[index]!]));
  return { link: ({ path }) => follower.follow(path), head: (target) => known.get(keyOf(target)) ?? Buffer.alloc(0) };
}

function textOf(read: Awaited<ReturnType<Reader["read"]>>[number]): string | null {
  return read.kind === "bytes" ? nameOf(read.bytes) : null;
}

function keyOf(target: Target): string {
  return target.kind === "blob" ? target.id : `disk ${nameOf(Buffer.from(target.fs))}`;
}

class Follower {
  readonly #snapshot: Snapshot;
  readonly #texts: ReadonlyMap<TreePath, string | null>;
  #folders: ReadonlySet<TreePath> | null = null;

  constructor(snapshot: Snapshot, texts: ReadonlyMap<TreePath, string | null>) {
    this.#snapshot = snapshot;
    this.#texts = texts;
  }

  target(path: TreePath): Target | null {
    const end = this.follow(path);
    return "target" in end && !end.folder ? end.target : null;
  }

  follow(path: TreePath): LinkEnd {
    const end = this.#walk(path);
    // What lies outside is not looked at: under a name without ending it may be a folder of modules.
    if (typeof end !== "string") return end.reason === LEAVES ? { ...end, folder: kindOfName(path).kind === "unknown" } : end;
    const entry = this.#snapshot.byPath.get(end);
    if (entry?.type === "file") return { target: entry.target, end, folder: false };
    if (entry?.type === "folder") return { reason: "it is a symbolic link into another repository", folder: true };
    if (entry !== undefined) return { reason: "it is a symbolic link to a pipe, socket or device" };
    if (end === "" || this.#isFolder(end)) return { target: { kind: "blob", id: "" }, end, folder: true };
    return { reason: brokenLink("ENOENT") };
  }

  /** The path that is left when every link on the way is replaced by what it holds. */
  #walk(path: TreePath): TreePath | { readonly reason: string } {
    const waiting = path.split("/").reverse();
    let current = "";
    let followed = 0;
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      if (part === "" || part === ".") continue;
      if (part === "..") {
        if (current === "") return { reason: LEAVES };
        current = folderOf(current);
        continue;
      }
      const next = joinTree(current, part);
      if (!this.#texts.has(next)) {
        current = next;
        continue;
      }
      const text = this.#texts.get(next) ?? null;
      if (text === null) return { reason: brokenLink("ENOENT") };
      if (text.startsWith("/") || /^[A-Za-z]:/.test(text)) return { reason: LEAVES };
      if (++followed > MOST_LINKS) return { reason: brokenLink("ELOOP") };
      waiting.push(...text.split("/").reverse());
    }
    return current;
  }

  #isFolder(path: TreePath): boolean {
    this.#folders ??= new Set(this.#snapshot.entries.flatMap((entry) => foldersAround(entry.path)));
    return this.#folders.has(path);
  }
}

function foldersAround(path: TreePath): TreePath[] {
  const folders: TreePath[] = [];
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) folders.push(folder);
  return folders;
}
