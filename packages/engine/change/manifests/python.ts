import type { ManifestEntry, Told } from "./entry.ts";
import { isLink, isOtherPackage, repositoryName } from "./linked-name.ts";
import { aliasTold } from "./package-json.ts";
import { tomlEntries } from "./toml-entries.ts";
import vocabulary from "./vocabulary.json" with { type: "json" };

/** No requirement is longer; patterns are only tried on so much. */
const LONGEST = 2000;

const BACKENDS = new Set(vocabulary.pythonBackends.names);
const SCRIPT_KEYS = new Set(vocabulary.pythonScripts.keys);

/** What a pyproject.toml runs when the package is built, what that needs, and dependencies that are another package. */
export function toldByPyproject(text: string): readonly Told[] {
  return tomlEntries(text).flatMap((entry) => buildOf(entry) ?? requiredOf(entry) ?? sourceOf(entry) ?? directOf(entry.value, entry) ?? []);
}

function buildOf(entry: ManifestEntry): Told | null {
  const key = entry.keys.join(".");
  if (!SCRIPT_KEYS.has(key) && !vocabulary.pythonScripts.tables.some((table) => key.startsWith(table))) return null;
  if (key === "build-system.build-backend" && BACKENDS.has(entry.value)) return null;
  return {
    key, value: entry.value, entry,
    message: `${key} says what runs when the package is built, and this change adds or changes it. What it does then happens outside of the program, with the rights of whoever installs. Have an owner of the file look at it, or build with a common backend.`,
  };
}

/** A package that is installed and run in order to build; which version of it makes no difference. */
function requiredOf(entry: ManifestEntry): Told | null {
  if (entry.keys.join(".") !== "build-system.requires") return null;
  const direct = directOf(entry.value, entry);
  const name = /^\s*([\w.-]+)/.exec(entry.value.slice(0, LONGEST))?.[1];
  if (direct !== null || name === undefined || isBackendPackage(name)) return direct;
  return {
    key: "build-system.requires", value: name.toLowerCase(), entry,
    message: `${name} is installed and can run whenever the package is built, since this change. What it does then happens outside of the program, with the rights of whoever installs. Have an owner of the file look at it, or leave it out.`,
  };
}

function isBackendPackage(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[.-]/g, "_");
  return plain === "wheel" || [...BACKENDS].some((backend) => backend.split(/[.:]/)[0] === plain || backend.startsWith(`${plain.replaceAll("_", ".")}.`));
}

/** `name = { git = "…" }` in a table of sources. */
function sourceOf(entry: ManifestEntry): Told | null {
  const [link, name] = entry.keys.toReversed();
  const table = entry.keys.slice(0, -2).join(".");
  if (link === undefined || name === undefined || !vocabulary.pythonSources.links.includes(link)) return null;
  if (!vocabulary.pythonSources.tables.some((each) => `${table}.`.startsWith(each))) return null;
  const target = repositoryName(entry.value);
  return target === null || !isOtherPackage(name, target) ? null : aliasTold(name, target, entry);
}

/** `name @ https://…/other-1.0.tar.gz`. */
function directOf(requirement: string, entry: ManifestEntry): Told | null {
  const [, name, address] = /^\s*([\w.-]+)\s*(?:\[[^\]]*\])?\s*@\s*(\S+)/.exec(requirement.slice(0, LONGEST)) ?? [];
  if (name === undefined || address === undefined || !isLink(address)) return null;
  const target = repositoryName(address);
  return target === null || !isOtherPackage(name, target) ? null : aliasTold(name, target, entry);
}

/** Direct references in a list of requirements. */
export function toldByRequirements(text: string): readonly Told[] {
  return text.split("\n").flatMap((whole, index) => {
    const line = whole.slice(0, LONGEST);
    const written = line.replace(/\s+#.*$/, "").trim();
    const column = line.length - line.trimStart().length + 1;
    const entry = { keys: [], value: written, line: index + 1, column, endColumn: column + written.length };
    return directOf(written, entry) ?? [];
  });
}
