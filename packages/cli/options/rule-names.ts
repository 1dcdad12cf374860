import contractRules from "@agentgate/rules/contract-rules.json" with { type: "json" };

/** The rules this version judges. */
export const BUILT_RULES: readonly string[] = [
  "config", "contract-drift", "expired-permit", "gate-weakened", "no-dynamic-import", "no-fallback-endpoint", "no-fresh-idempotency-key", "no-invented-io",
  "no-runtime-install", "no-unbounded-loop", "no-ungated-write", "no-unpinned-model", "not-judged", "parse-error", "require-timeout",
  "secret-in-change", "unused-port", "unused-suppression",
];

/** The rules that come later. They may be switched off already, but not asked for. */
export const LATER_RULES: readonly string[] = [
  "undeclared-binary", "undeclared-env", "undeclared-host", "undeclared-root", "undeclared-tool",
];

/** The rules whose severity nobody may change. */
export const FIXED_RULES: readonly string[] = ["config", "gate-weakened", "not-judged", "parse-error"];

/** The contract rules that this version judges. */
export const CONTRACT_RULES: readonly string[] = contractRules;

/** Rules of contracts are named `system/rule`. */
export const CONTRACT_RULE = /^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/;

const PREFIX = "agentgate/";

/** A rule's id as the report has it; SARIF and ESLint carry it with the prefix. */
export function withoutPrefix(rule: string): string {
  return rule.startsWith(PREFIX) ? rule.slice(PREFIX.length) : rule;
}
