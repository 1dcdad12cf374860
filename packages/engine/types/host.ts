import { readFileSync, readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import type ts from "typescript";
import { included } from "./inclusion.ts";
import { Laid } from "./laid.ts";
import type { Overlay } from "./laid.ts";
import { compilerPath } from "./receiver.ts";

/** What the compiler reads a disk through. */
export type GuardedHost = Omit<ts.ParseConfigHost, "readDirectory"> & Required<Pick<ts.CompilerHost, "realpath" | "directoryExists" | "getDirectories" | "readDirectory">>;

/**
 * The files of the tree and of the compiler itself, and nothing else: whoever wrote the tree wrote its links and its
 * `extends` too. Nothing here runs anything. What `overlay` has goes before what lies on the disk.
 */
export function guardedHost(root: string, library: string, overlay: Overlay | null): GuardedHost {
  const roots = [realpathSync(root), realpathSync(library)];
  const laid = new Laid(compilerPath(roots[0]!), overlay);
  const real = (file: string): string | null => {
    try {
      const ends = realpathSync(file);
      return roots.some((folder) => ends === folder || ends.startsWith(`${folder}${path.sep}`)) ? ends : null;
    } catch {
      return null;
    }
  };
  const realpath = (file: string): string => (laid.text(file) === undefined ? compilerPath(real(file) ?? file) : file);
  const is = (file: string, what: "isFile" | "isDirectory"): boolean => {
    const ends = real(file);
    return ends !== null && statSync(ends)[what]();
  };
  const lies = (file: string): boolean => !laid.isGone(realpath(file)) && is(file, "isFile");
  return {
    useCaseSensitiveFileNames: true,
    fileExists: (file) => laid.text(realpath(file)) !== undefined || lies(file),
    directoryExists: (folder) => laid.isFolder(realpath(folder)) || is(folder, "isDirectory"),
    readFile: (file) => laid.text(realpath(file)) ?? (lies(file) ? readFileSync(file, "utf8") : undefined),
    realpath,
    getDirectories: (folder) => (is(folder, "isDirectory") ? readdirSync(folder).filter((name) => is(path.join(folder, name), "isDirectory")) : []),
    readDirectory: (folder, endings, excludes, includes) => included({ root: roots[0]!, folder, endings, excludes: excludes ?? [], includes, laid }),
  };
}
