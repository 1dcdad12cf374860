import { baseName, folderOf, joinTree, normalise } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { starOf } from "./aliases.ts";
import { foldersUpward, isObject, strings } from "./manifests.ts";
import type { Json, Manifests } from "./manifests.ts";

interface PathOptions {
  /** Where `baseUrl` points; null where it is not set. */
  readonly base: TreePath | null;
  readonly paths: Readonly<Record<string, Json>> | null;
  /** The folder that the targets of `paths` are relative to. */
  readonly pathsFolder: TreePath;
}

/**
 * The tree paths that `paths` and `baseUrl` of the nearest tsconfig.json (or jsconfig.json) give for a specifier, in
 * the order in which they are tried. `extends` is followed inside the tree only.
 */
export function pathTargets(manifests: Manifests, folder: TreePath, specifier: string): TreePath[] {
  const config = nearestConfig(manifests, folder);
  if (config === null) return [];
  const options = optionsOf(manifests, config, new Set([config]));
  const mapped = options.paths === null ? [] : mappedTargets(options.paths, specifier).map((target) => normalise(joinTree(options.pathsFolder, target)));
  const based = options.base === null ? null : normalise(joinTree(options.base, specifier));
  return [...mapped, based].filter((target): target is TreePath => target !== null);
}

function nearestConfig(manifests: Manifests, folder: TreePath): TreePath | null {
  for (const above of foldersUpward(folder)) {
    for (const name of ["tsconfig.json", "jsconfig.json"]) {
      const path = joinTree(above, name);
      if (manifests.json(path) !== null) return path;
    }
  }
  return null;
}

/** `seen` holds the files already read: each counts once, so that no web of `extends` goes on for long. */
function optionsOf(manifests: Manifests, path: TreePath, seen: Set<TreePath>): PathOptions {
  const json = manifests.json(path) ?? {};
  const inherited = inheritedOptions(manifests, path, json["extends"], seen);
  const compiler = isObject(json["compilerOptions"]) ? json["compilerOptions"] : {};
  const folder = folderOf(path);
  const base = typeof compiler["baseUrl"] === "string" ? normalise(joinTree(folder, compiler["baseUrl"])) : (inherited?.base ?? null);
  if (isObject(compiler["paths"])) return { base, paths: compiler["paths"], pathsFolder: base ?? folder };
  return { base, paths: inherited?.paths ?? null, pathsFolder: inherited?.pathsFolder ?? folder };
}

function inheritedOptions(manifests: Manifests, path: TreePath, value: Json | undefined, seen: Set<TreePath>): PathOptions | null {
  let result: PathOptions | null = null;
  for (const found of extendedBy(manifests, path, value)) {
    if (seen.has(found) || seen.size > 16) continue;
    const options = optionsOf(manifests, found, seen.add(found));
    result = options.paths !== null || options.base !== null || result === null ? options : result;
  }
  return result;
}

/** The files of the tree that a configuration extends. */
function extendedBy(manifests: Manifests, path: TreePath, value: Json | undefined): TreePath[] {
  return (typeof value === "string" ? [value] : strings(value)).flatMap((name) => {
    const target = name.startsWith(".") ? normalise(joinTree(folderOf(path), name)) : null;
    return target === null ? [] : ([target, `${target}.json`].find((one) => manifests.json(one) !== null) ?? []);
  });
}

/** Every file that a tsconfig.json or jsconfig.json of the tree extends, directly or through others. */
export function inheritedConfigs(manifests: Manifests): ReadonlySet<TreePath> {
  const inherited = new Set<TreePath>();
  const open = manifests.all().map(([path]) => path).filter((path) => baseName(path) !== "package.json");
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const found of extendedBy(manifests, path, manifests.json(path)?.["extends"])) {
      if (inherited.has(found)) continue;
      inherited.add(found);
      open.push(found);
    }
  }
  return inherited;
}

/** The targets of the pattern that fits: an exact one, else the one with the longest part before its `*`. */
function mappedTargets(paths: Readonly<Record<string, Json>>, specifier: string): string[] {
  if (Object.hasOwn(paths, specifier)) return strings(paths[specifier]);
  const fitting = Object.keys(paths).filter((pattern) => pattern.includes("*") && starOf(pattern, specifier) !== null);
  const best = fitting.sort((left, right) => right.indexOf("*") - left.indexOf("*"))[0];
  if (best === undefined) return [];
  const star = starOf(best, specifier)!;
  return strings(paths[best]).map((target) => target.replaceAll("*", () => star));
}
