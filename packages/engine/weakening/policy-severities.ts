import { RULE_METAS } from "@agentgate/rules";
import type { Valid } from "../policy/validate.ts";
import { mappingAt, placeOf } from "./policy-document.ts";
import { loosened } from "./policy-change.ts";
import type { PolicyPair } from "./policy-change.ts";
import type { Change } from "./record.ts";

/** From what reports most to what reports nothing. `default`: what the rule says itself, error for some findings. */
const ORDER = ["error", "default", "warning", "off"];
const WARNINGS: ReadonlySet<string> = new Set(RULE_METAS.filter((meta) => meta.severity === "warning").map((meta) => meta.id));

interface Setting {
  readonly severity: string;
  /** The options without their places, keys sorted. */
  readonly options: string;
}

/** Severities that went down, and options that differ: which way an option loosens is not known, so any change counts. */
export function severityChanges(pair: PolicyPair): Change[] {
  const base = mappingAt(pair.base, "rules");
  const head = mappingAt(pair.head, "rules");
  return [...new Set([...base.keys(), ...head.keys()])].flatMap((id) => changesOf(pair, id, base.get(id), head.get(id)));
}

function changesOf(pair: PolicyPair, id: string, before: Valid | undefined, after: Valid | undefined): Change[] {
  const old = settingOf(before);
  const now = settingOf(after);
  const at = placeOf(after, id.length);
  const changes: Change[] = [];
  if (rank(id, now.severity) > rank(id, old.severity)) {
    changes.push(loosened(pair, `rules.${id}`, at, { old: shownSeverity(old), now: shownSeverity(now), why: now.severity === "off" ? "The rule then reports nothing." : "What the rule reports then counts for less.", subject: now.severity }));
  }
  if (now.severity !== "off" && old.severity !== "off" && old.options !== now.options) {
    changes.push(loosened(pair, `rules.${id}`, at, { old: `with the options ${old.options}`, now: `with the options ${now.options}`, why: "With others the rule may report less.", subject: "options" }));
  }
  return changes;
}

function shownSeverity({ severity }: Setting): string {
  return severity === "default" ? "not set" : severity;
}

/** A rule that only ever warns keeps its word when the default takes the place of a warning. */
function rank(id: string, severity: string): number {
  return ORDER.indexOf(severity === "default" && WARNINGS.has(id) ? "warning" : severity);
}

function settingOf(valid: Valid | undefined): Setting {
  if (valid === undefined) return { severity: "default", options: "{}" };
  if (typeof valid.value === "string") return { severity: valid.value, options: "{}" };
  const [severity, options] = valid.value as readonly Valid[];
  return { severity: String(severity?.value), options: sorted(options?.value) };
}

function sorted(value: unknown): string {
  if (value instanceof Map) return `{${[...value as Map<string, Valid>].map(([key, one]) => `${JSON.stringify(key)}:${sorted(one.value)}`).sort().join(",")}}`;
  if (Array.isArray(value)) return `[${(value as readonly Valid[]).map((one) => sorted(one.value)).join(",")}]`;
  return value === undefined ? "{}" : JSON.stringify(value);
}
