import { CODE_RULES, acquiredCapabilities, passedOnApis, unclassifiedPackages } from "@agentgate/rules";
import type { Acquired, Influence, PassedOn, RuleContext, UnclassifiedPackage } from "@agentgate/rules";
import { placeOf, plainFinding } from "../judging/finding.ts";
import { fingerprintOf } from "../judging/fingerprint.ts";
import { SUPPRESSION_NAMES, severityOf } from "../judging/judge.ts";
import type { Module } from "../judging/module.ts";
import { runRules } from "../judging/run-rules.ts";
import type { Attempt, Keep } from "../judging/run-rules.ts";
import { Suppressions, suppressionsOf } from "../judging/suppressions.ts";
import type { Suppression } from "../judging/suppressions.ts";
import type { TreePath } from "../paths.ts";
import type { Policy } from "../policy/policy.ts";
import type { Finding } from "../report.ts";
import type { ChangeSide } from "./side.ts";

/** A finding of a rule with the directive that speaks for it on its side, if any. */
export interface Held {
  readonly finding: Finding;
  readonly suppression: Suppression | null;
}

/** An influence with the rule that says so. */
export interface RuleInfluence extends Influence {
  readonly rule: string;
}

/** What one side says of a module, before anything licenses or compares it. */
export interface View {
  readonly module: Module;
  readonly context: RuleContext;
  readonly acquired: readonly Acquired[];
  readonly unclassified: readonly UnclassifiedPackage[];
  /** What the module passes on to those that import it. */
  readonly passedOn: readonly PassedOn[];
  /** By what of it the verdict on modules that import it can change. */
  readonly influences: readonly RuleInfluence[];
  /** Of all rules but `no-invented-io`, whose capabilities are compared as sets. */
  readonly held: readonly Held[];
  /** `no-invented-io` by what the module has: for what its directives suppress. */
  readonly inventedFingerprints: ReadonlyMap<Acquired, string>;
  readonly suppressions: Suppressions;
  /** Why the module could not be judged in full: `parse-error` and `not-judged`. */
  readonly unjudged: readonly Finding[];
}

const INVENTED = "no-invented-io";
const HELD_RULES = CODE_RULES.filter(({ meta }) => meta.id !== INVENTED);

/** Judges modules of one side by the policy in force. */
export async function viewsOf(side: ChangeSide, paths: Iterable<TreePath>, policy: Policy): Promise<Map<TreePath, View>> {
  return side.settle(paths, (module, contextOf, keep) => new Viewer(side, module, policy, { contextOf, keep }).view());
}

type ContextWith = (options?: RuleContext["options"]) => RuleContext;

class Viewer {
  readonly #side: ChangeSide;
  readonly #module: Module;
  readonly #policy: Policy;
  readonly #contextOf: ContextWith;
  readonly #keep: Keep;
  readonly #held: Held[] = [];
  readonly #influences: RuleInfluence[] = [];
  readonly #suppressions: Suppressions;

  constructor(side: ChangeSide, module: Module, policy: Policy, { contextOf, keep }: { readonly contextOf: ContextWith; readonly keep: Keep }) {
    this.#side = side;
    this.#module = module;
    this.#policy = policy;
    this.#contextOf = contextOf;
    this.#keep = keep;
    const { valid, broken } = suppressionsOf(module.facts, SUPPRESSION_NAMES);
    this.#suppressions = new Suppressions(valid);
    this.#reportBroken(broken);
  }

  view(): View {
    const module = this.#module;
    const context = this.#contextOf();
    const known: { acquired: readonly Acquired[]; unclassified: readonly UnclassifiedPackage[]; passedOn: readonly PassedOn[] } = { acquired: [], unclassified: [], passedOn: [] };
    const run = runRules({ module, policy: this.#policy, rules: HELD_RULES, contextOf: this.#contextOf, moduleAt: (path) => this.#side.module(path), keep: this.#keep }, (attempt) => {
      attempt(INVENTED, () => {
        known.acquired = this.#keep("acquired", () => acquiredCapabilities(module.facts, context));
        known.unclassified = this.#keep("unclassified", () => unclassifiedPackages(module.facts, context));
        known.passedOn = this.#keep("passed on", () => passedOnApis(module.facts, context));
      });
      this.#collectInfluences(attempt);
    });
    for (const finding of run.findings) this.#hold(finding);
    return {
      module, context, ...known, influences: this.#influences, held: this.#held, suppressions: this.#suppressions, unjudged: run.unjudged,
      inventedFingerprints: new Map(known.acquired.map((one) => [one, this.#fingerprint(one)])),
    };
  }

  #collectInfluences(attempt: Attempt): void {
    for (const rule of HELD_RULES) {
      const setting = this.#policy.rules.get(rule.meta.id);
      if (rule.influences === undefined || setting?.severity === "off") continue;
      attempt(rule.meta.id, () => {
        const found = this.#keep(`influences ${rule.meta.id}`, () => rule.influences!(this.#module.facts, this.#contextOf(setting?.options)));
        for (const one of found) this.#influences.push({ ...one, rule: rule.meta.id });
      });
    }
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
