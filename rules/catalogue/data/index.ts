import type { CatalogueFile } from "../format.ts";
import javascriptGlobals from "./javascript-globals.json" with { type: "json" };
import nodeBuiltins from "./node-builtins.json" with { type: "json" };
import pythonBuiltins from "./python-builtins.json" with { type: "json" };
import pythonStdlib from "./python-stdlib.json" with { type: "json" };
import runtimeModules from "./runtime-modules.json" with { type: "json" };

/** A file's own text is checked by a test; its literal type is of no use. */
const file = (json: unknown): CatalogueFile => json as CatalogueFile;

/** The data files by the place of their names. A new file is added here. */
export const PYTHON_FILES: { readonly library: readonly CatalogueFile[]; readonly packages: readonly CatalogueFile[] } = {
  library: [file(pythonStdlib), file(pythonBuiltins)],
  packages: [],
};
export const NODE_FILES: readonly CatalogueFile[] = [file(nodeBuiltins), file(runtimeModules)];
export const GLOBAL_FILES: readonly CatalogueFile[] = [file(javascriptGlobals)];
export const ECMASCRIPT_FILES: readonly CatalogueFile[] = [];
