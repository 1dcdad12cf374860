import { CODE_RULES, acquiredCapabilities, passedOnApis, unclassifiedPackages } from "@agentgate/rules";
import type { Acquired, PassedOn, Rule, RuleContext, RuleFinding, UnclassifiedPackage } from "@agentgate/rules";
import { findingOf, placeOf, plainFinding } from "../judging/finding.ts";
import { fingerprintOf } from "../judging/fingerprint.ts";
import { notJudgedFinding, parseErrorFinding } from "../judging/input.ts";
import { SIMPLIFY, SUPPRESSION_NAMES, severityOf } from "../judging/judge.ts";
import type { Module } from "../judging/module.ts";
import { Suppressions, suppressionsOf } from "../judging/suppressions.ts";
import type { Suppression } from "../judging/suppressions.ts";
import { isTimeLimit, withTimeLimit } from "../judging/time-limit.ts";
import type { TreePath } from "../paths.ts";
import type { Policy } from "../policy/policy.ts";
import type { Finding } from "../report.ts";
import type { ChangeSide } from "./side.ts";

/** A finding of a rule with the directive that speaks for it on its side, if any. */
export interface Held {
  readonly finding: Finding;
  readonly suppression: Suppression | null;
}

/** What one side says of a module, before anything licenses or compares it. */
export interface View {
  readonly module: Module;
  readonly context: RuleContext;
  readonly acquired: readonly Acquired[];
  readonly unclassified: readonly UnclassifiedPackage[];
  /** What the module passes on to those that import it. */
  readonly passedOn: readonly PassedOn[];
  /** Of all rules but `no-invented-io`, whose capabilities are compared as sets. */
  readonly held: readonly Held[];
  /** `no-invented-io` by what the module has: for what its directives suppress. */
  readonly inventedFingerprints: ReadonlyMap<Acquired, string>;
  readonly suppressions: Suppressions;
  /** Why the module could not be judged in full: `parse-error` and `not-judged`. */
  readonly unjudged: readonly Finding[];
}

const INVENTED = "no-invented-io";

/** Judges modules of one side by the policy in force. */
export async function viewsOf(side: ChangeSide, paths: Iterable<TreePath>, policy: Policy): Promise<Map<TreePath, View>> {
  return side.settle(paths, (module, contextOf) => new Viewer(side, module, policy, contextOf).view());
}

class Viewer {
  readonly #side: ChangeSide;
  readonly #module: Module;
  readonly #policy: Policy;
  readonly #contextOf: (options?: RuleContext["options"]) => RuleContext;
  readonly #held: Held[] = [];
  readonly #unjudged: Finding[] = [];
  readonly #suppressions: Suppressions;

  constructor(side: ChangeSide, module: Module, policy: Policy, contextOf: (options?: RuleContext["options"]) => RuleContext) {
    this.#side = side;
    this.#module = module;
    this.#policy = policy;
    this.#contextOf = contextOf;
    const { valid, broken } = suppressionsOf(module.facts, SUPPRESSION_NAMES);
    this.#suppressions = new Suppressions(valid);
    this.#reportBroken(broken);
  }

  view(): View {
    const context = this.#contextOf();
    const known: { acquired: readonly Acquired[]; unclassified: readonly UnclassifiedPackage[]; passedOn: readonly PassedOn[] } = { acquired: [], unclassified: [], passedOn: [] };
    const parseError = parseErrorFinding(this.#module);
    if (parseError !== null) this.#unjudged.push(parseError);
    try {
      withTimeLimit(this.#module.text.length, () => {
        for (const rule of CODE_RULES) if (rule.meta.id !== INVENTED) this.#run(rule);
        this.#attempt(INVENTED, () => {
          known.acquired = acquiredCapabilities(this.#module.facts, context);
          known.unclassified = unclassifiedPackages(this.#module.facts, context);
          known.passedOn = passedOnApis(this.#module.facts, context);
        });
      });
    } catch (error) {
      if (!isTimeLimit(error)) throw error;
      this.#notJudged("judging it timed out");
    }
    return {
      module: this.#module, context, ...known, held: this.#held, suppressions: this.#suppressions, unjudged: this.#unjudged,
      inventedFingerprints: new Map(known.acquired.map((one) => [one, this.#fingerprint(one)])),
    };
  }

  #run(rule: Rule): void {
    const { id } = rule.meta;
    const setting = this.#policy.rules.get(id);
    if (setting?.severity === "off") return;
    this.#attempt(id, () => {
      for (const found of rule.check(this.#module.facts, this.#contextOf(setting?.options))) this.#hold(this.#finding(id, found));
    });
  }

  #attempt(id: string, judge: () => void): void {
    try {
      judge();
    } catch (error) {
      if (isTimeLimit(error)) throw error;
      this.#notJudged(`the rule ${id} failed on it`);
    }
  }

  #notJudged(reason: string): void {
    this.#unjudged.push(notJudgedFinding({ path: this.#module.path, severity: "error", reason, advice: SIMPLIFY }));
  }

  #finding(id: string, found: RuleFinding): Finding {
    return findingOf(id, this.#policy.rules.get(id)?.severity as Finding["severity"] | undefined ?? found.severity, found, this.#module, (path) => this.#side.module(path));
  }

  #hold(finding: Finding): void {
    this.#held.push({ finding, suppression: this.#suppressions.at(finding.rule, finding.start.line) });
  }

  #reportBroken(broken: ReturnType<typeof suppressionsOf>["broken"]): void {
    const severity = severityOf("unused-suppression", "warning", this.#policy);
    if (severity === "off") return;
    const { facts, text, path } = this.#module;
    for (const one of broken) this.#hold(plainFinding("unused-suppression", severity, path, one.message, one.message, placeOf(facts, text, one.span)));
  }

  #fingerprint({ capability, root, sites }: Acquired): string {
    return fingerprintOf(INVENTED, { capability, key: root, statement: sites[0]!.statement }, this.#module.facts, this.#module.text);
  }
}
