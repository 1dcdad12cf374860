import type { CheckOptions } from "./options.ts";
import { capsOf, unclassifiedOf } from "./judging/caps.ts";
import { compareFindings } from "./judging/finding.ts";
import { notJudgedFinding } from "./judging/input.ts";
import { judgeModules } from "./judging/judge.ts";
import { configFindings, expiredFindings, nestedPolicyFinding, unusedPortFindings } from "./judging/policy-findings.ts";
import { comparePaths } from "./paths.ts";
import { REPORT_VERSION } from "./report.ts";
import type { CapsReport, Finding, Report, Unscanned } from "./report.ts";
import { openTree } from "./session.ts";
import type { OpenTree } from "./session.ts";

const sources = new WeakMap<object, OpenTree>();

/**
 * Judges a tree as it lies. What the tree or the command line holds never rejects: see `Report.error`, with which the
 * report is still as full as it can be.
 *
 * @throws Error where children cannot be started at all (an incomplete installation)
 */
export async function checkTree(options: CheckOptions): Promise<Report> {
  const tree = await openTree(options);
  const { policy, loaded, ports, modules } = tree;
  const judged = judgeModules({ modules, contextOf: tree.contextOf, policy, ports, policyPath: loaded.path, whole: tree.whole });
  const findings = [...judged.findings, ...policyFindings(tree, options.now ?? new Date()), ...tree.failures.map(notJudgedFinding)].sort(compareFindings);
  const report: Report = {
    version: REPORT_VERSION, tool: { name: "agentgate", version: options.version }, mode: "tree", base: null, error: tree.error?.toReport() ?? null,
    summary: {
      files: [...modules.values()].filter((module) => module.judged).length,
      errors: findings.filter((finding) => finding.severity === "error").length,
      warnings: findings.filter((finding) => finding.severity === "warning").length,
      unchanged: 0, suppressed: judged.suppressed.length, permitted: judged.permitted.length,
      unscanned: unscannedOf(tree).length, unclassified: unclassifiedOf(tree).size,
    },
    findings, unscanned: unscannedOf(tree),
    permitted: judged.permitted.sort(compareFindings), suppressed: judged.suppressed.sort(compareFindings),
  };
  sources.set(report, tree);
  return report;
}

function policyFindings(tree: OpenTree, now: Date): Finding[] {
  const { policy, loaded } = tree;
  const nested = tree.nestedPolicies.map((path) => nestedPolicyFinding(path, loaded.path));
  const findings = [...configFindings(loaded), ...nested, ...expiredFindings(policy, loaded.path, now)];
  if (!tree.whole || policy.ports.length === 0) return findings;
  const capabilities = new Map(capsOf(tree).map((module) => [module.path, new Set(module.capabilities.map((one) => one.capability))]));
  const none: ReadonlySet<string> = new Set();
  const matched = (port: (typeof policy.ports)[number]): ReadonlySet<string>[] =>
    [...tree.modules.values()].filter((module) => module.judged && tree.ports.matching(module.path).includes(port)).map((module) => capabilities.get(module.path) ?? none);
  return [...findings, ...unusedPortFindings(policy, loaded.path, matched)];
}

/** What was not judged, an excluded file that a judged module imports left out: it is. */
function unscannedOf(tree: OpenTree): Unscanned[] {
  const excluded = tree.discovery.sources.flatMap((file): Unscanned[] => {
    if (file.excludedBy === null || !file.named || tree.modules.get(file.path)?.judged === true || tree.failures.some((failure) => failure.path === file.path)) return [];
    return [{ path: file.path, reason: "excluded", detail: file.excludedBy }];
  });
  return [...excluded, ...tree.discovery.unscanned].sort((left, right) => comparePaths(left.path, right.path));
}

/** What each module of a tree can do. Policy excludes and adds to the catalogue; ports take nothing away. */
export async function capsOfTree(options: CheckOptions): Promise<CapsReport> {
  const tree = await openTree(options);
  return { version: REPORT_VERSION, tool: { name: "agentgate", version: options.version }, base: null, error: tree.error?.toReport() ?? null, modules: capsOf(tree) };
}

/** The text of a judged file or the policy as it was read for this report, without byte order mark; for code frames. */
export function sourceOf(report: Report, path: string): string | null {
  const tree = sources.get(report);
  if (tree === undefined) return null;
  return path === tree.loaded.path ? tree.loaded.text : (tree.modules.get(path)?.text ?? null);
}

/** Lines for standard error: what a person should know and the document has no place for. */
export function notesOf(report: Report): readonly string[] {
  return sources.get(report)?.notes ?? [];
}
