import type { Finding, Report } from "@agentgate/engine";
import { POLICY, type RunDetails } from "../../details.ts";
import type { Span } from "./artifacts.ts";

/** A finding where code scanning can show it. */
export interface Placed {
  readonly finding: Finding;
  readonly path: string;
  readonly span: Span;
  /** It stands in a file that head does not have; `path` is another one. */
  readonly moved: boolean;
}

const FIRST: Span = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };

/**
 * What the report reports as new, each in a file that head has: what stands in a deleted file goes to the policy, else
 * to the first changed file that is still there. In order of place, rule and message.
 */
export function placed(report: Report, details: RunDetails): Placed[] {
  const changed = details.changedFiles ?? [];
  const deleted = new Set(changed.filter(({ status }) => status === "deleted").map(({ path }) => path));
  const substitute = deleted.size === 0 ? null : substituteFor(report, details, deleted);
  return report.findings.filter(({ baseline }) => baseline !== "unchanged").map((finding): Placed => {
    if (substitute === null || !deleted.has(finding.path)) return { finding, path: finding.path, span: finding, moved: false };
    return { finding, path: substitute, span: FIRST, moved: true };
  }).sort(comparePlaced);
}

function substituteFor(report: Report, { changedFiles, hasPolicy }: RunDetails, deleted: ReadonlySet<string>): string | null {
  if (!deleted.has(POLICY) && (hasPolicy || report.findings.some(({ path }) => path === POLICY))) return POLICY;
  const kept = (changedFiles ?? []).find(({ path }) => !deleted.has(path));
  return kept?.path ?? report.findings.find(({ path }) => !deleted.has(path))?.path ?? null;
}

function comparePlaced(left: Placed, right: Placed): number {
  return (
    compare(left.path, right.path) || left.span.start.line - right.span.start.line || left.span.start.column - right.span.start.column ||
    compare(left.finding.rule, right.finding.rule) || compare(left.finding.message, right.finding.message) || compare(left.finding.fingerprint, right.finding.fingerprint)
  );
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
