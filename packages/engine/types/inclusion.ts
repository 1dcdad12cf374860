import { readdirSync, realpathSync, statSync } from "node:fs";
import type { Dirent } from "node:fs";
import path from "node:path";
import picomatch from "picomatch";
import type { Laid } from "./laid.ts";
import { compilerPath } from "./receiver.ts";

/** Entries of folders that are walked for the files that one configuration includes. */
const MOST_ENTRIES = 50_000;

export interface Inclusion {
  /** Of the tree; nothing outside of it is included. */
  readonly root: string;
  /** Of the configuration. Patterns count from it, and may lead out of it. */
  readonly folder: string;
  readonly endings: readonly string[];
  readonly excludes: readonly string[];
  readonly includes: readonly string[];
  readonly laid: Laid;
}

/** The files of the tree that a configuration includes; links are not followed. */
export function included({ root, folder, endings, excludes, includes, laid }: Inclusion): string[] {
  const patterns = (includes.length === 0 ? ["**/*"] : includes).map((pattern) => absolute(folder, pattern));
  const wanted = picomatch(patterns.flatMap(globsOf));
  const unwanted = picomatch(excludes.map((pattern) => absolute(folder, pattern)).flatMap(globsOf));
  const isIncluded = (name: string): boolean => endings.some((ending) => name.endsWith(ending)) && wanted(name) && !unwanted(name);
  const walked = walk(patterns.flatMap((pattern) => baseOf(pattern, compilerPath(root))));
  const laidOver = laid.names().filter((name) => !HIDDEN.test(name.slice(root.length)));
  return [...new Set([...walked.filter((name) => !laid.isGone(name)), ...laidOver])].filter(isIncluded).sort();
}

/** Folders that only a pattern of their own includes. */
const HIDDEN = /\/(?:node_modules|\.[^/]*)\//;

/** All files below folders, each once. */
function walk(bases: readonly string[]): string[] {
  const found: string[] = [];
  const known = new Set<string>();
  const folders = [...bases];
  let left = MOST_ENTRIES;
  for (let folder = folders.pop(); folder !== undefined && left > 0; folder = folders.pop()) {
    if (known.has(folder)) continue;
    known.add(folder);
    for (const entry of entriesOf(folder)) {
      if (left-- <= 0) break;
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith(".")) folders.push(name);
      if (entry.isFile()) found.push(name);
    }
  }
  return found;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function absolute(folder: string, pattern: string): string {
  return compilerPath(path.resolve(folder, pattern));
}

/** The folder in the tree below which all that a pattern matches lies; none where it lies elsewhere, or behind a link. */
function baseOf(pattern: string, root: string): string[] {
  const parts = pattern.split("/");
  const first = parts.findIndex((part) => /[*?]/.test(part));
  const named = parts.slice(0, first < 0 ? parts.length : first).join("/");
  if (`${root}/`.startsWith(`${named}/`)) return [root];
  if (!named.startsWith(`${root}/`)) return [];
  try {
    const folder = statSync(named).isDirectory() ? named : path.posix.dirname(named);
    return compilerPath(realpathSync(folder)) === folder ? [folder] : [];
  } catch {
    return [];
  }
}

/** A folder stands for all that lies in it. In a configuration, only `*` and `?` mean more than themselves. */
function globsOf(pattern: string): string[] {
  const plain = pattern.replaceAll(/[^\w\s*?/.-]/g, String.raw`\$&`);
  return /[*?]/.test(plain.split("/").at(-1)!) ? [plain] : [plain, `${plain}/**/*`];
}
