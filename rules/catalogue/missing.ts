import { NODE_PACKAGES, PYTHON_PACKAGES } from "./data/index.ts";
import { catalogueOf } from "./load.ts";
import { nameOf, type Language } from "./names.ts";

export type Registry = "npm" | "pypi";

/**
 * True where the catalogue says what the package of that name does. PyPI's names say little of what is imported
 * (`google-cloud-storage` is `google.cloud.storage`): the entry's own `package` counts, the name with underscores, and
 * with dots below a key that has dots itself.
 */
export function isCatalogued(registry: Registry, name: string): boolean {
  if (registry === "npm") return finds("ecmascript", name) !== null;
  if (pythonPackages().has(normalised(name))) return true;
  const parts = normalised(name).split("-");
  const whole = parts.join("_");
  if (finds("python", whole) === whole) return true;
  const dotted = [parts.join("."), [parts.slice(0, 2).join("_"), ...parts.slice(2)].join(".")];
  return dotted.some((candidate) => finds("python", candidate)?.includes(".") === true);
}

/** `Google_Cloud.Storage` is `google-cloud-storage` (PEP 503). */
export function normalised(name: string): string {
  return name.replace(/[-_.]+/g, "-").toLowerCase();
}

/** The names of the packages that the entries of these data files are about, as their registry has them. */
export function packagesOf(registry: Registry): string[] {
  const files = registry === "npm" ? NODE_PACKAGES : PYTHON_PACKAGES;
  const named = files.flatMap((file) => Object.entries(file.entries).map(([key, raw]) => raw.package ?? key));
  return named.filter((name) => !name.includes("*"));
}

function finds(language: Language, module: string): string | null {
  const name = nameOf(language, { module, path: [] });
  return name === null ? null : (catalogueOf(language).find(name)?.named ?? null);
}

let packages: ReadonlySet<string> | null = null;

function pythonPackages(): ReadonlySet<string> {
  packages ??= new Set(packagesOf("pypi").map(normalised));
  return packages;
}
