import type { LicensedFinding, Report, Unscanned } from "@agentgate/engine";
import type { RunDetails } from "../details.ts";
import { counted, shownRef } from "./message.ts";
import { printable } from "./printable.ts";

/** What of a report is listed, beyond the findings. */
export interface Listing {
  /** Only what decides the exit code. */
  readonly quiet: boolean;
  /** Also unchanged findings, and every place and file in full. */
  readonly all: boolean;
}

const NAMED = 3;

/** The last line of a report: what was found, what was judged and what was not. Never empty. */
export function summaryOf(report: Report, listing: Listing): string {
  const parts = [...verdict(report), judged(report), ...licensed(report), ...unchanged(report, listing)];
  if (report.summary.unclassified > 0) parts.push(`${counted(report.summary.unclassified, "package")} not in the catalogue`);
  if (!listing.quiet) parts.push(...unscanned(report.unscanned, listing));
  return parts.join(" · ");
}

/** `agentgate 1.0.0 · change against origin/main (merge base 3f9c2a1) · 7 files changed, 5 judged`. */
export function headerOf(report: Report, details: RunDetails): string {
  return [`${report.tool.name} ${report.tool.version}`, modeOf(report, details), extentOf(report, details)].join(" · ");
}

function modeOf({ mode, base }: Report, { equalsBase }: RunDetails): string {
  if (base === null) return mode === "tree" ? "the tree as it lies" : mode;
  const equal = equalsBase ? ", which is head itself: nothing to compare" : "";
  return `${mode} against ${printable(shownRef(base.ref))} (merge base ${printable(shownRef(base.mergeBase))})${equal}`;
}

function extentOf(report: Report, { changedFiles }: RunDetails): string {
  if (changedFiles === null) return judged(report);
  return `${counted(changedFiles.length, "file")} changed, ${report.summary.files === 0 ? "none" : report.summary.files} judged`;
}

function verdict(report: Report): string[] {
  const { errors, warnings } = report.summary;
  const parts: string[] = [];
  if (report.error !== null) parts.push("not everything could be judged");
  if (errors > 0) parts.push(counted(errors, "error"));
  if (warnings > 0) parts.push(counted(warnings, "warning"));
  if (errors + warnings > 0) parts.push(`${counted(reportedFiles(report), "file")} reported`);
  if (parts.length > 0) return parts;
  return [report.mode === "change" ? "no new capability, no finding" : "no finding"];
}

/** Files with a finding that counts: an unchanged one is listed on demand only. */
function reportedFiles({ findings }: Report): number {
  return new Set(findings.filter(({ baseline }) => baseline !== "unchanged").map(({ path }) => path)).size;
}

function judged({ summary }: Report): string {
  return summary.files === 0 ? "no file to judge" : `${counted(summary.files, "file")} judged`;
}

const VERBS = { port: "permitted", baseline: "permitted", accept: "permitted", suppression: "suppressed" } as const;

/** `2 permitted by agentgate.yml:6 (payments)`, the few licences that cover most, then the number of the others. */
function licensed(report: Report): string[] {
  return [group(report.permitted), group(report.suppressed)].flatMap((groups) => {
    const named = groups.slice(0, NAMED).map(({ count, by }) => {
      const owner = by.owner === "" ? "" : ` (${printable(by.owner)})`;
      return `${count} ${VERBS[by.kind]} by ${by.kind === "accept" ? "--accept" : `${printable(by.path)}:${by.line}`}${owner}`;
    });
    const rest = groups.slice(NAMED).reduce((sum, { count }) => sum + count, 0);
    const verb = groups[0] === undefined ? "" : VERBS[groups[0].by.kind];
    return rest === 0 ? named : [...named, `${rest} more ${verb}`];
  });
}

function group(findings: readonly LicensedFinding[]): { count: number; by: LicensedFinding["by"] }[] {
  const groups = new Map<string, { count: number; by: LicensedFinding["by"] }>();
  for (const { by } of findings) {
    // One digest accepts all that it accepts, wherever they stand.
    const key = by.kind === "accept" ? by.kind : JSON.stringify([by.kind, by.path, by.line]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { count: 1, by });
    else known.count++;
  }
  return [...groups.values()].sort((left, right) => right.count - left.count);
}

function unchanged({ summary }: Report, { all }: Listing): string[] {
  if (summary.unchanged === 0) return [];
  const what = counted(summary.unchanged, "unchanged finding");
  return [all ? what : `${what} not shown (--all)`];
}

function unscanned(files: readonly Unscanned[], { all }: Listing): string[] {
  const unsupported = files.filter((file) => file.reason === "unsupported");
  const excluded = files.filter((file) => file.reason === "excluded");
  return [...named("not judged: ", unsupported, all), ...(all ? named("excluded: ", excluded, all) : excludedCount(excluded.length))];
}

function excludedCount(count: number): string[] {
  return count === 0 ? [] : [`${counted(count, "file")} excluded`];
}

function named(label: string, files: readonly Unscanned[], all: boolean): string[] {
  if (files.length === 0) return [];
  const shown = all ? files : files.slice(0, NAMED);
  const names = shown.map((file) => (file.detail === "" ? printable(file.path) : `${printable(file.path)} (${printable(file.detail)})`));
  const rest = files.length - shown.length;
  return [`${label}${names.join(", ")}${rest === 0 ? "" : ` and ${rest} more`}`];
}
