import type { CheckOptions } from "./options.ts";
import { capsOf } from "./judging/caps.ts";
import { compareFindings } from "./judging/finding.ts";
import { notJudgedFinding } from "./judging/input.ts";
import { judgeModules } from "./judging/judge.ts";
import type { Judged } from "./judging/judge.ts";
import { baselineFindings, configFindings, expiredFindings, nestedPolicyFinding, unusedPortFindings } from "./judging/policy-findings.ts";
import { comparePaths } from "./paths.ts";
import { loadBaseline } from "./policy/baseline-load.ts";
import { REPORT_VERSION } from "./report.ts";
import type { CapsReport, Finding, Report, Unscanned } from "./report.ts";
import { setRun } from "./runs.ts";
import { openTree } from "./session.ts";
import type { OpenTree } from "./session.ts";

/**
 * Judges a tree as it lies. What the tree or the command line holds never rejects: see `Report.error`, with which the
 * report is still as full as it can be.
 *
 * @throws Error where children cannot be started at all (an incomplete installation)
 */
export async function checkTree(options: CheckOptions): Promise<Report> {
  const tree = await openTree(options);
  const { policy, loaded, ports, modules } = tree;
  const held = loadBaseline(tree.root);
  const judged = judgeModules({ modules, contextOf: tree.contextOf, policy, ports, baseline: held.baseline, policyPath: loaded.path, whole: tree.whole });
  const findings = [...judged.findings, ...policyFindings(tree, judged, options.now ?? new Date()), ...baselineFindings(held), ...tree.failures.map(notJudgedFinding)].sort(compareFindings);
  const unscanned = unscannedOf(tree);
  const report: Report = {
    version: REPORT_VERSION, tool: { name: "agentgate", version: options.version }, mode: "tree", base: null, error: (tree.error ?? held.error)?.toReport() ?? null,
    summary: {
      files: [...modules.values()].filter((module) => module.judged).length,
      errors: findings.filter((finding) => finding.severity === "error").length,
      warnings: findings.filter((finding) => finding.severity === "warning").length,
      unchanged: 0, suppressed: judged.suppressed.length, permitted: judged.permitted.length, unscanned: unscanned.length, unclassified: judged.unclassified.size,
    },
    findings, unscanned,
    permitted: judged.permitted.sort(compareFindings), suppressed: judged.suppressed.sort(compareFindings),
  };
  setRun(report, {
    texts: (path) => (path === loaded.path ? loaded.text : (modules.get(path)?.text ?? null)), blobs: (path) => modules.get(path)?.blob ?? null, notes: tree.notes, changedFiles: null, equalsBase: false,
    judgedFiles: [...modules.values()].filter((module) => module.judged).map((module) => module.path), addedLines: () => null,
  });
  return report;
}

function policyFindings(tree: OpenTree, judged: Judged, now: Date): Finding[] {
  const { policy, loaded } = tree;
  const nested = tree.nestedPolicies.map((path) => nestedPolicyFinding(path, loaded.path));
  const unused = tree.whole ? unusedPortFindings(policy, loaded.path, judged) : [];
  return [...configFindings(loaded), ...nested, ...expiredFindings(policy, loaded.path, now), ...unused];
}

/** What was not judged, an excluded file that a judged module imports left out: it is. */
function unscannedOf(tree: OpenTree): Unscanned[] {
  const failed = new Set(tree.failures.map((failure) => failure.path));
  const excluded = tree.discovery.sources.flatMap((file): Unscanned[] => {
    if (file.excludedBy === null || !file.named || tree.modules.get(file.path)?.judged === true || failed.has(file.path)) return [];
    return [{ path: file.path, reason: "excluded", detail: file.excludedBy }];
  });
  return [...excluded, ...tree.discovery.unscanned].sort((left, right) => comparePaths(left.path, right.path));
}

/** What each module of a tree can do. Policy excludes and adds to the catalogue; ports take nothing away. */
export async function capsOfTree(options: CheckOptions): Promise<CapsReport> {
  const tree = await openTree(options);
  return { version: REPORT_VERSION, tool: { name: "agentgate", version: options.version }, base: null, error: tree.error?.toReport() ?? null, modules: capsOf(tree) };
}
