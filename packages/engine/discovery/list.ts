import { lstatSync, readdirSync } from "node:fs";
import type { Dirent, Stats } from "node:fs";
import { GateError, codeOf } from "../errors.ts";
import { foldsCase } from "../git/repository.ts";
import { runGit, splitAtNul } from "../git/run.ts";
import { comparePaths, isPlainName, joinFs, nameOf } from "../paths.ts";
import type { FsPath, TreePath } from "../paths.ts";
import type { Snapshot, SnapshotEntry } from "../snapshot/snapshot.ts";
import type { Root } from "./root.ts";

/** A name found below the root, before anything was opened. */
export type Entry = Pick<SnapshotEntry, "path" | "type" | "target">;

export interface Listing extends Pick<Snapshot, "closed"> {
  readonly entries: readonly Entry[];
  /** What a person should know, one line each. */
  readonly notes: readonly string[];
}

/** Folders that were walked held more files than whoever asked for them can wait for. */
export class TreeTooLarge extends GateError {}

/**
 * Everything below the root that can be part of the tree, sorted by path. A folder is listed only as a nested
 * repository. A file that the command line names is listed also where git ignores it. Of a tree that git does not know
 * `most` files are taken.
 * @throws TreeTooLarge where there are more
 */
export async function listTree(root: Root, named: readonly TreePath[], most = Infinity): Promise<Listing> {
  const listing = root.git ? await listWithGit(root.folder) : null;
  if (listing !== null && typeof listing !== "string") return complete(root, listing, named);
  const walked = walk(root.folder, most);
  const notes = listing === null ? [] : [`git could not list ${root.folder} (${listing}); its folders were walked instead.`];
  return complete(root, { ...walked, notes }, named);
}

function complete(root: Root, listing: Listing, named: readonly TreePath[]): Listing {
  const known = new Set(listing.entries.map((entry) => entry.path));
  const more = named.filter((path) => path !== "" && !known.has(path)).flatMap((path) => entryOf(root.folder, Buffer.from(path)) ?? []);
  const entries = [...listing.entries, ...more.filter((entry) => entry.type !== "folder")];
  return { ...listing, entries: entries.sort((left, right) => comparePaths(left.path, right.path)) };
}

/** The listing, or why there is none. */
async function listWithGit(root: string): Promise<Listing | string> {
  // A repository that claims a file system without case would hide an untracked file behind a tracked one.
  const options = { timeout: 120_000, config: [`core.ignoreCase=${String(foldsCase(root))}`] };
  const output = await runGit(root, ["ls-files", "-co", "--exclude-standard", "-z"], options).catch((error: unknown) => codeOf(error) || "git");
  if (typeof output === "string") return output === "ENOENT" ? "git is not installed" : output;
  if (output.status !== 0) return output.stderr.split("\n", 1)[0]?.trim() ?? `exit code ${output.status}`;
  const seen = new Set<TreePath>();
  const entries: Entry[] = [];
  for (const bytes of splitAtNul(output.stdout)) {
    const entry = entryOf(root, bytes);
    // An unmerged path is listed once a stage; a path deleted in the working tree is listed still.
    if (entry === null || seen.has(entry.path)) continue;
    seen.add(entry.path);
    entries.push(entry);
  }
  return { entries, closed: closedFolders(output.stderr), notes: [] };
}

function closedFolders(stderr: string): Listing["closed"] {
  return [...stderr.matchAll(/^warning: could not open directory '(.*?)\/?': (.*)$/gm)].map((match) => ({ path: match[1]!, reason: match[2]! }));
}

function entryOf(root: string, bytes: Buffer): Entry | null {
  const trimmed = bytes.at(-1) === 0x2f ? bytes.subarray(0, -1) : bytes;
  const path = nameOf(trimmed);
  const fs: FsPath = isPlainName(trimmed, path) ? path : trimmed;
  const target = joinFs(root, fs);
  const status = statOf(target);
  return status === null ? null : { path, target: { kind: "disk", fs: target }, type: typeOf(status) };
}

function statOf(target: FsPath): Stats | null {
  try {
    return lstatSync(target);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}

/** What kind of thing lies on the disk. */
function typeOf(entry: Stats | Dirent<Buffer>): Entry["type"] {
  if (entry.isFile()) return "file";
  if (entry.isSymbolicLink()) return "link";
  return entry.isDirectory() ? "folder" : "other";
}

/** Walks the folders of a tree that is no repository. Links to folders are not followed: what they show is elsewhere too. */
function walk(root: string, most: number): Omit<Listing, "notes"> {
  const entries: Entry[] = [];
  const closed: { path: TreePath; reason: string }[] = [];
  const waiting: { path: TreePath; fs: FsPath }[] = [{ path: "", fs: "" }];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const children = readFolder(root, folder.fs);
    if (typeof children === "string") {
      closed.push({ path: folder.path, reason: children });
      continue;
    }
    if (folder.path !== "" && isVirtualEnvironment(children)) continue;
    if (entries.length > most) throw new TreeTooLarge(`${root} holds more than ${most} files.`, "Open the project's own folder, or put agentgate.yml at its root.");
    for (const child of children) {
      const placed = { path: below(folder.path, child.path), fs: belowFs(folder.fs, child.fs) };
      if (child.type !== "folder") entries.push({ path: placed.path, type: child.type, target: { kind: "disk", fs: joinFs(root, placed.fs) } });
      else if (!skipped(child.path)) waiting.push(placed);
    }
  }
  return { entries, closed };
}

function skipped(name: string): boolean {
  return name.startsWith(".") || name === "node_modules" || name === "__pycache__";
}

/** By what `venv` and conda write, since any folder can be called `venv`. */
function isVirtualEnvironment(children: readonly Child[]): boolean {
  return children.some((child) => child.path === "pyvenv.cfg" || (child.path === "conda-meta" && child.type === "folder"));
}

interface Child {
  readonly path: TreePath;
  readonly fs: FsPath;
  readonly type: Entry["type"];
}

function readFolder(root: string, folder: FsPath): Child[] | string {
  try {
    const children = readdirSync(joinFs(root, folder), { withFileTypes: true, encoding: "buffer" });
    return children.map((child) => {
      const path = nameOf(child.name);
      return { path, fs: isPlainName(child.name, path) ? path : child.name, type: typeOf(child) };
    });
  } catch (error) {
    return codeOf(error) === "EACCES" ? "permission denied" : codeOf(error);
  }
}

function below(folder: TreePath, name: string): TreePath {
  return folder === "" ? name : `${folder}/${name}`;
}

function belowFs(folder: FsPath, name: FsPath): FsPath {
  if (typeof folder === "string" && typeof name === "string") return below(folder, name);
  if (folder.length === 0) return name;
  return Buffer.concat([Buffer.from(folder), Buffer.from("/"), Buffer.from(name)]);
}
