import { rawText } from "./raw-text.ts";
import type { DiffReport, Finding, Report } from "./report.ts";

/** What a run knows beside its document. */
export interface Run {
  /** The text of a judged file or the policy as it was read, without byte order mark. */
  readonly texts: (path: string) => string | null;
  /** Id of the git blob with the bytes of a judged module. */
  readonly blobs: (path: string) => string | null;
  /** Lines for standard error: what a person should know and the document has no place for. */
  readonly notes: readonly string[];
  /** Files that differ from the merge base, sorted; null in tree mode. */
  readonly changedFiles: readonly ChangedFileName[] | null;
  /** Base and head are the same commit with nothing on top. */
  readonly equalsBase: boolean;
  readonly judgedFiles: readonly string[];
  /** Lines that the change added to a file, 1-based. */
  readonly addedLines: (path: string) => ReadonlySet<number> | null;
}

export interface ChangedFileName {
  readonly path: string;
  readonly status: "added" | "modified" | "renamed" | "deleted";
}

const runs = new WeakMap<Report, Run>();
/** What a `diff` knows beside its document. */
export interface DiffRun {
  /** The capabilities that a module had at the merge base; null where it was not there. */
  readonly hadAtBase: (path: string) => ReadonlySet<string> | null;
  /** The port that should own a capability of a module; null where no port has it. */
  readonly portFor: (path: string, capability: string) => { readonly path: string; readonly owner: string } | null;
  /** What of the change could not be judged, so that nothing is known of what it can do. */
  readonly unjudged: readonly Pick<Finding, "path" | "message">[];
  /** Whether the policy judges reads of files and the environment, and tools, too. */
  readonly strict: boolean;
}

const diffRuns = new WeakMap<DiffReport, DiffRun>();

/** Keeps what a run knows for as long as its document lives. */
export function setRun(report: Report, run: Run): void {
  runs.set(report, run);
}

export function setDiffRun(report: DiffReport, run: DiffRun): void {
  diffRuns.set(report, run);
}

/** The text of a judged file or the policy as it was read for this report, without byte order mark; for code frames. */
export function sourceOf(report: Report, path: string): string | null {
  return runs.get(report)?.texts(path) ?? null;
}

/** The text of a judged file with the byte order mark that it had; null where it is not UTF-8. */
export function rawTextOf(report: Report, path: string): string | null {
  const run = runs.get(report);
  const [text, blob] = [run?.texts(path) ?? null, run?.blobs(path) ?? null];
  // The policy is no module; it was read as UTF-8.
  return text === null || blob === null ? text : rawText(text, blob);
}

/** Lines for standard error: what a person should know and the document has no place for. */
export function notesOf(report: Report): readonly string[] {
  return runs.get(report)?.notes ?? [];
}

/** The files that a change touches, sorted by path; null for a tree. */
export function changedFilesOf(report: Report): readonly ChangedFileName[] | null {
  return runs.get(report)?.changedFiles ?? null;
}

/** Whether base and head were the same commit with nothing on top. */
export function equalsBase(report: Report): boolean {
  return runs.get(report)?.equalsBase ?? false;
}

/** The judged files, sorted by path. */
export function judgedFilesOf(report: Report): readonly string[] {
  return runs.get(report)?.judgedFiles ?? [];
}

/** The lines that the change added to a file at head, 1-based; null where that is not known. */
export function addedLinesOf(report: Report, path: string): ReadonlySet<number> | null {
  return runs.get(report)?.addedLines(path) ?? null;
}

/** What a `diff` knows beside its document. */
export function diffRunOf(report: DiffReport): DiffRun {
  return diffRuns.get(report) ?? { hadAtBase: () => null, portFor: () => null, unjudged: [], strict: false };
}
