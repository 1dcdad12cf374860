import type { CapabilitySites, DiffReport, Finding, LicensedFinding, ModuleDifference, Report } from "@agentgate/engine";
import { NO_DETAILS, type RunDetails } from "../details.ts";

/** A finding for tests of rendering. */
export function finding(changes: Partial<Finding> = {}): Finding {
  return {
    rule: "no-invented-io", severity: "error",
    message: "net is used here: httpx. No port covers it. Move the call behind src/adapters/ledger/client.py, the port that has net.",
    path: "src/refund.py", start: { line: 2, column: 8 }, end: { line: 2, column: 13 }, capability: "net", api: "httpx",
    baseline: null, related: [], fingerprint: "0".repeat(64), ...changes,
  };
}

export function licensed(by: Partial<LicensedFinding["by"]> = {}): LicensedFinding {
  return { ...finding(), by: { kind: "port", path: "agentgate.yml", line: 6, owner: "payments", note: "talks to the ledger", ...by } };
}

/** A report for tests of rendering, its summary counted from what it holds. */
export function report(changes: Partial<Report> = {}): Report {
  const { findings = [], permitted = [], suppressed = [], unscanned = [] } = changes;
  const count = (severity: string): number => findings.filter((one) => one.severity === severity && one.baseline !== "unchanged").length;
  const summary = {
    files: 5, errors: count("error"), warnings: count("warning"), unchanged: findings.filter((one) => one.baseline === "unchanged").length,
    suppressed: suppressed.length, permitted: permitted.length, unscanned: unscanned.length, unclassified: 0, ...changes.summary,
  };
  return { version: 1, tool: { name: "agentgate", version: "1.0.0" }, mode: "tree", base: null, error: null, findings, permitted, suppressed, unscanned, ...changes, summary };
}

/** What a change is compared with, for tests of rendering. */
export const BASE = { ref: "origin/main", tip: "b".repeat(40), mergeBase: `3f9c2a1${"c".repeat(33)}` } as const;

/** A report of a change. */
export function changeReport(changes: Partial<Report> = {}): Report {
  return report({ mode: "change", base: BASE, ...changes });
}

/** What the engine tells beside the document: the files with their texts, and all of them as changed. */
export function details(texts: Readonly<Record<string, string>> = {}, changes: Partial<RunDetails> = {}): RunDetails {
  return { ...NO_DETAILS, rawTextOf: (path) => (Object.hasOwn(texts, path) ? (texts[path] ?? null) : null), ...changes };
}

/** A module of a `diff` that gained something, for tests of rendering. */
export function difference(changes: Partial<ModuleDifference> = {}): ModuleDifference {
  return { path: "src/refund.py", gained: [use()], lost: [], moved: [], port: "src/adapters/ledger/client.py", contract: null, ...changes };
}

export function use(capability = "net", api = "httpx.post", ...lines: readonly number[]): CapabilitySites {
  return { capability, api, sites: (lines.length === 0 ? [41] : lines).map((line) => ({ line, column: 5 })) };
}

export function diffReport(modules: readonly ModuleDifference[], changes: Partial<DiffReport> = {}): DiffReport {
  return { version: 1, tool: { name: "agentgate", version: "1.0.0" }, base: BASE, error: null, modules, ...changes };
}
