import type { ModuleFacts, Reference } from "@agentgate/parsers";
import data from "../../data/package-installs.json" with { type: "json" };
import { apiName } from "../expressions.ts";
import { holdsOneOf, modulesOfApis } from "../names.ts";

/** A program that installs packages; see data/package-installs.json. */
export interface InstallTool {
  /** Subcommands, words separated by a blank; empty: the program itself. */
  readonly installs?: readonly string[];
  /** Subcommands that download what they run. */
  readonly fetches?: readonly string[];
  /** Of these, those that download nothing where no word says what. */
  readonly named?: readonly string[];
  /** Flags without which `fetches` runs what is there already. */
  readonly asks?: readonly string[];
  /** Flags that take a value, of a program that reads only what stands before the first positional word. */
  readonly valued?: readonly string[];
  /** Flags that install. */
  readonly flags?: readonly string[];
  readonly bare?: boolean;
  /** Flags that, standing first, only print the version. */
  readonly tells?: readonly string[];
  /** What `create` makes an environment of. */
  readonly made?: readonly string[];
}

/** A call of a module that installs; with `tool` its arguments are those of the program. */
export interface InstallCall {
  readonly api: string;
  readonly tool?: string;
}

const TOOLS: ReadonlyMap<string, InstallTool> = new Map(Object.entries(data.tools));
const CALLS: Record<ModuleFacts["language"], ReadonlyMap<string, InstallCall>> = {
  python: new Map(data.calls.python.map((entry) => [entry.api, entry])),
  ecmascript: new Map(data.calls.ecmascript.map((entry) => [entry.api, entry])),
};

/** Modules that have calls which install. */
export const INSTALLING: Record<ModuleFacts["language"], ReadonlySet<string>> = { python: modulesOfApis(CALLS.python.keys()), ecmascript: modulesOfApis(CALLS.ecmascript.keys()) };

/** Subcommands and flags that install exactly what a lock file says. */
export const LOCKED: ReadonlySet<string> = new Set(data.locked);
/** What installs only what comes with the language. */
export const BUNDLED: ReadonlySet<string> = new Set(data.bundled);
export const HARMLESS: ReadonlySet<string> = new Set(data.harmless);
const BEFORE: ReadonlySet<string> = new Set(data.before);
const SHELLS: ReadonlySet<string> = new Set(data.shells);

export function installToolOf(name: string): InstallTool | null {
  return TOOLS.get(name) ?? null;
}

export function installCallOf(language: ModuleFacts["language"], reference: Reference): InstallCall | null {
  return reference.computed === true ? null : CALLS[language].get(apiName(reference)) ?? null;
}

/** `/venv/bin/pip3.11` as `pip`, `npm.cmd` as `npm`. */
export function programName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1).toLowerCase().replace(/\.(?:exe|cmd|bat|ps1)$/, "");
  return name.replace(/^(pip|python|pypy|easy_install|gem)-?[\d.]+$/, "$1");
}

export function isPython(name: string): boolean {
  return data.python.includes(name);
}

export function isShell(name: string): boolean {
  return SHELLS.has(name);
}

/** A word that stands before the program: `sudo`. */
export function standsBefore(name: string): boolean {
  return BEFORE.has(name);
}

/** The parts of an identifier, in lower case: `venv_pip`, `npmCommand`. */
export function wordsOf(name: string): readonly string[] {
  return name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase().split(/[^a-z\d]+/).filter((word) => word !== "");
}

const holdsRun = holdsOneOf(data.runs);

/** Whether the name of a function says that it runs a command. */
export function saysRun(name: string): boolean {
  return holdsRun(name) && wordsOf(name).some((word) => data.runs.includes(word));
}

/** Whether a reference is one of the named APIs. */
export function isOfApi(reference: Reference, names: readonly string[]): boolean {
  return reference.computed !== true && names.includes(apiName(reference));
}

/** Whether a file is there to set a project up: installing is what it is for. `root`: a manifest lies beside it. */
export function isSetupScript(path: string, root: boolean): boolean {
  const parts = path.split("/");
  const name = parts.at(-1) ?? "";
  const stem = name.replace(/\.[^.]*$/, "");
  const { anywhere, inFolders, folders } = data.setupScripts;
  return anywhere.includes(name) || anywhere.includes(stem) || (inFolders.includes(stem.toLowerCase()) && (root || folders.includes(parts.at(-2) ?? "")));
}
