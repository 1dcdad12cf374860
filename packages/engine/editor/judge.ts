import { CODE_RULES, inventedIo } from "@agentgate/rules";
import type { Acquired, Rule, RuleContext } from "@agentgate/rules";
import { SUPPRESSION_NAMES, severityOf } from "../judging/judge.ts";
import { licensable } from "../judging/licensed.ts";
import type { Module } from "../judging/module.ts";
import { placeOf, plainFinding } from "../judging/finding.ts";
import { runRules } from "../judging/run-rules.ts";
import { Suppressions, suppressionsOf } from "../judging/suppressions.ts";
import { BaselineUse } from "../policy/baseline.ts";
import type { Baseline } from "../policy/baseline.ts";
import type { Ports } from "../modules/tree.ts";
import type { Policy } from "../policy/policy.ts";
import type { TreePath } from "../paths.ts";
import type { Finding } from "../report.ts";

export interface EditorJudging {
  readonly module: Module;
  readonly contextOf: (options?: RuleContext["options"]) => RuleContext;
  readonly moduleAt: (path: TreePath) => Module | null;
  readonly policy: Policy;
  readonly ports: Ports;
  readonly baseline: Baseline;
  /** What the module had at the base, null where nothing is to be compared with. */
  readonly had: readonly Acquired[] | null;
}

const INVENTED = "no-invented-io";
const RULES = new Map(CODE_RULES.map((rule) => [rule.meta.id, rule]));

/** What one code rule says of a module as an editor shows it, with why it could not say all; nothing licensed is left out yet. */
export function ruleInEditor(id: string, input: EditorJudging): readonly Finding[] {
  const rule = RULES.get(id);
  const run = runRules({ ...input, rules: rule === undefined ? [] : [compared(rule, input)] });
  return [...run.findings, ...run.unjudged];
}

/**
 * What a rule says of a module, but for what a port, the baseline or a comment licenses. `found` gives what a code rule
 * says, as `ruleInEditor`.
 */
export function judgeInEditor(id: string, input: EditorJudging, found: (rule: string) => readonly Finding[]): Finding[] {
  if (id === "unused-suppression") return brokenSuppressions(input);
  const rules = RULES.has(id) ? [id] : [...RULES.keys()];
  const findings = rules.flatMap(found).filter(({ rule }) => rule === id);
  const suppressions = new Suppressions(suppressionsOf(input.module.facts, SUPPRESSION_NAMES).valid);
  const baseline = new BaselineUse(input.baseline);
  return unique(findings).filter((finding) => !isLicensed(finding, input, suppressions) && baseline.take(finding) === null);
}

/** Every run says that a file does not parse. */
function unique(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [`${finding.start.line}:${finding.start.column} ${finding.message}`, finding])).values()];
}

/** What a module had before is no news in an editor. */
function compared(rule: Rule, { had }: EditorJudging): Rule {
  if (rule.meta.id !== INVENTED || had === null) return rule;
  return { ...rule, check: (facts, context) => inventedIo(facts, context, had) };
}

function isLicensed(finding: Finding, { ports }: EditorJudging, suppressions: Suppressions): boolean {
  const capability = licensable(finding);
  if (capability !== null && ports.covering(finding.path, capability) !== null) return true;
  return suppressions.at(finding.rule, finding.start.line) !== null;
}

function brokenSuppressions({ module, policy }: EditorJudging): Finding[] {
  const severity = severityOf("unused-suppression", "warning", policy);
  if (severity === "off") return [];
  const { facts, text, path } = module;
  return suppressionsOf(facts, SUPPRESSION_NAMES).broken.map((one) => plainFinding("unused-suppression", severity, path, one.message, one.message, placeOf(facts, text, one.span)));
}
