import { joinTree } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { Unscanned } from "../report.ts";
import type { Target } from "../snapshot/snapshot.ts";
import { diskHost } from "./disk-host.ts";
import { excluder } from "./exclude.ts";
import type { Excludes } from "./exclude.ts";
import { kindOfFirstLine, kindOfName } from "./kind.ts";
import type { FileKind } from "./kind.ts";
import type { Entry, Listing } from "./list.ts";

/** A file of source code below the root. */
export interface SourceFile {
  readonly path: TreePath;
  /** What to read: never a symbolic link. */
  readonly target: Target;
  /** A name that tells the dialect. */
  readonly dialectPath: TreePath;
  /** The glob that leaves it out, or null. */
  readonly excludedBy: string | null;
  /** Whether the paths of the command line name it. */
  readonly named: boolean;
}

/** A file that should be judged and cannot be, with the reason as the end of a sentence. */
export interface Unreadable {
  readonly path: TreePath;
  readonly reason: string;
}

export interface Discovery {
  /** All source of the tree, the excluded one included, sorted by path. */
  readonly sources: readonly SourceFile[];
  readonly unreadable: readonly Unreadable[];
  readonly unscanned: readonly Unscanned[];
  /** Every regular file of the tree with what to read; for manifests and for telling what a specifier names. */
  readonly files: ReadonlyMap<TreePath, Target>;
  /** Links inside the tree, of files and folders, to where they end. */
  readonly links: ReadonlyMap<TreePath, TreePath>;
}

/** Where a link ends, or why what it shows cannot be judged. */
export type LinkEnd =
  | { readonly target: Target; readonly end: TreePath; readonly folder: boolean }
  | { readonly reason: string; readonly folder?: boolean };

/** What discovery must look at beyond names. */
export interface DiscoveryHost {
  link(entry: Entry): LinkEnd;
  /** The first bytes of a regular file; none where it cannot be read. */
  head(target: Target): Buffer;
}

interface Found {
  readonly path: TreePath;
  readonly target: Target;
  readonly kind: FileKind;
  /** For a link: where it ends. */
  readonly end: TreePath | null;
}

/** A link to a folder of the tree, whose files are listed where they lie. */
interface FolderLink {
  readonly path: TreePath;
  readonly folder: TreePath;
}

/** `discoverIn` for a tree that lies on the disk below `root`. */
export function discover(root: string, listing: Listing, exclude: readonly string[], named: readonly TreePath[]): Discovery {
  return discoverIn(diskHost(root), listing, excluder(exclude), named);
}

/**
 * Sorts a listing into source, what cannot be read, and what is not judged. `excludes` gives the glob that leaves a
 * path out; `named` are tree paths of files and folders, empty means the whole tree. Looks into nothing but links, and
 * files without ending for their first line.
 */
export function discoverIn(host: DiscoveryHost, listing: Pick<Listing, "entries" | "closed">, excludes: Excludes, named: readonly TreePath[]): Discovery {
  const isNamed = namedMatcher(named);
  const found: Found[] = [];
  const unreadable: Unreadable[] = [];
  const unscanned: Unscanned[] = [];
  const links = new Map<TreePath, TreePath>();
  for (const entry of listing.entries) {
    const result = inspect(host, entry);
    if (result === null) continue;
    if ("folder" in result) links.set(result.path, result.folder);
    else if ("kind" in result) found.push(result);
    else if ("detail" in result) unscanned.push(result);
    else if (excludes(entry.path) === null) unreadable.push(result);
  }
  const closed = listing.closed.filter((folder) => excludes(joinTree(folder.path, "x")) === null);
  for (const folder of closed) unreadable.push({ path: folder.path === "" ? "." : folder.path, reason: `the folder could not be listed: ${folder.reason}` });
  for (const file of found) if (file.end !== null) links.set(file.path, file.end);
  const sources: SourceFile[] = [];
  for (const file of withoutDoubles(found, excludes)) {
    if (file.kind.kind === "judged") sources.push(new FoundSource(file, file.kind.dialectPath, excludes, isNamed));
    else if (file.kind.kind === "unsupported") unscanned.push(leftOut(file.path, excludes(file.path), file.kind.detail));
  }
  return {
    sources,
    unreadable: unreadable.filter((file) => isNamed(file.path)),
    unscanned: unscanned.filter((file) => isNamed(file.path)),
    files: targetsOf(found),
    links,
  };
}

function targetsOf(found: readonly Found[]): ReadonlyMap<TreePath, Target> {
  const targets = new Map<TreePath, Target>();
  for (const file of found) targets.set(file.path, file.target);
  return targets;
}

/** Globs are matched when somebody asks: of a large tree a change touches little. */
class FoundSource implements SourceFile {
  readonly path: TreePath;
  readonly target: Target;
  readonly dialectPath: TreePath;
  readonly #excludes: Excludes;
  readonly #isNamed: (file: TreePath) => boolean;

  constructor({ path, target }: Found, dialectPath: TreePath, excludes: Excludes, isNamed: (file: TreePath) => boolean) {
    this.path = path;
    this.target = target;
    this.dialectPath = dialectPath;
    this.#excludes = excludes;
    this.#isNamed = isNamed;
  }

  get excludedBy(): string | null {
    return this.#excludes(this.path);
  }

  get named(): boolean {
    return this.#isNamed(this.path);
  }
}

function leftOut(file: TreePath, excludedBy: string | null, language: string): Unscanned {
  if (excludedBy !== null) return { path: file, reason: "excluded", detail: excludedBy };
  return { path: file, reason: "unsupported", detail: language };
}

function namedMatcher(named: readonly TreePath[]): (file: TreePath) => boolean {
  if (named.length === 0 || named.includes("")) return () => true;
  const exact = new Set(named);
  return (file) => {
    for (let end = file.length; end !== -1; end = file.lastIndexOf("/", end - 1)) if (exact.has(file.slice(0, end))) return true;
    return false;
  };
}

/** What an entry is; null for what holds no code. */
function inspect(host: DiscoveryHost, entry: Entry): Found | FolderLink | Unreadable | Unscanned | null {
  if (entry.type === "folder") return { path: entry.path, reason: "unsupported", detail: "nested repository" };
  const byName = kindOfName(entry.path);
  if (entry.type === "link") return inspectLink(host, entry, byName);
  if (entry.type === "other") return byName.kind === "judged" ? { path: entry.path, reason: "it is a pipe, socket or device" } : null;
  return { path: entry.path, target: entry.target, kind: settle(host, entry.path, entry.target, byName), end: null };
}

function inspectLink(host: DiscoveryHost, entry: Entry, byName: FileKind): Found | FolderLink | Unreadable | null {
  const link = host.link(entry);
  // A folder outside may hold modules that the tree imports, whatever the link is called.
  if ("reason" in link) return byName.kind === "judged" || link.folder === true ? { path: entry.path, reason: link.reason } : null;
  if (link.folder) return { path: entry.path, folder: link.end };
  return { path: entry.path, target: link.target, kind: settle(host, entry.path, link.target, byName), end: link.end };
}

function settle(host: DiscoveryHost, name: TreePath, target: Target, byName: FileKind): FileKind {
  return byName.kind === "unknown" ? kindOfFirstLine(name, host.head(target)) : byName;
}

/** One path for each judged file: its own where that is judged, else the first judged link to it. */
function withoutDoubles(found: readonly Found[], excludes: Excludes): readonly Found[] {
  if (found.every((file) => file.end === null)) return found;
  const judged = new Set(found.filter((file) => file.end === null && file.kind.kind === "judged").map((file) => file.path));
  const taken = new Set<TreePath>();
  return found.filter((file) => {
    if (file.end === null) return true;
    if (file.kind.kind !== "judged" || excludes(file.path) !== null) return false;
    if (taken.has(file.end) || (judged.has(file.end) && excludes(file.end) === null)) return false;
    taken.add(file.end);
    return true;
  });
}
