import type { CheckOptions } from "./options.ts";
import { REPORT_VERSION } from "./report.ts";
import type { CapsReport, Report } from "./report.ts";

const sources = new WeakMap<object, (path: string) => string | null>();
const notes = new WeakMap<object, readonly string[]>();

/** Judges a tree as it lies. Never rejects for what the tree or the command line holds: see `Report.error`. */
export async function checkTree(options: CheckOptions): Promise<Report> {
  await Promise.resolve();
  return {
    version: REPORT_VERSION, tool: { name: "agentgate", version: options.version }, mode: "tree", base: null, error: null,
    summary: { files: 0, errors: 0, warnings: 0, unchanged: 0, suppressed: 0, permitted: 0, unscanned: 0, unclassified: 0 },
    findings: [], unscanned: [], permitted: [], suppressed: [],
  };
}

/** What each module of a tree can do. */
export async function capsOfTree(options: CheckOptions): Promise<CapsReport> {
  await Promise.resolve();
  return { version: REPORT_VERSION, tool: { name: "agentgate", version: options.version }, base: null, error: null, modules: [] };
}

/** The text of a judged file or the policy as it was read for this report, without byte order mark; for code frames. */
export function sourceOf(report: Report, path: string): string | null {
  return sources.get(report)?.(path) ?? null;
}

/** Lines for standard error: what a person should know and the document has no place for. */
export function notesOf(report: Report): readonly string[] {
  return notes.get(report) ?? [];
}
