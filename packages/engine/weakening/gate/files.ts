import { globMatcher } from "../../discovery/exclude.ts";
import type { TreePath } from "../../paths.ts";
import { readYaml } from "../../policy/located.ts";
import type { Located } from "../../policy/located.ts";
import data from "./gate-files.json" with { type: "json" };

/** What a file that can start the gate is: how it is read and compared. */
export type Form = "github" | "action" | "gitlab" | "data" | "package" | "eslint-data" | "eslint" | "lines";

const forms = (data as readonly { readonly form: Form; readonly files: readonly string[] }[]).map(({ form, files }) => ({ form, matchers: files.map(globMatcher) }));

/** How a file that can start the gate is compared; null for any other file. Packages of others never are. */
export function formOf(path: TreePath): Form | null {
  if (path.split("/").includes("node_modules")) return null;
  return forms.find(({ matchers }) => matchers.some((matches) => matches(path)))?.form ?? null;
}

/** YAML or JSON with places; null for what is neither, and for what no reader of ours takes (tags, endless aliases). */
export function readData(text: string | null): Located | null {
  if (text === null) return null;
  try {
    return readYaml(text);
  } catch {
    return null;
  }
}

export const NAMES_GATE = /agentgate/i;
