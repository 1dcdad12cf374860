import { baseName, endingOf, folderOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { DEPENDENCY_TABLES, overriddenName } from "./aliases.ts";
import { isObject } from "./manifests.ts";
import type { Json, JsonObject, Manifests } from "./manifests.ts";
import { inheritedConfigs } from "./tsconfig.ts";

/** How a module says its own folder without a name. */
const FOLDERS: readonly string[] = ['"."', "'.'", '"./"', "'./'", '".."', "'..'", '"../', "'../"];

/** What names modules in pieces, or in letters that the language reads as others. */
const PYTHON_LOADERS: readonly string[] = ["import_module", "__import__", "run_module", "run_path"];
const ESCAPES: readonly string[] = ["\\x", "\\u"];

/** What loads a module whose name is put together where it runs. */
export const ECMASCRIPT_LOADERS: readonly string[] = ["import(", "import (", "require(", "require (", ".glob(", "globEager(", "require.context(", "createRequire", "Worker(", "fork("];

/** The folders around a path, of which a load with a written beginning names one, unless it starts in it. */
export function folderWords(path: TreePath): readonly string[] {
  return folderOf(path).split("/").filter((name) => name !== "");
}

/**
 * Texts of which a module that imports `path` must hold one: its name, that of the folder that it stands for, and the
 * names that manifests give to it. They are searched for as plain text, so a text may hold one and import nothing.
 */
export function importWords(path: TreePath, manifests: () => readonly NamingManifest[]): readonly string[] {
  const name = baseName(path);
  const stem = name.slice(0, name.length - endingOf(path).length);
  const folder = baseName(folderOf(path));
  // Under any other name a file is found by all of it.
  if (!/\.(?:pyw?|[mc]?[jt]s|[jt]sx|json)$/.test(name) && stem !== name) return [name];
  if (/^__init__\.pyw?$/.test(name)) return withFolder(folder, ["from .", ...PYTHON_LOADERS]);
  if (/\.pyw?$/.test(name)) return [stem, ...PYTHON_LOADERS];
  const aliases = manifests().flatMap(([at, json]) => aliasesFor(at, json, stem, folder));
  // A licence or a makefile is changed more often than it is required by an escaped name.
  return [...(stem === "index" ? withFolder(folder, FOLDERS) : [stem]), ...aliases, ...(stem === name ? [] : ESCAPES)];
}

/** A manifest that can give a module another name. */
export type NamingManifest = readonly [path: TreePath, json: JsonObject];

/** Every one of a tree, with the configurations that a tsconfig.json takes over. */
export function namingManifests(manifests: Manifests): readonly NamingManifest[] {
  const inherited = [...inheritedConfigs(manifests)].flatMap((path) => {
    const json = manifests.json(path);
    return json === null ? [] : [[path, json] as const];
  });
  return [...manifests.all(), ...inherited];
}

function withFolder(folder: string, others: readonly string[]): string[] {
  return folder === "" ? [...others] : [folder, ...others];
}

/** Keys of a manifest that may lead to a file: their targets name it, or it is what a package is entered by. */
function aliasesFor(at: TreePath, json: JsonObject, stem: string, folder: string): string[] {
  const compiler = isObject(json["compilerOptions"]) ? json["compilerOptions"]["paths"] : undefined;
  const pnpm = isObject(json["pnpm"]) ? json["pnpm"]["overrides"] : undefined;
  const keysOf = (table: Json | undefined): string[] => (isObject(table) ? Object.entries(table).filter(([, target]) => leadsTo(target, stem, folder)).map(([key]) => key) : []);
  const keys = [...[json["imports"], compiler].flatMap(keysOf), ...[pnpm, ...DEPENDENCY_TABLES.map((key) => json[key])].flatMap(keysOf).map(overriddenName)];
  const entered = [json["main"], json["module"], json["exports"]].some((target) => leadsTo(target, stem, folder)) || stem === "index";
  const name = entered && typeof json["name"] === "string" ? [json["name"]] : [];
  // A folder is imported by its own name, and entered by what its manifest says.
  const around = entered && stem !== "index" && baseName(at) === "package.json" ? [baseName(folderOf(at))] : [];
  return [...keys.map((key) => key.split("*", 1)[0]!), ...name, ...around].filter((word) => word.length > 1);
}

function leadsTo(target: Json | undefined, stem: string, folder: string): boolean {
  if (target === undefined) return false;
  const text = JSON.stringify(target);
  return text.includes("*") || text.includes(stem) || (stem === "index" && folder !== "" && text.includes(folder));
}
