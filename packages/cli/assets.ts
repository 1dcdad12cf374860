import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Pages of rules, and of contracts with all their rules. */
type Kind = "rules" | "contracts";

/** Where the pages lie: beside the built command, its chunks, or (unbuilt) in the repository. */
const CANDIDATES = ["./assets/", "../assets/", "../../docs/"];
const PAGE = /^([a-z][a-z0-9-]*)\.md$/;

async function pageFolder(kind: Kind): Promise<{ folder: string; names: string[] } | null> {
  for (const candidate of CANDIDATES) {
    const folder = fileURLToPath(new URL(`${candidate}${kind}/`, import.meta.url));
    const names = await readdir(folder).catch(() => null);
    if (names !== null) return { folder, names };
  }
  return null;
}

/** The ids of the rules that have a page, sorted. */
export async function pagesOfRules(): Promise<string[]> {
  const found = await pageFolder("rules");
  const ids = (found?.names ?? []).map((name) => PAGE.exec(name)?.[1]).filter((id) => id !== undefined && id !== "index");
  return ids.map(String).sort();
}

/** The Markdown of a rule's page, or `null` where there is none. `id` is one of `pagesOfRules`. */
export function pageOfRule(id: string): Promise<string | null> {
  return pageOf("rules", id);
}

/** The Markdown of a contract's page, on which all its rules are; `null` where there is none. */
export function pageOfContract(id: string): Promise<string | null> {
  return pageOf("contracts", id);
}

async function pageOf(kind: Kind, id: string): Promise<string | null> {
  const found = await pageFolder(kind);
  if (found?.names.includes(`${id}.md`) !== true) return null;
  return readFile(`${found.folder}${id}.md`, "utf8");
}
