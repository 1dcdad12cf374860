import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

export interface SourceText {
  readonly path: string;
  readonly text: string;
}

export interface Corpus {
  readonly python: readonly SourceText[];
  readonly ecmascript: readonly SourceText[];
}

/** Characters of one language at most, taken evenly: enough for a steady figure, little enough for a minute. */
const LIMIT = 12_000_000;
const MAX_FILE_BYTES = 1_048_576;
const ECMASCRIPT = /(?<!\.d)\.(?:[mc]?[jt]s|[jt]sx)$/;

/** The texts below the folders, or of the installed npm packages and Python's standard library where none is named. */
export function readCorpus(root: string, folders: readonly string[]): Corpus {
  const files = (folders.length > 0 ? folders : [path.join(root, "node_modules"), ...pythonLibrary()]).flatMap(filesBelow).sort();
  return {
    python: takeEvenly(files.filter((file) => file.endsWith(".py"))),
    ecmascript: takeEvenly(files.filter((file) => ECMASCRIPT.test(file))),
  };
}

function pythonLibrary(): string[] {
  try {
    return [execFileSync("python3", ["-c", "import sysconfig; print(sysconfig.get_path('stdlib'))"], { encoding: "utf8" }).trim()];
  } catch {
    return [];
  }
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && !entry.parentPath.includes("site-packages"))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Every n-th file, so that the limit takes a slice of all packages and not all of a few. */
function takeEvenly(files: readonly string[]): SourceText[] {
  const sizes = files.map((file) => statSync(file).size);
  const total = sizes.filter((size) => size <= MAX_FILE_BYTES).reduce((sum, size) => sum + size, 0);
  const step = Math.max(1, Math.ceil(total / LIMIT));
  return files.filter((_, index) => index % step === 0 && sizes[index]! <= MAX_FILE_BYTES)
    .map((file) => ({ path: file, text: readFileSync(file, "utf8") }));
}
