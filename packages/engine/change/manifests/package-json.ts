import { overriddenName } from "../../modules/aliases.ts";
import type { ManifestEntry, Told } from "./entry.ts";
import { jsonEntries } from "./json-entries.ts";
import { isOtherPackage, linkedName } from "./linked-name.ts";
import vocabulary from "./vocabulary.json" with { type: "json" };

const SCRIPTS = new Set(vocabulary.scripts.names);
const TABLES = vocabulary.dependencyTables.paths.map((path) => path.split("."));

/** The scripts of a package.json that run when packages are installed or built, and dependencies that are another package. */
export function toldByPackageJson(text: string): readonly Told[] {
  return jsonEntries(text).flatMap((entry) => scriptOf(entry) ?? aliasOf(entry) ?? []);
}

function scriptOf(entry: ManifestEntry): Told | null {
  const [table, name] = entry.keys;
  if (table !== "scripts" || entry.keys.length !== 2 || name === undefined || !SCRIPTS.has(name)) return null;
  return {
    key: `scripts.${name}`, value: entry.value, entry,
    message: `The script ${name} runs by itself when the package is installed or built, and this change adds or changes it. What it does then happens outside of the program, with the rights of whoever installs. Have an owner of the file look at it, or run such steps by hand.`,
  };
}

function aliasOf(entry: ManifestEntry): Told | null {
  const table = TABLES.find((path) => path.every((key, index) => entry.keys[index] === key));
  const last = entry.keys.at(-1) ?? "";
  // `overrides: { a: { b: "npm:c" } }` is about b, and `.` about the package around it.
  const written = last === "." ? entry.keys.at(-2) ?? "" : last;
  if (table === undefined || entry.keys.length <= table.length) return null;
  const name = overriddenName(written);
  const target = linkedName(entry.value);
  return target === null || !isOtherPackage(name, target) ? null : aliasTold(name, target, entry);
}

/** A name under which another package is installed. */
export function aliasTold(name: string, target: string, entry: ManifestEntry): Told {
  return {
    key: `alias ${name}`, value: entry.value, entry,
    message: `The name ${name} stands for the package ${target} since this change. Code that imports ${name} then runs ${target}, and no reader of it can see that. Depend on ${target} by its own name.`,
  };
}
