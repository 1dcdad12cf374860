import { isObject } from "./manifests.ts";
import type { Json, JsonObject } from "./manifests.ts";

/** `@scope/name/sub/path` as `{ name: "@scope/name", rest: "/sub/path" }`. */
export function packageOf(specifier: string): { readonly name: string; readonly rest: string } {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  return { name, rest: specifier.slice(name.length) };
}

/** What runs in a program; `types` never does. In a manifest the first key of these that is written decides. */
const CONDITIONS = new Set([
  "node", "node-addons", "import", "require", "module-sync", "module", "default", "development", "production", "browser", "worker",
  "deno", "bun", "workerd", "edge-light", "react-server", "react-native",
]);

/** The target of conditions, alternatives and plain text in `imports` or `exports`. */
function targetOf(value: Json | undefined, depth = 0): string | null {
  if (typeof value === "string") return value;
  if (depth > 16) return null;
  const choices = Array.isArray(value) ? (value as readonly Json[]) : isObject(value) ? Object.entries(value).flatMap(([key, one]) => (CONDITIONS.has(key) ? [one] : [])) : [];
  for (const choice of choices) {
    const target = targetOf(choice, depth + 1);
    if (target !== null) return target;
  }
  return null;
}

/** What the table of a manifest gives for a key, with one `*` in keys and targets; the longest prefix wins. */
function lookUp(table: Json | undefined, key: string): string | null {
  if (!isObject(table)) return null;
  if (Object.hasOwn(table, key)) return targetOf(table[key]);
  const patterns = Object.keys(table).filter((pattern) => pattern.includes("*")).sort((left, right) => right.indexOf("*") - left.indexOf("*"));
  for (const pattern of patterns) {
    const star = starOf(pattern, key);
    if (star !== null) return targetOf(table[pattern])?.replaceAll("*", () => star) ?? null;
  }
  return null;
}

/** What the `*` of a pattern stands for in a key; null where it does not match. */
export function starOf(pattern: string, key: string): string | null {
  const star = pattern.indexOf("*");
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  const matches = key.length >= before.length + after.length && key.startsWith(before) && key.endsWith(after);
  return matches ? key.slice(before.length, key.length - after.length) : null;
}

/** Where the `imports` of a package.json send `#name`: a path beginning with `./`, or a package. */
export function importsTarget(imports: Json | undefined, specifier: string): string | null {
  return lookUp(imports, specifier);
}

/** Tables of a package.json that say where packages come from. */
export const DEPENDENCY_TABLES: readonly string[] = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides", "resolutions"];
const DEPENDENCIES = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/**
 * What a package.json puts in a package's place: `npm:real-name` without its version, or the path of a `file:` or
 * `link:` dependency; null for a plain one.
 */
export function npmAlias(manifest: Readonly<Record<string, Json>>, name: string): string | null {
  const pnpm = manifest["pnpm"];
  const listed = DEPENDENCIES.flatMap((key) => {
    const table = manifest[key];
    const range = isObject(table) && Object.hasOwn(table, name) ? table[name] : undefined;
    return typeof range === "string" ? [range] : [];
  });
  const overrides = [manifest["overrides"], manifest["resolutions"], isObject(pnpm) ? pnpm["overrides"] : undefined];
  for (const range of [...listed, ...overrides.flatMap((table) => overridesOf(table, name))]) {
    const alias = /^npm:((?:@[^/@]+\/)?[^/@]+)/.exec(range);
    if (alias !== null) return `npm:${alias[1]!}`;
    const path = /^(?:file|link|portal):(.+)$/.exec(range);
    if (path !== null) return path[1]!;
  }
  return null;
}

/** What a table of overrides says, by package. Every import asks, so that each table is gone through once. */
const overridden = new WeakMap<JsonObject, ReadonlyMap<string, readonly string[]>>();

function overridesOf(table: Json | undefined, name: string): readonly string[] {
  if (!isObject(table)) return [];
  let ranges = overridden.get(table);
  if (ranges === undefined) {
    const byName = new Map<string, string[]>();
    for (const [key, range] of Object.entries(table)) {
      if (typeof range === "string") byName.set(overriddenName(key), [...(byName.get(overriddenName(key)) ?? []), range]);
    }
    overridden.set(table, ranges = byName);
  }
  return ranges.get(name) ?? [];
}

/**
 * The package that a key of `overrides` or `resolutions` is about: the last one of a way to it (`a>b` for pnpm, `a/b`
 * and globs for yarn), without the versions that it holds for (`b@1`).
 */
export function overriddenName(key: string): string {
  const parts = key.slice(key.lastIndexOf(">") + 1).split("/");
  const last = parts.at(-1)!;
  const version = last.indexOf("@", 1);
  const name = version === -1 ? last : last.slice(0, version);
  const scope = parts.at(-2);
  return scope?.startsWith("@") === true ? `${scope}/${name}` : name;
}

/** The files that a package of the tree may have for its name and a rest (`/sub`), the likeliest first. */
export function packageEntry(manifest: Readonly<Record<string, Json>>, rest: string): string[] {
  const exports = manifest["exports"];
  const table = isObject(exports) && Object.keys(exports).some((key) => key.startsWith(".")) ? exports : ({ ".": exports ?? null } satisfies Json);
  const exported = lookUp(table, `.${rest}`);
  const mains = rest === "" ? ["module", "main"].map((key) => manifest[key]).filter((entry): entry is string => typeof entry === "string") : [];
  const written = [...(exported === null ? [] : [exported]), ...mains];
  // What a build writes is usually not there: the source of the same name is.
  const sources = written.flatMap((entry) => [entry.replace(/(^|\/)(?:dist|lib|build|out|esm|cjs)\//, "$1src/"), entry.replace(/(^|\/)(?:dist|lib|build|out)\/(?:esm\/|cjs\/)?/, "$1")]);
  return [...written, ...sources, rest === "" ? "src/index" : `src${rest}`, rest === "" ? "index" : rest.slice(1)];
}
