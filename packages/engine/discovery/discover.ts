import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { codeOf } from "../errors.ts";
import { joinFs, joinTree, nameOf } from "../paths.ts";
import type { FsPath, TreePath } from "../paths.ts";
import type { Unscanned } from "../report.ts";
import { excluder } from "./exclude.ts";
import { kindOfFirstLine, kindOfName } from "./kind.ts";
import type { FileKind } from "./kind.ts";
import type { Entry, Listing } from "./list.ts";

/** A file of source code below the root. */
export interface SourceFile {
  readonly path: TreePath;
  /** What to open: never a symbolic link, absolute. */
  readonly target: FsPath;
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
  /** Every regular file of the tree with what to open; for manifests and for telling what a specifier names. */
  readonly files: ReadonlyMap<TreePath, FsPath>;
  /** Links inside the tree, of files and folders, to where they end. */
  readonly links: ReadonlyMap<TreePath, TreePath>;
}

interface Found {
  readonly path: TreePath;
  readonly target: FsPath;
  readonly kind: FileKind;
  /** For a link: where it ends. */
  readonly end: TreePath | null;
}

/** A link to a folder of the tree, whose files are listed where they lie. */
interface FolderLink {
  readonly path: TreePath;
  readonly folder: TreePath;
}

/**
 * Sorts a listing into source, what cannot be read, and what is not judged. `named` are tree paths of files and
 * folders; empty means the whole tree. Opens nothing but files without ending, for their first line.
 */
export function discover(root: string, listing: Listing, exclude: readonly string[], named: readonly TreePath[]): Discovery {
  const excludes = excluder(exclude);
  const isNamed = namedMatcher(named);
  const found: Found[] = [];
  const unreadable: Unreadable[] = [];
  const unscanned: Unscanned[] = [];
  const links = new Map<TreePath, TreePath>();
  for (const entry of listing.entries) {
    const result = inspect(root, entry);
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
    const excludedBy = excludes(file.path);
    if (file.kind.kind === "judged") sources.push({ path: file.path, target: file.target, dialectPath: file.kind.dialectPath, excludedBy, named: isNamed(file.path) });
    else if (file.kind.kind === "unsupported") unscanned.push(leftOut(file.path, excludedBy, file.kind.detail));
  }
  return {
    sources,
    unreadable: unreadable.filter((file) => isNamed(file.path)),
    unscanned: unscanned.filter((file) => isNamed(file.path)),
    files: new Map(found.map((file) => [file.path, file.target])),
    links,
  };
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
function inspect(root: string, entry: Entry): Found | FolderLink | Unreadable | Unscanned | null {
  if (entry.type === "folder") return { path: entry.path, reason: "unsupported", detail: "nested repository" };
  const byName = kindOfName(entry.path);
  if (entry.type === "link") return inspectLink(root, entry, byName);
  if (entry.type === "other") return byName.kind === "judged" ? { path: entry.path, reason: "it is a pipe, socket or device" } : null;
  const target = joinFs(root, entry.fs);
  return { path: entry.path, target, kind: settle(entry.path, target, byName), end: null };
}

function inspectLink(root: string, entry: Entry, byName: FileKind): Found | FolderLink | Unreadable | null {
  const link = followLink(root, joinFs(root, entry.fs));
  // A folder outside may hold modules that the tree imports, whatever the link is called.
  if ("reason" in link) return byName.kind === "judged" || link.folder === true ? { path: entry.path, reason: link.reason } : null;
  if (link.folder) return { path: entry.path, folder: link.end };
  return { path: entry.path, target: link.target, kind: settle(entry.path, link.target, byName), end: link.end };
}

/** Where a link ends, or why it cannot be judged. */
function followLink(root: string, link: FsPath): { readonly target: FsPath; readonly end: TreePath; readonly folder: boolean } | { readonly reason: string; readonly folder?: boolean } {
  try {
    const target = realpathSync(link, { encoding: "buffer" });
    const name = nameOf(target);
    const inside = root.endsWith("/") ? root : `${root}/`;
    const status = statSync(target);
    if (name !== root && !name.startsWith(inside)) {
      return { reason: "it is a symbolic link that leaves the tree, and such links are not followed", folder: status.isDirectory() };
    }
    const end = name.slice(inside.length);
    if (status.isDirectory()) return { target, end, folder: true };
    return status.isFile() ? { target, end, folder: false } : { reason: "it is a symbolic link to a pipe, socket or device" };
  } catch (error) {
    return { reason: brokenLink(codeOf(error)) };
  }
}

function brokenLink(code: string): string {
  if (code === "ELOOP") return "it is a symbolic link that leads back to itself";
  return code === "ENOENT" ? "it is a symbolic link to nothing" : `it is a symbolic link that cannot be followed (${code})`;
}

function settle(name: TreePath, target: FsPath, byName: FileKind): FileKind {
  return byName.kind === "unknown" ? kindOfFirstLine(name, headOf(target)) : byName;
}

/** The first bytes of a regular file; none where it cannot be read. */
function headOf(target: FsPath): Buffer {
  const head = Buffer.alloc(256);
  try {
    const file = openSync(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return fstatSync(file).isFile() ? head.subarray(0, readSync(file, head, 0, head.length, 0)) : Buffer.alloc(0);
    } finally {
      closeSync(file);
    }
  } catch {
    return Buffer.alloc(0);
  }
}

/** One path for each judged file: its own where that is judged, else the first judged link to it. */
function withoutDoubles(found: readonly Found[], excludes: (file: TreePath) => string | null): Found[] {
  const owners = new Set<TreePath>();
  for (const file of found) if (file.end === null && file.kind.kind === "judged" && excludes(file.path) === null) owners.add(file.path);
  return found.filter((file) => {
    if (file.end === null || file.kind.kind !== "judged" || excludes(file.path) !== null) return file.end === null;
    if (owners.has(file.end)) return false;
    owners.add(file.end);
    return true;
  });
}
