import { type ContractContext, type Diagnostic, diagnostic, other } from "../contract.ts";
import type { EvidenceRule } from "../evidence.ts";
import { hasWord } from "../shared/paths.ts";
import { hostsIn, searched } from "../shared/search.ts";
import { isPlaceholder, shown } from "../shared/values.ts";
import { type GateEvidence, said } from "./gates.ts";

const COMPOSE = new Set(["compose"]);
const LAB = new Set(["lab"]);

/** Whether a file starts the lab's containers. */
function isLabCompose(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /\.ya?ml$/i.test(name) && hasWord(name, COMPOSE) && hasWord(path, LAB) && !path.split("/").includes("node_modules");
}

/** DATA_CLASS: no datastore of production stands in a compose file of the lab. */
export function checkDatastores(evidence: readonly GateEvidence[], context: ContractContext): Diagnostic<"lab-dsn" | EvidenceRule>[] {
  const entries = said(evidence, "DATA_CLASS", "prod_datastores").flatMap((one) => one.entries.filter(({ text }) => !isPlaceholder(text)).map((entry) => [entry.text, one.spotOf(entry)] as const));
  if (entries.length === 0) return [];
  const spots = new Map(entries);
  return context.tree.list("").filter(isLabCompose).flatMap((path): Diagnostic<"lab-dsn" | EvidenceRule>[] => {
    const { found, value: file } = searched(context, path);
    if (file === null) return [...found];
    return hostsIn(file.text, [...spots.keys()]).map(({ at, literal }) =>
      diagnostic("lab-dsn", { path, at, key: "datastore", value: literal }, `The lab is wired to ${shown(literal)}, a datastore of production. Give the lab one of its own.`, [other(spots.get(literal)!, "the datastore")]));
  });
}
