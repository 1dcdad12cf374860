import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

/**
 * The git that `PATH` names, as an absolute path. Entries that are relative or lie inside of the judged tree are passed
 * over: a file called `git` that the tree brings along must not run, and some systems would also look into the
 * working directory. Throws an error with the code ENOENT where there is none.
 */
export function findGit(root: string): string {
  const names = process.platform === "win32" ? ["git.exe", "git.com"] : ["git"];
  // Of a repository that is the whole system, nothing lies outside.
  const hasOutside = path.dirname(root) !== root;
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    if (!path.isAbsolute(folder) || (hasOutside && isInside(root, folder))) continue;
    const found = names.map((name) => path.join(folder, name)).find(isExecutable);
    if (found !== undefined) return found;
  }
  throw Object.assign(new Error("git is not installed"), { code: "ENOENT" });
}

function isInside(root: string, folder: string): boolean {
  const relative = path.relative(root, folder);
  return relative === "" || (relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
