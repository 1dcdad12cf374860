import { isInvented } from "@agentgate/rules";
import type { CapsReport } from "@agentgate/engine";

/** A port that the tree suggests: a glob and what the modules it matches do today. */
export interface Proposal {
  readonly path: string;
  readonly capabilities: readonly string[];
  /** How many modules it covers. */
  readonly modules: number;
}

/** What `init` knows of a tree. */
export interface Survey {
  /** Modules that can do something, by language, most first. */
  readonly languages: readonly (readonly [language: string, modules: number])[];
  /** Folders that are named for talking to the outside, and do. */
  readonly folders: readonly Proposal[];
  /** Other modules that do I/O. */
  readonly modules: readonly Proposal[];
  /** How many modules may change something outside of the process, and how many call models. */
  readonly writing: number;
  readonly calling: number;
}

/** What changes something outside of the process; `net` tells nothing by itself. */
const WRITES: ReadonlySet<string> = new Set(["db.write", "cloud.write", "fs.write", "fs.delete", "queue", "mail", "notify", "pay", "env.write"]);

/** Names of folders that by convention hold the code that talks to the outside. */
const BOUNDARY_FOLDERS = new Set([
  "adapter", "adapters", "client", "clients", "connector", "connectors", "data-access", "data_access", "db", "drivers", "gateway",
  "gateways", "infra", "infrastructure", "integration", "integrations", "io", "persistence", "ports", "providers", "repositories",
  "repository", "storage", "stores", "transport", "transports",
]);

const LANGUAGES: readonly (readonly [RegExp, string])[] = [
  [/\.pyw?$/i, "Python"], [/\.[mc]?tsx?$/i, "TypeScript"], [/\.([mc]?js|jsx)$/i, "JavaScript"],
];

function languageOf(path: string): string {
  return LANGUAGES.find(([ending]) => ending.test(path))?.[1] ?? "script";
}

/** The shallowest folder of the path that is named for a boundary, or `null`. */
function boundaryOf(path: string): string | null {
  const folders = path.split("/").slice(0, -1);
  const at = folders.findIndex((folder) => BOUNDARY_FOLDERS.has(folder.toLowerCase()));
  return at < 0 ? null : folders.slice(0, at + 1).join("/");
}

/** A path as a glob that matches only itself. */
function literalGlob(path: string): string {
  return path.replace(/[\\*?[\]{}()"]/g, "\\$&").replace(/^!/, "\\!");
}

function addTo<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}

/** Reads proposals from what the modules of a tree can do. */
export function surveyOf({ modules }: Pick<CapsReport, "modules">): Survey {
  const folders = new Map<string, string[][]>();
  const others: Proposal[] = [];
  const languages = new Map<string, number>();
  for (const { capabilities, path } of modules) {
    const language = languageOf(path);
    languages.set(language, (languages.get(language) ?? 0) + 1);
    const names = [...new Set(capabilities.map((use) => use.capability))].filter((name) => isInvented(name, false)).sort();
    if (names.length === 0) continue;
    const folder = boundaryOf(path);
    if (folder === null) others.push({ path: literalGlob(path), capabilities: names, modules: 1 });
    else addTo(folders, folder, names);
  }
  const proposals = [...folders].map(([folder, names]) => ({
    path: `${literalGlob(folder)}/**`, capabilities: [...new Set(names.flat())].sort(), modules: names.length,
  }));
  const having = (has: (name: string) => boolean): number => modules.filter(({ capabilities }) => capabilities.some(({ capability }) => has(capability))).length;
  return {
    languages: [...languages].sort((left, right) => right[1] - left[1]), folders: proposals, modules: others,
    writing: having((name) => WRITES.has(name)), calling: having((name) => name === "model"),
  };
}
