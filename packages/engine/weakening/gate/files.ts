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
  const known = read.get(text);
  if (known !== undefined) return known;
  const root = parsed(text);
  if (read.size >= MOST_KEPT) read.clear();
  read.set(text, root);
  return root;
}

/** The few files of a change are asked for several times, and a large one takes a while. */
const read = new Map<string, Located | null>();
const MOST_KEPT = 8;

function parsed(text: string): Located | null {
  try {
    return readYaml(text);
  } catch {
    return null;
  }
}

export const NAMES_GATE = /agentgate/i;
