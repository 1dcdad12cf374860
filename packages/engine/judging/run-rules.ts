import type { Rule, RuleContext } from "@agentgate/rules";
import type { TreePath } from "../paths.ts";
import type { Policy } from "../policy/policy.ts";
import type { Finding } from "../report.ts";
import { findingOf } from "./finding.ts";
import { notJudgedFinding, parseErrorFinding, untypedFinding } from "./input.ts";
import type { Module } from "./module.ts";
import { isTimeLimit, withTimeLimit } from "./time-limit.ts";

export interface RuleRunInput {
  readonly module: Module;
  readonly policy: Policy;
  readonly rules: readonly Rule[];
  readonly contextOf: (options?: RuleContext["options"]) => RuleContext;
  /** The modules that related places may lie in. */
  readonly moduleAt: (path: TreePath) => Module | null;
  /** Does a piece of work unless it is done already; absent: it is never done. */
  readonly keep?: Keep;
}

/** Does a named piece of work about a module once, as long as nothing that it asks for is lacking. */
export type Keep = <T>(name: string, work: () => T) => T;

/** What the rules say of a module, before anything licenses or compares it. */
export interface RuleRun {
  readonly findings: Finding[];
  /** Why the module could not be judged in full: `parse-error` and `not-judged`. */
  readonly unjudged: Finding[];
}

/** Does a rule's work; that it failed is noted, and goes no further. */
export type Attempt = (rule: string, work: () => void) => void;

/** What can be done about a file that cannot be judged though it was read. */
const SIMPLIFY = "Simplify the file: other source like it is judged without trouble.";

/**
 * Runs rules over a module, at the severities of the policy, and then `more`. A rule that fails and a module that takes
 * too long are findings; what was found until then is kept.
 */
export function runRules(input: RuleRunInput, more: (attempt: Attempt) => void = () => undefined): RuleRun {
  const { module, policy, rules } = input;
  const keep: Keep = input.keep ?? ((_, work) => work());
  const parseError = parseErrorFinding(module);
  const run: RuleRun = { findings: [], unjudged: parseError === null ? [] : [parseError] };
  if (module.untyped !== null) run.unjudged.push(untypedFinding(module.path, module.untyped));
  const notJudged = (reason: string): void => {
    run.unjudged.push(notJudgedFinding({ path: module.path, severity: "error", reason, advice: SIMPLIFY }));
  };
  const attempt: Attempt = (rule, work) => {
    try {
      work();
    } catch (error) {
      if (isTimeLimit(error)) throw error;
      notJudged(`the rule ${rule} failed on it`);
    }
  };
  try {
    withTimeLimit(module.text.length, () => {
      for (const rule of rules) if (policy.rules.get(rule.meta.id)?.severity !== "off") attempt(rule.meta.id, () => run.findings.push(...keep(`check ${rule.meta.id}`, () => found(rule, input))));
      more(attempt);
    });
  } catch (error) {
    if (!isTimeLimit(error)) throw error;
    notJudged("judging it timed out");
  }
  return run;
}

function found(rule: Rule, { module, policy, contextOf, moduleAt }: RuleRunInput): Finding[] {
  const { id } = rule.meta;
  const setting = policy.rules.get(id);
  const severity = setting?.severity === "off" ? undefined : setting?.severity;
  return rule.check(module.facts, contextOf(setting?.options)).map((one) => (one.unfinished === true
    ? findingOf("not-judged", "warning", one, module, moduleAt)
    : findingOf(id, severity ?? one.severity, one, module, moduleAt)));
}
