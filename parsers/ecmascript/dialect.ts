import type { Dialect } from "../facts.ts";
import type { ModuleKind } from "./oxc.ts";

const DECLARATION = /\.d(?:\.[^./\\]+)?\.ts$|\.d\.[mc]ts$/;

/** The dialect that a file is written in, by its ending; `javascript` for anything that is no other. */
export function dialectOf(path: string): Exclude<Dialect, "python"> {
  if (DECLARATION.test(path)) return "declaration";
  switch (endingOf(path)) {
    case ".ts":
    case ".mts":
    case ".cts": return "typescript";
    case ".tsx": return "tsx";
    case ".jsx": return "jsx";
    default: return "javascript";
  }
}

/** How a file is loaded, as far as its ending says; undefined: that depends on its text. */
export function moduleKindOf(path: string): ModuleKind | undefined {
  switch (endingOf(path)) {
    case ".mjs":
    case ".mts": return "module";
    case ".cjs":
    case ".cts": return "commonjs";
    default: return undefined;
  }
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf("."));
}
