import { CONTRACT_SYSTEMS, type ContractFinding, type EvidenceTree, judgeContract } from "@agentgate/rules/contracts";
import path from "node:path";
import { findRoot } from "../discovery/root.ts";
import { GateError } from "../errors.ts";
import { compareFindings } from "../judging/finding.ts";
import { plainFingerprint } from "../judging/fingerprint.ts";
import { configFindings } from "../judging/policy-findings.ts";
import { type LoadedPolicy, loadPolicy } from "../policy/load.ts";
import { type Finding, REPORT_VERSION, type Report } from "../report.ts";
import { inForce, ruleSettings } from "../run-settings.ts";
import { setRun } from "../runs.ts";
import { type Activation, activate } from "./activation.ts";
import { DiskTree } from "./disk-tree.ts";
import type { VerifyOptions } from "./options.ts";
import { headOf } from "./outside.ts";
import { unknownSystem } from "./systems.ts";

/**
 * Judges the contracts of a tree and their evidence. What the tree or the command line holds never rejects: see
 * `Report.error`.
 */
export async function verifyContracts(options: VerifyOptions): Promise<Report> {
  const root = findRoot(options.cwd);
  const loaded = loadPolicy(root.folder, options.config === undefined ? null : path.resolve(options.cwd, options.config));
  const settings = ruleSettings(options.rules ?? {});
  const policy = inForce(loaded.policy, false, settings.rules);
  const tree = new DiskTree(root.folder);
  const unknown = unknownSystem(options.systems);
  const error = unknown ?? settings.problem ?? loaded.error;
  const activation = unknown === null ? activate(tree, policy.contracts, options.systems) : { active: [], missing: [] };
  const head = await headOf(root);
  const found = activation.active.flatMap(({ path: at, system }) => judgeContract(system, {
    path: at, tree, now: options.now ?? new Date(), head: options.head ?? head.id, pushedAt: options.pushedAt ?? head.committed, environment: options.environment,
  }));
  const findings = [...activation.missing, ...found].flatMap((one): Finding[] => {
    const severity = policy.rules.get(one.rule)?.severity ?? one.severity;
    return severity === "off" ? [] : [findingOf({ ...one, severity })];
  });
  const report = reportOf(options.version, [...configFindings(loaded), ...findings].sort(compareFindings), activation, error ?? laterError(policy.contracts));
  setTexts(report, tree, loaded, activation);
  return report;
}

/** A policy that requires what nobody judges must not pass. */
function laterError(contracts: LoadedPolicy["policy"]["contracts"]): GateError | null {
  const later = [...contracts].find(([id, { required }]) => required && !CONTRACT_SYSTEMS.some((system) => system.id === id));
  if (later === undefined) return null;
  return new GateError(`agentgate.yml requires the contract ${later[0]}, which this version does not judge.`, `Take required away from contracts.${later[0]} until the contract is there.`);
}

function findingOf({ at, key, message, path: file, related, rule, severity }: ContractFinding): Finding {
  return {
    rule, severity, message, path: file, ...placed(at), capability: null, api: null, baseline: null,
    related: related.map((other) => ({ path: other.path, ...placed(other.at), message: other.message })),
    fingerprint: plainFingerprint(rule, key),
  };
}

function placed({ column, length, line }: ContractFinding["at"]): Pick<Finding, "start" | "end"> {
  return { start: { line, column }, end: { line, column: column + length } };
}

function reportOf(version: string, findings: readonly Finding[], { active }: Activation, error: GateError | null): Report {
  const count = (severity: string): number => findings.filter((finding) => finding.severity === severity).length;
  return {
    version: REPORT_VERSION, tool: { name: "agentgate", version }, mode: "verify", base: null, error: error?.toReport() ?? null,
    summary: { files: active.length, errors: count("error"), warnings: count("warning"), unchanged: 0, suppressed: 0, permitted: 0, unscanned: 0, unclassified: 0 },
    findings, unscanned: [], permitted: [], suppressed: [],
  };
}

function setTexts(report: Report, tree: EvidenceTree, loaded: LoadedPolicy, { active }: Activation): void {
  setRun(report, {
    texts: (file) => (file === loaded.path ? loaded.text : textOf(tree, file)), blobs: () => null, notes: [], changedFiles: null, equalsBase: false,
    judgedFiles: active.map((one) => one.path).sort(), addedLines: () => null,
  });
}

/** A file as it was read for its findings. */
function textOf(tree: EvidenceTree, file: string): string | null {
  const read = tree.read(file);
  return read.kind === "file" ? new TextDecoder("utf-8").decode(read.bytes) : null;
}
