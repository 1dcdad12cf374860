import { RULE_METAS, type RuleMeta } from "@agentgate/rules";
import type { ReportingDescriptor } from "sarif";
import { pageOfContract, pageOfRule } from "../../assets.ts";
import { HOME } from "../../version.ts";
import { riskOf, tagsOf } from "./risk.ts";
import { description, pascalCase } from "./text.ts";

/** What SARIF and ESLint put before a rule's id. */
const PREFIX = "agentgate/";

export function ruleIdOf(rule: string): string {
  return PREFIX + rule;
}

/** Every rule of this version as SARIF describes it, sorted by id, so that a clean run still says what was checked. */
export async function describedRules(): Promise<ReportingDescriptor[]> {
  const rules = await Promise.all(RULE_METAS.map(async (meta) => described(meta, await pageOfRule(meta.id))));
  return rules.sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** The rules of contracts and wiring, each with its contract's page, sorted by id: what `verify` checks. */
export async function describedContractRules(): Promise<ReportingDescriptor[]> {
  const { CONTRACT_SYSTEMS, WIRING, ownRulesOf, rulesOf } = await import("@agentgate/rules/contracts");
  const owners = [...CONTRACT_SYSTEMS.map((system) => ({ id: system.id, rules: rulesOf(system) })), { id: WIRING.id, rules: ownRulesOf(WIRING) }];
  const config = RULE_METAS.filter(({ id }) => id === "config").map(async (meta) => described(meta, await pageOfRule(meta.id)));
  const rules = await Promise.all([...config, ...owners.flatMap(({ id, rules: own }) => own.filter(({ needs }) => needs === null).map(async (rule) => described({ ...rule, category: "policy" }, await pageOfContract(id))))]);
  return rules.sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** A rule that a report names and this version has no page for. */
export function describedUnknown(rule: string): ReportingDescriptor {
  return described({ id: rule, severity: "error", summary: `Findings of ${rule}`, category: "code" }, null);
}

function described(meta: Pick<RuleMeta, "category" | "id" | "severity" | "summary">, page: string | null): ReportingDescriptor {
  const risk = riskOf(meta);
  const help = page === null ? null : helpOf(page);
  return {
    id: ruleIdOf(meta.id),
    name: pascalCase(meta.id),
    shortDescription: description(meta.summary.replaceAll("`", "")),
    fullDescription: description(help?.lead ?? meta.summary.replaceAll("`", "")),
    help: help === null ? { text: description(meta.summary).text } : { text: help.text, markdown: help.markdown },
    helpUri: `${HOME}#${meta.id.replaceAll("/", "-")}`,
    defaultConfiguration: { level: meta.severity },
    properties: {
      tags: tagsOf(risk), precision: risk.precision, "problem.severity": meta.severity, "security-severity": risk.score,
    },
  };
}

interface Help {
  /** The first paragraph that explains, in plain text. */
  readonly lead: string;
  readonly text: string;
  readonly markdown: string;
}

/** A rule's page without its generator's marks and without links that lead nowhere outside the repository. */
function helpOf(page: string): Help {
  const markdown = page.replace(/<!--[^]*?-->\n*/g, "").replace(/\[([^\]\n]*)\]\((?!https?:)[^)\n]*\)/g, "$1").trim();
  const explained = markdown.split(/^## .*$/m)[1]?.trim().split("\n\n")[0] ?? markdown;
  return { lead: plain(explained).replaceAll("\n", " "), text: plain(markdown), markdown };
}

function plain(markdown: string): string {
  return markdown.replaceAll("**", "").replaceAll("`", "").replace(/^#+ /gm, "");
}
