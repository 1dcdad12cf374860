import { CODE_RULES, RULE_METAS, acquiredCapabilities, unclassifiedPackages } from "@agentgate/rules";
import type { RuleMeta, Severity } from "@agentgate/rules";
import { BaselineUse } from "../policy/baseline.ts";
import type { Baseline } from "../policy/baseline.ts";
import { coversCapability } from "../policy/policy.ts";
import type { Policy, PolicyPort } from "../policy/policy.ts";
import { LATER_RULES } from "../policy/schema.ts";
import type { Ports } from "../modules/tree.ts";
import type { TreePath } from "../paths.ts";
import type { Finding, License, LicensedFinding } from "../report.ts";
import { placeOf, plainFinding } from "./finding.ts";
import type { ContextOf } from "./context.ts";
import type { Module } from "./module.ts";
import { runRules } from "./run-rules.ts";
import { licensable } from "./licensed.ts";
import { Suppressions, suppressionsOf } from "./suppressions.ts";
import type { BrokenSuppression, Suppression, SuppressionNames } from "./suppressions.ts";

export interface JudgeInput {
  readonly modules: ReadonlyMap<TreePath, Module>;
  /** How rules see a module; one tree for all, so that what they work out is kept. */
  readonly contextOf: ContextOf;
  readonly policy: Policy;
  readonly ports: Ports;
  /** What is permitted because it was there when the baseline was written. */
  readonly baseline?: Baseline;
  /** Of the policy file, for what it licenses. */
  readonly policyPath: string;
  /** Whether everything that the tree has was judged, so that what nothing needs can be told. */
  readonly whole: boolean;
}

/** Findings with what licenses them, in no order yet. */
export interface Judged {
  /** Third-party packages that the catalogue does not know. */
  readonly unclassified: Set<string>;
  /** Ports that license something which a judged module can do. */
  readonly usedPorts: Set<PolicyPort>;
  /** Ports that match a judged module. */
  readonly matchedPorts: Set<PolicyPort>;
  readonly findings: Finding[];
  readonly permitted: LicensedFinding[];
  readonly suppressed: LicensedFinding[];
}

const metas = new Map<string, RuleMeta>(RULE_METAS.map((meta) => [meta.id, meta]));
const later = new Set(LATER_RULES);

/** Runs every rule over every judged module, then applies ports and suppressions. */
export function judgeModules(input: JudgeInput): Judged {
  const judged: Judged = { findings: [], permitted: [], suppressed: [], unclassified: new Set(), usedPorts: new Set(), matchedPorts: new Set() };
  for (const module of input.modules.values()) if (module.judged) new ModuleJudge(input, module, judged).run();
  return judged;
}

class ModuleJudge {
  readonly #input: JudgeInput;
  readonly #module: Module;
  readonly #judged: Judged;
  readonly #suppressions: Suppressions;
  readonly #broken: readonly BrokenSuppression[];
  readonly #used = new Set<Suppression>();
  readonly #baseline: BaselineUse | null;

  constructor(input: JudgeInput, module: Module, judged: Judged) {
    this.#input = input;
    this.#module = module;
    this.#judged = judged;
    const { valid, broken } = suppressionsOf(module.facts, SUPPRESSION_NAMES);
    this.#suppressions = new Suppressions(valid);
    this.#broken = broken;
    this.#baseline = input.baseline === undefined ? null : new BaselineUse(input.baseline);
  }

  run(): void {
    const { contextOf, modules, policy } = this.#input;
    const module = this.#module;
    const run = runRules({
      module, policy, rules: CODE_RULES, contextOf: (options) => contextOf(module, options), moduleAt: (path) => modules.get(path) ?? null,
    }, () => this.#takeStock());
    this.#judged.findings.push(...run.unjudged);
    for (const finding of run.findings) this.#place(finding);
    this.#reportSuppressions();
  }

  /** What the summary and the ports need of this module, while its facts are at hand. */
  #takeStock(): void {
    const ports = this.#input.ports.matching(this.#module.path);
    for (const port of ports) this.#judged.matchedPorts.add(port);
    try {
      const context = this.#input.contextOf(this.#module);
      for (const { root } of unclassifiedPackages(this.#module.facts, context)) this.#judged.unclassified.add(root);
      if (ports.length === 0) return;
      for (const { capability } of acquiredCapabilities(this.#module.facts, context)) {
        for (const port of ports) if (coversCapability(port.capabilities, capability)) this.#judged.usedPorts.add(port);
      }
    } catch {
      // Already reported: the rules ask the same.
    }
  }

  /** Puts a finding where what licenses it says: permitted, suppressed, or reported. */
  #place(finding: Finding): void {
    const capability = licensable(finding);
    const port = capability === null ? null : this.#input.ports.covering(finding.path, capability);
    if (port !== null) {
      const by: License = { kind: "port", path: this.#input.policyPath, line: port.line, owner: port.owner, note: port.note };
      this.#judged.permitted.push({ ...finding, by });
      return;
    }
    const suppression = this.#suppressions.at(finding.rule, finding.start.line);
    if (suppression === null) {
      const by = this.#baseline?.take(finding) ?? null;
      if (by === null) this.#judged.findings.push(finding);
      else this.#judged.permitted.push({ ...finding, by });
      return;
    }
    this.#used.add(suppression);
    const by: License = { kind: "suppression", path: finding.path, line: suppression.line, owner: suppression.owner, note: suppression.reason };
    this.#judged.suppressed.push({ ...finding, by });
  }

  /** Directives that suppress nothing. That one is merely unused can be told only where its rule ran over everything. */
  #reportSuppressions(): void {
    const severity = severityOf("unused-suppression", "warning", this.#input.policy);
    if (severity === "off") return;
    const { facts, text, path } = this.#module;
    const report = (message: string, key: string, span: Suppression["span"]): void =>
      this.#place(plainFinding("unused-suppression", severity, path, message, key, placeOf(facts, text, span)));
    for (const broken of this.#broken) report(broken.message, broken.message, broken.span);
    if (!this.#input.whole) return;
    for (const suppression of this.#suppressions.all) {
      if (suppression.rule === "unused-suppression" || this.#used.has(suppression) || !this.#runs(suppression.rule)) continue;
      report(`Nothing here is reported by ${suppression.rule}, so this comment suppresses nothing. Delete it.`, suppression.rule, suppression.span);
    }
  }

  #runs(rule: string): boolean {
    return metas.has(rule) && this.#input.policy.rules.get(rule)?.severity !== "off";
  }
}

/** Which rules a directive may name, and which of those it may suppress. */
export const SUPPRESSION_NAMES: SuppressionNames = {
  known: (rule: string): boolean => metas.has(rule) || later.has(rule) || /^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/.test(rule),
  suppressible: (rule: string): boolean => rule !== "gate-weakened" && metas.get(rule)?.suppressible !== false,
};

/** The severity of a rule that has one of its own, as the policy sets it. */
export function severityOf(rule: string, own: Severity, policy: Policy): Severity | "off" {
  return policy.rules.get(rule)?.severity ?? own;
}
