import { parsePython } from "@agentgate/parsers";
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
import type { EditorFinding, EditorSuggestion } from "./protocol.ts";
import { SUGGESTERS, repaired } from "./suggestions.ts";

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
/** What a rule could not say all of goes under this name. */
const UNFINISHED = "not-judged";
const RULES = new Map(CODE_RULES.map((rule) => [rule.meta.id, rule]));

/**
 * What code rules say of a module as an editor shows it, each with why it could not say all; nothing licensed is left out
 * yet. They share one time limit, which takes a thread of its own and costs more than most rules.
 */
export function rulesInEditor(ids: readonly string[], input: EditorJudging): ReadonlyMap<string, readonly Finding[]> {
  const rules = ids.flatMap((id) => RULES.get(id) ?? []).map((rule) => compared(rule, input));
  const run = runRules({ ...input, rules });
  return new Map(ids.map((id) => [id, [...run.findings.filter(({ rule }) => rule === id || rule === UNFINISHED), ...run.unjudged]]));
}

/**
 * What a rule says of a module, but for what a port, the baseline or a comment licenses. `found` gives what a code rule
 * says, as `rulesInEditor`.
 */
export function judgeInEditor(id: string, input: EditorJudging, found: (rule: string) => readonly Finding[]): Finding[] {
  if (id === "unused-suppression") return brokenSuppressions(input);
  const rules = RULES.has(id) ? [id] : [...RULES.keys()];
  const findings = rules.flatMap(found).filter(({ rule }) => rule === id);
  const suppressions = new Suppressions(suppressionsOf(input.module.facts, SUPPRESSION_NAMES).valid);
  const baseline = new BaselineUse(input.baseline);
  return unique(findings).filter((finding) => !isLicensed(finding, input, suppressions) && baseline.take(finding) === null);
}

/** Findings of a file that get a repair worked out: each is tried, which judges the file anew. */
const MOST_REPAIRS = 20;

/** Findings with the repairs that hold: the text parses with them, and the rule has one finding less. */
export function withRepairs(id: string, findings: readonly Finding[], input: EditorJudging): readonly EditorFinding[] {
  const suggester = SUGGESTERS.get(id);
  return findings.map(({ severity, message, start, end }, index) => {
    const shown = { severity, message, start, end };
    if (suggester === undefined || index >= MOST_REPAIRS) return shown;
    const { facts, text } = input.module;
    const suggestion = suggester(facts, text, facts.lines[start.line - 1]! + start.column - 1);
    return suggestion === null || !holds(id, suggestion, input) ? shown : { ...shown, suggestion };
  });
}

/**
 * Whether a repair does what it should. JavaScript is not parsed anew: its parser may end the whole process, and what its
 * repairs write is an expression in brackets where one stood.
 */
function holds(id: string, suggestion: EditorSuggestion, { module, contextOf }: EditorJudging): boolean {
  if (module.facts.language !== "python") return true;
  const facts = parsePython(repaired(module.text, suggestion));
  const rule = RULES.get(id)!;
  return facts.problems.length <= module.facts.problems.length && rule.check(facts, contextOf()).length < rule.check(module.facts, contextOf()).length;
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
