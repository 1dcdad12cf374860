import type { ContractContext, Diagnostic } from "../contract.ts";
import { diagnostic, other } from "../contract.ts";
import { type EvidenceRule, lookUp } from "../evidence.ts";
import type { Given } from "../fields.ts";
import { tidy } from "../shared/paths.ts";
import { type Searched, hostsIn, literalsIn, searched } from "../shared/search.ts";
import { shown } from "../shared/values.ts";
import { saysNothing } from "./evidence-files.ts";
import { type GateEvidence, said } from "./gates.ts";
import type { Promotion } from "./index.ts";

type TreeRule = "tree-missing" | "lab-host" | "secret-pattern" | EvidenceRule;

/** The trees exist, and neither a lab host nor a pattern of a secret stands in them. The contract itself is left out. */
export function checkTrees(manifest: Promotion, evidence: readonly GateEvidence[], context: ContractContext): Diagnostic<TreeRule>[] {
  const folders = manifest.lab?.value.must_not_appear_in?.value ?? [];
  const missing = folders.flatMap((folder) => treeMissing(folder, context));
  const own = tidy(context.path);
  const paths = [...new Set(folders.flatMap((folder) => filesBelow(folder, context)))].filter((path) => path !== own).sort();
  return [...missing, ...paths.flatMap((path): Diagnostic<TreeRule>[] => {
    const { found, value: file } = searched(context, path);
    return file === null ? [...found] : [...labHosts(manifest, file), ...secretPatterns(evidence, file)];
  })];
}

function filesBelow({ value }: Given<string>, { tree }: ContractContext): readonly string[] {
  return tree.list(tidy(value));
}

function treeMissing(folder: Given<string>, context: ContractContext): Diagnostic<"tree-missing" | "unsafe-path">[] {
  if (lookUp(context, folder.value).kind === "outside" && tidy(folder.value) !== "") {
    return [diagnostic("unsafe-path", folder, `${shown(folder.value)} leads out of the repository, so that another tree would be searched. Name a folder of this repository.`)];
  }
  if (filesBelow(folder, context).length > 0) return [];
  return [diagnostic("tree-missing", folder, `${shown(folder.value)} is no folder with files in it, so searching it proves nothing. Name the folder as it is called now.`)];
}

function labHosts({ lab }: Promotion, { path, text }: Searched): Diagnostic<"lab-host">[] {
  const hosts = new Map((lab?.value.allowed_hosts?.value ?? []).map((host) => [host.value, host]));
  return hostsIn(text, [...hosts.keys()]).map(({ at, literal }) =>
    diagnostic("lab-host", { path, at, key: "host", value: literal }, `The lab host ${shown(literal)} stands in a tree that must be free of it: the lab would serve production. Name the production host.`, [other(hosts.get(literal)!, "the lab's host")]));
}

function secretPatterns(evidence: readonly GateEvidence[], { path, text }: Searched): Diagnostic<"secret-pattern">[] {
  return said(evidence, "SECRET_MATERIAL", "patterns").filter((one) => !saysNothing(one)).flatMap((patterns) => {
    const spots = new Map(patterns.entries.map((entry) => [entry.text, patterns.spotOf(entry)]));
    return literalsIn(text, [...spots.keys()]).map(({ at, literal }) =>
      diagnostic("secret-pattern", { path, at, key: "pattern", value: literal }, "A pattern of SECRET_MATERIAL occurs here, and its evidence says that none does. Take the secret out and revoke it.", [other(spots.get(literal)!, "the pattern")]));
  });
}
