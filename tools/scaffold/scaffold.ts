import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { templates } from "./templates.ts";

export class ScaffoldError extends Error {}

const REGISTRY = "rules/registry.ts";

/** The id on a command line; empty where there is none. @throws ScaffoldError where more words follow. */
export function onlyId([id = "", ...more]: readonly string[]): string {
  if (more.length > 0) throw new ScaffoldError(`one rule at a time: "${more.join(" ")}" is not expected after "${id}"`);
  return id;
}

/**
 * Makes a rule, its test, its fixtures and its page under `root`, and lists it in the registry. Returns the paths it
 * wrote. Overwrites nothing.
 * @throws ScaffoldError where the id is no kebab-case name, a file is there already, or the registry has another form.
 */
export function scaffoldRule(root: string, id: string): string[] {
  if (!/^[a-z]+(?:-[a-z]+)+$/.test(id)) throw new ScaffoldError(`"${id}" is no rule id: write two or more lower-case words, as in no-ambient-clock`);
  const camel = id.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const files = templates({ id, camel });
  const taken = Object.keys(files).find((file) => existsSync(path.join(root, file)));
  if (taken !== undefined) throw new ScaffoldError(`${taken} is there already`);
  const registry = registered(readFileSync(path.join(root, REGISTRY), "utf8"), id, camel);
  for (const [file, text] of Object.entries({ ...files, [REGISTRY]: registry })) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return [...Object.keys(files), REGISTRY];
}

/** The registry with one more rule: an import after the others, an entry at the end of CODE_RULES. */
export function registered(registry: string, id: string, camel: string): string {
  const list = /(export const CODE_RULES: readonly Rule\[\] = \[)([^\]]*)(\];)/.exec(registry);
  const lastImport = registry.lastIndexOf("\nimport ");
  if (list === null || lastImport === -1) throw new ScaffoldError(`${REGISTRY}: no list CODE_RULES to add ${id} to`);
  const [whole, open, entries, close] = list;
  const rest = entries!.trim().replace(/,$/, "");
  const added = registry.replace(whole, () => `${open!}${rest === "" ? "" : `${rest}, `}${camel}${close!}`);
  const end = added.indexOf("\n", lastImport + 1);
  return `${added.slice(0, end)}\nimport { ${camel} } from "./${id}.ts";${added.slice(end)}`;
}
