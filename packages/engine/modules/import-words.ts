import { baseName, endingOf, folderOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { isObject } from "./manifests.ts";
import type { Json, Manifests } from "./manifests.ts";

/** How a module says its own folder without a name. */
const FOLDERS: readonly string[] = ['"."', "'.'", '"./"', "'./'", '".."', "'..'", '"../', "'../"];

/**
 * Texts of which a module that imports `path` must hold one: its name, that of the folder that it stands for, and the
 * names that manifests give to it. They are searched for as plain text, so a text may hold one and import nothing.
 */
export function importWords(path: TreePath, manifests: Manifests): readonly string[] {
  const name = baseName(path);
  const stem = name.slice(0, name.length - endingOf(path).length);
  const folder = baseName(folderOf(path));
  // Under any other name a file is found by all of it.
  if (!/\.(?:py|[mc]?[jt]s|[jt]sx|json)$/.test(name) && stem !== name) return [name];
  if (name === "__init__.py") return withFolder(folder, ["from .", "import_module("]);
  const aliases = endingOf(path) === ".py" ? [] : manifests.all().flatMap(([, json]) => aliasesFor(json, stem, folder));
  return stem === "index" ? [...withFolder(folder, FOLDERS), ...aliases] : [stem, ...aliases];
}

function withFolder(folder: string, others: readonly string[]): string[] {
  return folder === "" ? [...others] : [folder, ...others];
}

/** Keys of a manifest that may lead to a file: their targets name it, or it is what a package is entered by. */
function aliasesFor(json: Readonly<Record<string, Json>>, stem: string, folder: string): string[] {
  const compiler = isObject(json["compilerOptions"]) ? json["compilerOptions"]["paths"] : undefined;
  const tables = [json["imports"], compiler, json["dependencies"], json["devDependencies"]];
  const keys = tables.flatMap((table) => (isObject(table) ? Object.entries(table).filter(([, target]) => leadsTo(target, stem, folder)).map(([key]) => key) : []));
  const name = json["name"];
  const entered = [json["main"], json["module"], json["exports"]].some((target) => leadsTo(target, stem, folder)) || stem === "index";
  return [...keys.map((key) => key.split("*", 1)[0]!), ...(entered && typeof name === "string" ? [name] : [])].filter((word) => word.length > 1);
}

function leadsTo(target: Json | undefined, stem: string, folder: string): boolean {
  if (target === undefined) return false;
  const text = JSON.stringify(target);
  return text.includes("*") || text.includes(stem) || (stem === "index" && folder !== "" && text.includes(folder));
}
