import { CONTRACT_SYSTEMS, type ContractContext, type ContractFinding, type EvidenceTree, WIRING, judgeContract } from "@agentgate/rules/contracts";
import path from "node:path";
import { type Root, findRoot } from "../discovery/root.ts";
import { GateError } from "../errors.ts";
import { compareFindings } from "../judging/finding.ts";
import { plainFingerprint } from "../judging/fingerprint.ts";
import { configFindings } from "../judging/policy-findings.ts";
import { type LoadedPolicy, loadPolicy } from "../policy/load.ts";
import type { ContractSetting } from "../policy/policy.ts";
import { type Finding, REPORT_VERSION, type Report } from "../report.ts";
import { inForce, ruleSettings } from "../run-settings.ts";
import { setRun } from "../runs.ts";
import { activate } from "./activation.ts";
import { DiskTree } from "./disk-tree.ts";
import type { VerifyOptions } from "./options.ts";
import { headOf } from "./outside.ts";
import { unknownSystem } from "./systems.ts";
import { judgeWiring } from "./wiring.ts";

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
  const unknown = unknownSystem(options.systems, [WIRING.id]);
  const judged = unknown === null ? await judge(options, tree, root, policy.contracts) : NOTHING;
  const findings = judged.found.flatMap((one): Finding[] => {
    const severity = policy.rules.get(one.rule)?.severity ?? one.severity;
    return severity === "off" ? [] : [findingOf({ ...one, severity })];
  });
  const error = unknown ?? settings.problem ?? loaded.error ?? laterError(policy.contracts);
  const report = reportOf(options.version, [...configFindings(loaded), ...findings].sort(compareFindings), judged.files, error);
  setTexts(report, tree, loaded, judged.files);
  return report;
}

interface Judged {
  readonly found: readonly ContractFinding[];
  /** Contracts and workflows that were judged, sorted. */
  readonly files: readonly string[];
}

const NOTHING: Judged = { found: [], files: [] };

/** Judges the contracts that are asked for, and the workflows where none is or they are. */
async function judge(options: VerifyOptions, tree: DiskTree, root: Root, settings: ReadonlyMap<string, ContractSetting>): Promise<Judged> {
  const named = options.systems.filter((id) => id !== WIRING.id);
  const onlyWiring = named.length === 0 && options.systems.length > 0;
  const { active, missing } = activate(tree, settings, named);
  const head = await headOf(root);
  const context: Omit<ContractContext, "path"> = {
    tree, now: options.now ?? new Date(), head: options.head ?? head.id, pushedAt: options.pushedAt ?? head.committed, environment: options.environment,
  };
  // Judged for the wiring's sake as well: what a contract asks for is what a filter must not miss.
  const found = active.flatMap(({ path: at, system }) => judgeContract(system, { ...context, path: at }));
  const contracts: Judged = onlyWiring ? NOTHING : { found: [...missing, ...found], files: active.map((one) => one.path) };
  const wiring = options.systems.length === 0 || options.systems.includes(WIRING.id) ? await judgeWiring(tree, active.length === 0 ? [] : tree.filesRead()) : NOTHING;
  return { found: [...contracts.found, ...wiring.found], files: [...contracts.files, ...wiring.files].sort() };
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

function reportOf(version: string, findings: readonly Finding[], files: readonly string[], error: GateError | null): Report {
  const count = (severity: string): number => findings.filter((finding) => finding.severity === severity).length;
  return {
    version: REPORT_VERSION, tool: { name: "agentgate", version }, mode: "verify", base: null, error: error?.toReport() ?? null,
    summary: { files: files.length, errors: count("error"), warnings: count("warning"), unchanged: 0, suppressed: 0, permitted: 0, unscanned: 0, unclassified: 0 },
    findings, unscanned: [], permitted: [], suppressed: [],
  };
}

function setTexts(report: Report, tree: EvidenceTree, loaded: LoadedPolicy, judgedFiles: readonly string[]): void {
  setRun(report, {
    texts: (file) => (file === loaded.path ? loaded.text : textOf(tree, file)), blobs: () => null, notes: [], changedFiles: null, equalsBase: false,
    judgedFiles, addedLines: () => null,
  });
}

/** A file as it was read for its findings. */
function textOf(tree: EvidenceTree, file: string): string | null {
  const read = tree.read(file);
  return read.kind === "file" ? new TextDecoder("utf-8").decode(read.bytes) : null;
}
