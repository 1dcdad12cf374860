import type { Span } from "@agentgate/parsers";
import type { ReachTree } from "./ends.ts";
import type { ReachModule } from "./modules.ts";
import type { ReachImport } from "./record.ts";

/** Modules of the tree whose bodies an import runs, with what names each of them. */
export interface Imported {
  readonly modules: readonly { readonly path: string; readonly span: Span }[];
  /** The module outside the tree that it names. */
  readonly outside: string | null;
  readonly wanted: readonly string[];
}

/** The modules that an import runs: in Python the packages on the way too, and names that are modules themselves. */
export function importedModules(tree: ReachTree, from: ReachModule, entry: ReachImport): Imported {
  const modules: { path: string; span: Span }[] = [];
  const wanted: string[] = [];
  const { path, summary } = from;
  const answer = tree.resolve(path, entry.specifier);
  const outside = answer === null ? entry.specifier : answer !== "missing" && "alias" in answer ? answer.alias : null;
  if (outside !== null) return { modules, outside, wanted };
  const specifiers = summary.language === "python" ? packagesOf(entry.specifier) : [entry.specifier];
  for (const specifier of specifiers) {
    const target = insideOf(tree, path, specifier);
    if (target !== null && target !== path && !isAround(target, path)) modules.push({ path: target, span: entry.span });
  }
  const target = answer !== null && answer !== "missing" && "path" in answer ? answer.path : null;
  if (summary.language !== "python" || target === null) return { modules, outside, wanted };
  const package_ = tree.module(target);
  if (package_ === undefined) wanted.push(target);
  for (const { name, span } of package_ === undefined ? [] : entry.names) {
    if (name === "*" || package_?.exported(name) !== undefined) continue;
    const below = insideOf(tree, path, entry.specifier.endsWith(".") ? entry.specifier + name : `${entry.specifier}.${name}`);
    if (below !== null && below !== target && below !== path) modules.push({ path: below, span });
  }
  return { modules, outside, wanted };
}

function insideOf(tree: ReachTree, from: string, specifier: string): string | null {
  const answer = tree.resolve(from, specifier);
  return answer !== null && answer !== "missing" && "path" in answer ? answer.path : null;
}

/** `a.b.c` as `a`, `a.b`, `a.b.c`; dots in front stay. */
function packagesOf(specifier: string): string[] {
  const dots = /^\.*/.exec(specifier)![0];
  const names = specifier.slice(dots.length).split(".");
  if (names[0] === "" || names.length > 32) return [specifier];
  return names.map((_, index) => dots + names.slice(0, index + 1).join("."));
}

/** A package around a module runs before it, whatever it imports. */
function isAround(target: string, path: string): boolean {
  return target.endsWith("__init__.py") && path.startsWith(target.slice(0, -"__init__.py".length));
}
