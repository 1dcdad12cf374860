import { readJsonWithComments } from "../modules/jsonc.ts";
import { DEPENDENCY_TABLES, overriddenName } from "../modules/aliases.ts";
import { baseName } from "../paths.ts";
import type { TreePath } from "../paths.ts";

/** Whether a change of this file can change what specifiers name. */
export function isResolutionManifest(path: TreePath): boolean {
  return isPythonManifest(path) || /^(?:package\.json|[jt]sconfig[^/]*\.json|pnpm-workspace\.yaml)$/.test(baseName(path));
}

/** Files that make their folder a place where Python's modules are looked up. */
export function isPythonManifest(path: TreePath): boolean {
  return /^(?:pyproject\.toml|setup\.(?:py|cfg))$/.test(baseName(path));
}

type Table = Readonly<Record<string, unknown>>;

/** Parts of a package.json that decide which file its name, or its folder, stands for. */
const ENTRIES = ["name", "main", "module", "exports"] as const;
/** A version says where a package comes from only where it says more than a version. */
const ALIAS = /^(?:npm|file|link|portal|workspace|git|https?|github):/;

/** What a package.json gives another meaning. A version that moved changes no name. */
export interface ChangedPackage {
  /** Names of others, as importers write them, and its own. */
  readonly names: readonly string[];
  /** Its own name or folder stands for another file. */
  readonly entry: boolean;
  /** The names of the tree's packages may belong to others. */
  readonly workspaces: boolean;
}

/** Compares two texts of a package.json; null where there is none. */
export function changedInPackage(before: string | null, after: string | null): ChangedPackage {
  const [old, now] = [tableOf(before), tableOf(after)];
  const entry = ENTRIES.some((key) => differs(old[key], now[key]));
  const pnpm = [old, now].map((table) => asTable(table["pnpm"])["overrides"]);
  const own = entry ? [old["name"], now["name"]].filter((name): name is string => typeof name === "string") : [];
  return {
    names: [
      ...changedKeys(old["imports"], now["imports"], false).map(beforeStar), ...DEPENDENCY_TABLES.flatMap((key) => changedKeys(old[key], now[key], true)).map(overriddenName),
      ...changedKeys(pnpm[0], pnpm[1], true).map(overriddenName), ...own,
    ],
    entry, workspaces: differs(old["workspaces"], now["workspaces"]),
  };
}

/** The beginnings of the names to which two texts of a tsconfig.json give another meaning; null where these are any. */
export function changedInConfig(oldText: string | null, text: string | null): readonly string[] | null {
  const [old, now] = [tableOf(oldText), tableOf(text)];
  const [before, after] = [asTable(old["compilerOptions"]), asTable(now["compilerOptions"])];
  if (differs(old["extends"], now["extends"]) || differs(before["baseUrl"], after["baseUrl"])) return null;
  const names = changedKeys(before["paths"], after["paths"], false).map(beforeStar);
  return names.includes("") ? null : names;
}

function beforeStar(key: string): string {
  return key.split("*", 1)[0]!;
}

function changedKeys(old: unknown, now: unknown, aliasesOnly: boolean): string[] {
  const [before, after] = [asTable(old), asTable(now)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => {
    if (!differs(before[key], after[key])) return false;
    return !aliasesOnly || [before[key], after[key]].some((value) => typeof value === "object" || (typeof value === "string" && ALIAS.test(value)));
  });
}

function differs(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}

function tableOf(text: string | null): Table {
  return asTable(text === null ? null : readJsonWithComments(text));
}

function asTable(value: unknown): Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Table) : {};
}
