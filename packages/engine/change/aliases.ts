import { baseName } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { readJsonWithComments } from "../modules/jsonc.ts";
import type { Side } from "./change.ts";

/** Whether a change of this file can change what specifiers name. */
export function isResolutionManifest(path: TreePath): boolean {
  return /^(?:package\.json|[jt]sconfig[^/]*\.json|pnpm-workspace\.yaml|pyproject\.toml|setup\.(?:py|cfg))$/.test(baseName(path));
}

/** The names that a manifest gives another meaning: some, or any (`null`). */
export type ChangedNames = readonly string[] | null;

type Table = Readonly<Record<string, unknown>>;

/** Parts of a package.json that decide what its own name stands for. */
const ENTRIES = ["name", "main", "module", "exports", "workspaces", "type"] as const;
const DEPENDENCIES = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides", "resolutions", "pnpm"] as const;
/** A version says where a package comes from only where it says more than a version. */
const ALIAS = /^(?:npm|file|link|portal|workspace|git|https?|github):/;

/** Compares a manifest on two sides. A version that moved changes no name. */
export async function changedNames(path: TreePath, basePath: TreePath | null, base: Side, head: Side): Promise<ChangedNames> {
  const [before, after] = [basePath === null ? null : await base.text(basePath), await head.text(path)];
  if (!baseName(path).endsWith(".json")) return before === null || after === null || baseName(path).endsWith(".yaml") ? null : [];
  const [old, now] = [tableOf(before), tableOf(after)];
  if (baseName(path) !== "package.json") return changedInConfig(old, now);
  if (ENTRIES.some((key) => differs(old[key], now[key]))) return null;
  const aliases = DEPENDENCIES.flatMap((key) => changedKeys(old[key], now[key], true));
  return [...changedKeys(old["imports"], now["imports"], false), ...aliases];
}

function changedInConfig(old: Table, now: Table): ChangedNames {
  const [before, after] = [asTable(old["compilerOptions"]), asTable(now["compilerOptions"])];
  if (differs(old["extends"], now["extends"]) || differs(before["baseUrl"], after["baseUrl"])) return null;
  return changedKeys(before["paths"], after["paths"], false).map((key) => key.split("*", 1)[0]!).filter((key) => key !== "");
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
