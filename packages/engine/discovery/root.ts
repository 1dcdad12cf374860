import { lstatSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { GateError, codeOf } from "../errors.ts";
import { baseName } from "../paths.ts";
import type { TreePath } from "../paths.ts";

export const POLICY_FILE = "agentgate.yml";

/** Where a workflow may well carry the gate's name. */
const WORKFLOWS = /(?:^|\/)\.(?:github|gitea|forgejo)\/workflows\/[^/]+$/;

/** Whether a file is a policy below the root, which is never read. `inUse`: the file that is read instead. */
export function isNestedPolicy(file: TreePath, inUse: string): boolean {
  return file !== POLICY_FILE && file !== inUse && baseName(file) === POLICY_FILE && !WORKFLOWS.test(file);
}

export interface Root {
  /** Absolute, with no symbolic link in it. */
  readonly folder: string;
  readonly git: boolean;
}

/**
 * The judged root: the folder upward from `start` that holds `.git`, else the one of the highest `agentgate.yml`,
 * else `start` itself.
 */
export function findRoot(start: string): Root {
  const folder = realpathSync(start);
  const git = upward(folder).find((parent) => exists(path.join(parent, ".git")));
  if (git !== undefined) return { folder: git, git: true };
  const policy = upward(folder).filter((parent) => exists(path.join(parent, POLICY_FILE))).at(-1);
  return { folder: policy ?? folder, git: false };
}

/**
 * The root for the paths of a command line: that of the working directory, unless the first path lies outside it;
 * then the root of that path. The paths come back relative to the root (empty: the root itself), with what is wrong
 * with the others.
 */
export function placePaths(cwd: string, paths: readonly string[]): { root: Root; below: string[]; problems: GateError[] } {
  const problems: GateError[] = [];
  const absolute: string[] = [];
  for (const given of paths) {
    const target = realFolderPath(cwd, given);
    if (target instanceof GateError) problems.push(target);
    else absolute.push(target);
  }
  const home = findRoot(cwd);
  const first = absolute[0];
  const root = first === undefined || isBelow(home.folder, first) ? home : findRoot(folderFor(first));
  const below: string[] = [];
  for (const target of absolute) {
    if (isBelow(root.folder, target)) below.push(path.relative(root.folder, target).split(path.sep).join("/"));
    else problems.push(new GateError(`${path.relative(root.folder, target).split(path.sep).join("/")} lies outside of the tree that is judged.`, "Judge one tree at a time."));
  }
  return { root, below, problems };
}

/** The path with links in its folders resolved, a file's own name kept as it is; else why there is none. */
function realFolderPath(cwd: string, given: string): string | GateError {
  const target = path.resolve(cwd, given);
  try {
    lstatSync(target);
    if (statSync(target, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync(target);
    return path.join(realpathSync(path.dirname(target)), path.basename(target));
  } catch (error) {
    if (codeOf(error) === "EACCES") return new GateError(`${given} cannot be reached: a folder on the way may not be entered.`, "Give the folder permission to be entered, or leave the path out.");
    return new GateError(`${given} does not exist.`, "Give a file or folder that exists, relative to the working directory.");
  }
}

function folderFor(target: string): string {
  return statSync(target, { throwIfNoEntry: false })?.isDirectory() === true ? target : path.dirname(target);
}

/** Whether a path is a folder or lies below it; both absolute. */
export function isBelow(folder: string, target: string): boolean {
  const relative = path.relative(folder, target);
  return relative === "" || (relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

function upward(folder: string): string[] {
  const folders = [folder];
  for (let parent = path.dirname(folder); parent !== folders.at(-1); parent = path.dirname(parent)) folders.push(parent);
  return folders;
}

/** Whether something is there, a link that leads nowhere included. */
export function exists(target: string): boolean {
  return lstatSync(target, { throwIfNoEntry: false }) !== undefined;
}
