import pythonStdlib from "./catalogue/data/python-stdlib.json" with { type: "json" };
import { namesIn } from "./catalogue/format.ts";
import type { CatalogueFile } from "./catalogue/format.ts";

let pythonLibrary: ReadonlySet<string> | null = null;

/** Whether a top-level name is a module of Python's own library. The catalogue holds all of them. */
export function isPythonLibrary(name: string): boolean {
  pythonLibrary ??= readPythonLibrary();
  return pythonLibrary.has(name);
}

function readPythonLibrary(): ReadonlySet<string> {
  const file = pythonStdlib as unknown as CatalogueFile;
  const names = [...namesIn(file.pure), ...Object.keys(file.entries)];
  return new Set(names.map((name) => name.split(".", 1)[0]!));
}
