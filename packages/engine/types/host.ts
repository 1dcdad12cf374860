import { readFileSync, readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import picomatch from "picomatch";
import type ts from "typescript";
import { compilerPath } from "./receiver.ts";

/** Entries of folders that are walked for the files that one configuration includes. */
const MOST_ENTRIES = 50_000;

/** What the compiler reads a disk through. */
export type GuardedHost = Omit<ts.ParseConfigHost, "readDirectory"> & Required<Pick<ts.CompilerHost, "realpath" | "directoryExists" | "getDirectories" | "readDirectory">>;

/**
 * The files of the tree and of the compiler itself, and nothing else: whoever wrote the tree wrote its links and its
 * `extends` too. Nothing here runs anything.
 */
export function guardedHost(root: string, library: string): GuardedHost {
  const roots = [realpathSync(root), realpathSync(library)];
  const real = (file: string): string | null => {
    try {
      const ends = realpathSync(file);
      return roots.some((folder) => ends === folder || ends.startsWith(`${folder}${path.sep}`)) ? ends : null;
    } catch {
      return null;
    }
  };
  const is = (file: string, what: "isFile" | "isDirectory"): boolean => {
    const ends = real(file);
    return ends !== null && statSync(ends)[what]();
  };
  return {
    useCaseSensitiveFileNames: true,
    fileExists: (file) => is(file, "isFile"),
    directoryExists: (folder) => is(folder, "isDirectory"),
    readFile: (file) => (is(file, "isFile") ? readFileSync(file, "utf8") : undefined),
    realpath: (file) => compilerPath(real(file) ?? file),
    getDirectories: (folder) => (is(folder, "isDirectory") ? readdirSync(folder).filter((name) => is(path.join(folder, name), "isDirectory")) : []),
    readDirectory: (folder, endings, excludes, includes) => included({ folder, endings, excludes: excludes ?? [], includes }),
  };
}

interface Inclusion {
  readonly folder: string;
  readonly endings: readonly string[];
  readonly excludes: readonly string[];
  readonly includes: readonly string[];
}

/** The files below a folder that a configuration includes; links are not followed. */
function included({ folder, endings, excludes, includes }: Inclusion): string[] {
  const wanted = picomatch(includes.length === 0 ? ["**/*"] : includes.flatMap(globsOf));
  const unwanted = picomatch(excludes.flatMap(globsOf));
  const found: string[] = [];
  const folders = [""];
  let left = MOST_ENTRIES;
  for (let below = folders.pop(); below !== undefined && left > 0; below = folders.pop()) {
    for (const entry of readdirSync(path.join(folder, below), { withFileTypes: true })) {
      if (left-- <= 0) break;
      const name = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith(".")) folders.push(name);
      if (entry.isFile() && endings.some((ending) => name.endsWith(ending)) && wanted(name) && !unwanted(name)) found.push(compilerPath(path.join(folder, name)));
    }
  }
  return found.sort();
}

/** A folder stands for all that lies in it. */
function globsOf(pattern: string): string[] {
  const plain = pattern.replace(/^\.\//, "").replace(/\/$/, "");
  if (plain === "" || plain === ".") return ["**/*"];
  return /[*?]/.test(plain.split("/").at(-1)!) ? [plain] : [plain, `${plain}/**/*`];
}
