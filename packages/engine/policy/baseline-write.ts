import path from "node:path";
import { checkTree } from "../check.ts";
import type { CheckOptions } from "../options.ts";
import { GateError } from "../errors.ts";
import { findRoot } from "../discovery/root.ts";
import { REPORT_VERSION } from "../report.ts";
import type { ReportError } from "../report.ts";
import { BASELINE_FILE, compareBaselines, formatBaseline, isHoldable } from "./baseline.ts";
import { loadBaseline } from "./baseline-load.ts";
import { replaceFile } from "./replace-file.ts";

/** The JSON document of `baseline`. */
export interface BaselineReport {
  readonly version: typeof REPORT_VERSION;
  readonly tool: { readonly name: "agentgate"; readonly version: string };
  readonly base: null;
  readonly error: ReportError | null;
  /** Relative to the root. */
  readonly path: string;
  /** Lines that hold something, compared with the file that was there. All zero with an error: then nothing was written. */
  readonly lines: { readonly added: number; readonly kept: number; readonly dropped: number };
  /** Findings that no baseline holds, by rule, sorted. */
  readonly unheld: readonly { readonly rule: string; readonly findings: number }[];
}

/**
 * Writes the baseline of a whole tree: every finding that nothing else licenses, so that from now on only what comes
 * on top is reported. What no longer occurs is dropped; the file is replaced as a whole or not at all.
 */
export async function writeBaseline(options: Omit<CheckOptions, "paths">): Promise<BaselineReport> {
  const { folder } = findRoot(options.cwd);
  const report = await checkTree({ ...options, cwd: folder });
  const document = (lines: BaselineReport["lines"], error: ReportError | null): BaselineReport => ({
    version: REPORT_VERSION, tool: { name: "agentgate", version: options.version }, base: null, error, path: BASELINE_FILE, lines, unheld: unheldOf(report.findings),
  });
  const nothing = { added: 0, kept: 0, dropped: 0 };
  if (report.error !== null) return document(nothing, report.error);
  try {
    const { baseline, text } = loadBaseline(folder);
    const after = formatBaseline(report, baseline);
    if (text !== after) replaceFile(path.join(folder, BASELINE_FILE), text, after, BASELINE_FILE);
    return document(compareBaselines(text, after), null);
  } catch (error) {
    if (error instanceof GateError) return document(nothing, error.toReport());
    throw error;
  }
}

function unheldOf(findings: readonly { readonly rule: string }[]): BaselineReport["unheld"] {
  const counts = new Map<string, number>();
  for (const { rule } of findings) if (!isHoldable(rule)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts].map(([rule, count]) => ({ rule, findings: count })).sort((left, right) => (left.rule < right.rule ? -1 : 1));
}
