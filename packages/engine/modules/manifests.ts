import picomatch from "picomatch";
import { baseName, folderOf, joinTree, normalise } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { Target } from "../snapshot/snapshot.ts";
import { YamlError, readYaml } from "../policy/located.ts";
import { readJsonWithComments } from "./jsonc.ts";
import type { TextOf } from "./manifest-texts.ts";

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export interface Manifest {
  /** The folder that holds the package.json. */
  readonly folder: TreePath;
  readonly json: Readonly<Record<string, Json>>;
}

/** Reads the tree's package.json and tsconfig.json files as data, each once and only when it is asked for. */
export class Manifests {
  readonly #files: ReadonlyMap<TreePath, Target>;
  readonly #textOf: TextOf;
  readonly #read = new Map<TreePath, Readonly<Record<string, Json>> | null>();
  #workspaces: ReadonlyMap<string, TreePath> | null = null;

  constructor(files: ReadonlyMap<TreePath, Target>, textOf: TextOf) {
    this.#files = files;
    this.#textOf = textOf;
  }

  /** A JSON file of the tree as an object; null where it is absent, too large or no object. Comments are allowed. */
  json(path: TreePath): Readonly<Record<string, Json>> | null {
    const known = this.#read.get(path);
    if (known !== undefined) return known;
    const text = this.text(path);
    const value = text === null ? null : readJsonWithComments(text);
    const object = isObject(value) ? value : null;
    this.#read.set(path, object);
    return object;
  }

  /** Every manifest of the tree that can give a module another name: its path with its content. */
  all(): readonly (readonly [path: TreePath, json: JsonObject])[] {
    const names = [...this.#files.keys()].filter((path) => /(?:^|\/)(?:package|[jt]sconfig[^/]*)\.json$/.test(path));
    return names.flatMap((path) => {
      const json = this.json(path);
      return json === null ? [] : [[path, json] as const];
    });
  }

  /** The files of the tree that have a name. */
  named(name: string): readonly TreePath[] {
    return [...this.#files.keys()].filter((path) => baseName(path) === name);
  }

  /** The text of a manifest; null where it is absent or cannot be read. */
  text(path: TreePath): string | null {
    const target = this.#files.get(path);
    return target === undefined ? null : this.#textOf(target);
  }

  /** The package.json files from a folder upward, the nearest first. */
  packagesAbove(folder: TreePath): Manifest[] {
    const found: Manifest[] = [];
    for (const above of foldersUpward(folder)) {
      const json = this.json(joinTree(above, "package.json"));
      if (json !== null) found.push({ folder: above, json });
    }
    return found;
  }

  /** The folders of the tree's own packages by name: those that a manager of workspaces links. */
  workspace(name: string): TreePath | null {
    this.#workspaces ??= this.#findWorkspaces();
    return this.#workspaces.get(name) ?? null;
  }

  #findWorkspaces(): ReadonlyMap<string, TreePath> {
    const folders = this.#foldersWith("package.json");
    const byName = new Map<string, TreePath>();
    for (const owner of new Set([...folders, ...this.#foldersWith("pnpm-workspace.yaml")])) {
      const globs = this.#workspaceGlobs(owner);
      if (globs.length === 0) continue;
      const matches = picomatch(globs.map((glob) => joinTree(owner, glob.replace(/^\.\//, "").replace(/\/$/, ""))));
      for (const folder of [owner, ...folders.filter((candidate) => matches(candidate))]) {
        const name = this.json(joinTree(folder, "package.json"))?.["name"];
        if (typeof name === "string" && !byName.has(name)) byName.set(name, folder);
      }
    }
    return byName;
  }

  #foldersWith(name: string): TreePath[] {
    return [...this.#files.keys()].filter((path) => path === name || path.endsWith(`/${name}`)).map(folderOf).sort();
  }

  #workspaceGlobs(folder: TreePath): string[] {
    const json = this.json(joinTree(folder, "package.json"));
    const declared = json?.["workspaces"];
    const listed = isObject(declared) ? declared["packages"] : declared;
    return [...strings(listed), ...this.#pnpmGlobs(folder)].filter((glob) => !glob.startsWith("!"));
  }

  #pnpmGlobs(folder: TreePath): string[] {
    const text = this.text(joinTree(folder, "pnpm-workspace.yaml"));
    if (text === null) return [];
    try {
      const located = readYaml(text);
      const packages = located.kind === "mapping" ? located.entries.find((entry) => entry.key === "packages")?.value : undefined;
      return packages?.kind === "list" ? packages.items.flatMap((item) => (item.kind === "scalar" && typeof item.value === "string" ? [item.value] : [])) : [];
    } catch (error) {
      if (error instanceof YamlError) return [];
      throw error;
    }
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** A folder and those around it up to the root (empty). */
export function foldersUpward(folder: TreePath): TreePath[] {
  const folders = [folder];
  for (let current = folder; current !== ""; ) {
    current = folderOf(current);
    folders.push(current);
  }
  return folders;
}

/** `./x` of a manifest as a tree path; null where it leaves the tree. */
export function pathIn(folder: TreePath, relative: string): TreePath | null {
  return normalise(joinTree(folder, relative));
}
