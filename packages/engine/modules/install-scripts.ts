import { tomlEntries } from "../change/manifests/toml-entries.ts";
import { baseName, folderOf, joinTree } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { isObject, pathIn } from "./manifests.ts";
import type { Json, JsonObject, Manifests } from "./manifests.ts";

/** Scripts of a package.json that run when it is installed: https://docs.npmjs.com/cli/using-npm/scripts#life-cycle-scripts. */
const HOOKS = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare", "prepublish", "pnpm:devPreinstall"];
/** How people name the script that sets a checkout up: https://github.com/github/scripts-to-rule-them-all. */
const SETUP = ["init", "setup", "bootstrap"];
/** A longer script is no command that names a file. */
const LONGEST = 4000;
const MOST_SCRIPTS = 50;

const RUNTIME = /(?:^|[\s;&|("'])(?:node|nodejs|python3?|tsx|ts-node|bun run|bun|deno run)\s+((?:-\S+\s+)*)["']?([^\s"';&|()]+)/g;
const LOADED = /\b(?:require|import)\s*\(\s*\\?["'](\.[^"'\\]+)\\?["']/g;
const OTHER_SCRIPT = /\b(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?([\w:.-]+)/g;
const ENDINGS = ["", ".js", ".cjs", ".mjs", ".ts", "/index.js"];

/** The modules that a manifest of the tree names as what runs when the package is installed, built or set up. */
export function installScripts(manifests: Manifests): ReadonlySet<TreePath> {
  const found = new Set<TreePath>();
  for (const [path, json] of manifests.all()) {
    if (baseName(path) === "package.json") for (const script of scriptsOf(folderOf(path), json)) found.add(script);
  }
  for (const path of manifests.named("pyproject.toml")) {
    for (const hook of hooksOf(folderOf(path), manifests.text(path) ?? "")) found.add(hook);
  }
  return found;
}

/** `"postinstall": "node scripts/fetch.js"`, also by way of `npm run`. What is also the program itself is not among them. */
function scriptsOf(folder: TreePath, json: JsonObject): readonly TreePath[] {
  const scripts = json["scripts"];
  if (!isObject(scripts)) return [];
  const named = new Set([...HOOKS, ...SETUP]);
  const files = new Set<TreePath>();
  for (const name of named) {
    const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
    if (typeof text !== "string" || text.length > LONGEST || named.size > MOST_SCRIPTS) continue;
    for (const [, other] of text.matchAll(OTHER_SCRIPT)) named.add(other!);
    for (const word of filesIn(text)) {
      const file = pathIn(folder, word);
      if (file === null) continue;
      for (const ending of ENDINGS) files.add(file + ending);
      // The manifest beside what a compiler wrote still names the source.
      files.add(file.replace(/\.([cm]?)ts$/, ".$1js"));
    }
  }
  for (const program of programsOf(json)) {
    const file = pathIn(folder, program);
    if (file !== null) for (const ending of ENDINGS) files.delete(file + ending);
  }
  return [...files];
}

function filesIn(script: string): readonly string[] {
  const started = [...script.matchAll(RUNTIME)].flatMap(([, flags, file]) => (/(?:^|\s)(?:-e|-p|-pe|--eval|--print)\s/.test(flags!) ? [] : [file!]));
  return [...started, ...[...script.matchAll(LOADED)].map(([, file]) => file!)];
}

/** What a package is loaded and started by. */
function programsOf(json: JsonObject): readonly string[] {
  return ["main", "module", "bin"].flatMap((key) => textsIn(json[key]));
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  return isObject(value) ? Object.values(value).filter((entry) => typeof entry === "string") : [];
}

/** Keys that name a file, and those that name a module or something in one. */
const FILE_KEYS = /^tool\.(?:hatch\.build\.(?:targets\.[^.]+\.)?hooks\.custom\.path|poetry\.build(?:\.script)?|pdm\.build\.custom-hook)$/;
const MODULE_KEYS = /^(?:tool\.setuptools\.cmdclass\.[^.]+|build-system\.build-backend)$/;

/** The hooks of a build: a file, or a module beside the manifest, in `src` or in its `backend-path`. */
function hooksOf(folder: TreePath, text: string): readonly TreePath[] {
  const entries = tomlEntries(text).map(({ keys, value }) => ({ key: keys.join("."), value }));
  const roots = ["", "src", ...entries.flatMap(({ key, value }) => (key === "build-system.backend-path" ? [value] : []))];
  return entries.flatMap(({ key, value }) => {
    if (FILE_KEYS.test(key)) return pathIn(folder, value) ?? [];
    if (!MODULE_KEYS.test(key)) return [];
    const parts = value.split(":")[0]!.split(".");
    return roots.flatMap((root) => [parts, parts.slice(0, -1)].flatMap((names) => (names.length === 0 ? [] : pathIn(joinTree(folder, root), `${names.join("/")}.py`) ?? [])));
  });
}
