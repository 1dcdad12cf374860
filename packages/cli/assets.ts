import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** The rule pages beside the built command, its chunks, or (unbuilt) in the repository. */
const CANDIDATES = ["./assets/rules/", "../assets/rules/", "../../docs/rules/"];
const PAGE = /^([a-z][a-z0-9-]*)\.md$/;

async function pageFolder(): Promise<{ folder: string; names: string[] } | null> {
  for (const candidate of CANDIDATES) {
    const folder = fileURLToPath(new URL(candidate, import.meta.url));
    const names = await readdir(folder).catch(() => null);
    if (names !== null) return { folder, names };
  }
  return null;
}

/** The ids of the rules that have a page, sorted. */
export async function pagesOfRules(): Promise<string[]> {
  const found = await pageFolder();
  const ids = (found?.names ?? []).map((name) => PAGE.exec(name)?.[1]).filter((id) => id !== undefined && id !== "index");
  return ids.map(String).sort();
}

/** The Markdown of a rule's page, or `null` where there is none. `id` is one of `pagesOfRules`. */
export async function pageOfRule(id: string): Promise<string | null> {
  const found = await pageFolder();
  if (found?.names.includes(`${id}.md`) !== true) return null;
  return readFile(`${found.folder}${id}.md`, "utf8");
}
