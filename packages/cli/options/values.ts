import { Failure, notInThisVersion } from "../failure.ts";
import { printable } from "../render/printable.ts";
import { BUILT_RULES, CONTRACT_RULE, CONTRACT_RULES, FIXED_RULES, LATER_RULES, withoutPrefix } from "./rule-names.ts";
import { closest } from "./suggest.ts";

export type RuleSeverity = "error" | "warning" | "off";
export type FailOn = "error" | "warning" | "never";

const MOST_JOBS = 256;

function usage(option: string, value: string, expected: string): Failure {
  return new Failure(`${option} cannot be "${printable(value)}"`, expected);
}

/** One of the given words. */
export function oneOf<T extends string>(option: string, value: string, words: readonly T[]): T {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  throw usage(option, value, `Use one of: ${words.join(", ")}.`);
}

/** The number of processes, a whole number from 1 to 256. */
export function jobsOf(value: string): number {
  const jobs = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (jobs < 1 || jobs > MOST_JOBS) throw usage("--jobs", value, `Give a whole number from 1 to ${MOST_JOBS}.`);
  return jobs;
}

const MOMENT = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** A moment in ISO 8601. Without an offset it is UTC: the time zone of the machine must not change a verdict. */
export function momentOf(value: string, option = "--now"): Date {
  const parts = MOMENT.exec(value);
  const wanted = `Give a date or a time in ISO 8601, for example 2026-01-31 or 2026-01-31T12:00:00Z.`;
  if (parts === null) throw usage(option, value, wanted);
  const zoned = value.includes("T") && parts[4] === undefined ? `${value}Z` : value;
  const moment = new Date(zoned);
  const day = new Date(Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])));
  if (Number.isNaN(moment.getTime()) || day.getUTCDate() !== Number(parts[3])) throw usage(option, value, wanted);
  return moment;
}

/** `i/n`, the i-th of n parts. */
export function shardOf(value: string): { index: number; count: number } {
  const parts = /^(\d{1,6})\/(\d{1,6})$/.exec(value);
  const index = Number(parts?.[1] ?? 0);
  const count = Number(parts?.[2] ?? 0);
  if (index < 1 || index > count) throw usage("--shard", value, "Give i/n with i from 1 to n, for example 1/4.");
  return { index, count };
}

/** The digest that `gate-weakened` prints: SHA-256 in hexadecimal. */
export function digestOf(value: string): string {
  if (!/^[0-9a-f]{64}$/i.test(value)) throw usage("--accept", value, "Give the digest as gate-weakened prints it: 64 hexadecimal digits.");
  return value.toLowerCase();
}

/** A text that must not be empty, such as a file or a revision. */
export function filled(option: string, value: string): string {
  if (value === "" || value.includes("\0")) throw usage(option, value, `Give ${option} a value.`);
  return value;
}

/** A revision. An empty variable on a command line makes the next option its value. */
export function revisionOf(option: string, value: string): string {
  if (value.startsWith("--")) throw new Failure(`${option} has no value: what follows it is the option ${value}`, `Name a revision after ${option}, for example ${option} origin/main.`);
  return filled(option, value);
}

/**
 * `--rule id=severity`, repeatable; the last one of a rule wins.
 *
 * @throws Failure for an unknown rule or severity, a rule whose severity is fixed, or a later rule that is asked for
 */
export function ruleSeverities(values: readonly string[]): Record<string, RuleSeverity> {
  const severities = new Map<string, RuleSeverity>();
  for (const value of values) {
    const at = value.lastIndexOf("=");
    if (at < 1) throw usage("--rule", value, "Write --rule id=severity, for example --rule no-dynamic-import=warning.");
    const rule = withoutPrefix(value.slice(0, at));
    const severity = oneOf(`the severity in --rule ${printable(rule)}`, value.slice(at + 1), ["error", "warning", "off"]);
    checkRule(rule, severity);
    severities.set(rule, severity);
  }
  return Object.fromEntries(severities);
}

function checkRule(rule: string, severity: RuleSeverity): void {
  if (FIXED_RULES.includes(rule)) throw new Failure(`the severity of ${rule} is fixed`, `Leave out --rule ${rule}=${severity}.`);
  if (BUILT_RULES.includes(rule) || CONTRACT_RULES.includes(rule)) return;
  const contract = rule.slice(0, rule.indexOf("/") + 1);
  const siblings = CONTRACT_RULES.filter((id) => contract !== "" && id.startsWith(contract));
  if (siblings.length > 0) throw unknownRule(rule, siblings);
  if (!LATER_RULES.includes(rule) && !CONTRACT_RULE.test(rule)) throw unknownRule(rule, [...BUILT_RULES, ...LATER_RULES]);
  // Silence would look like the verdict that was asked for.
  if (severity !== "off") throw notInThisVersion(`the rule ${rule}`, `Leave out --rule ${rule}=${severity}; off is accepted.`);
}

/** The failure for a rule nobody knows, with the name that was likely meant. */
export function unknownRule(rule: string, known: readonly string[]): Failure {
  const near = closest(rule, known);
  const hint = near === null ? `The rules are: ${known.join(", ")}.` : `Did you mean ${near}?`;
  return new Failure(`there is no rule "${printable(rule)}"`, hint);
}
