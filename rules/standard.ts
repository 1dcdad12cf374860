import { catalogueOf } from "./catalogue/load.ts";

let pythonLibrary: ReadonlySet<string> | null = null;

/** Whether a top-level name is a module of Python's own library. The catalogue holds all of them. */
export function isPythonLibrary(name: string): boolean {
  pythonLibrary ??= readPythonLibrary();
  return pythonLibrary.has(name);
}

function readPythonLibrary(): ReadonlySet<string> {
  const catalogue = catalogueOf("python");
  const names = [...catalogue.keys()].filter((key) => catalogue.get(key)?.origin === "library");
  return new Set(names.map((key) => key.split(".", 1)[0]!));
}
