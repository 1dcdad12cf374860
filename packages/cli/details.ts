import type { ChangeOptions, DiffReport, Report } from "@agentgate/engine";

/** A file that differs between the merge base and head, as far as a report needs to know it. */
export interface ChangedFile {
  readonly path: string;
  readonly status: "added" | "modified" | "renamed" | "deleted";
}

/** What the engine knows of a run beside its document. Each may be unknown: then nothing is said of it. */
export interface RunDetails {
  /** Sorted by path; null in tree mode. */
  readonly changedFiles: readonly ChangedFile[] | null;
  /** Base and head are the same commit with nothing on top of it. */
  readonly equalsBase: boolean;
  /** Judged files, sorted; null where the engine does not say. */
  readonly judgedFiles: readonly string[] | null;
  /** Line numbers that the change added to a file at head. */
  readonly addedLinesOf: (path: string) => ReadonlySet<number>;
  /** A file of head as UTF-8 with its byte order mark; null where its bytes are not known. */
  readonly rawTextOf: (path: string) => string | null;
}

/** What of the engine change mode needs. The functions that may be absent only make reports richer. */
export interface ChangeEngine {
  readonly checkChange: (options: ChangeOptions) => Promise<Report>;
  readonly diffOfChange: (options: ChangeOptions) => Promise<DiffReport>;
  readonly changedFilesOf?: (report: Report) => readonly ChangedFile[] | null;
  readonly equalsBase?: (report: Report) => boolean;
  readonly judgedFilesOf?: (report: Report) => readonly string[];
  readonly addedLinesOf?: (report: Report, path: string) => ReadonlySet<number> | null;
  readonly rawTextOf?: (report: Report, path: string) => string | null;
  readonly sourceOf: (report: Report, path: string) => string | null;
  /** Capabilities that a module had at the merge base. */
  readonly capabilitiesAtBase?: (report: DiffReport, path: string) => ReadonlySet<string> | null;
}

const NO_LINES: ReadonlySet<number> = new Set();

export const NO_DETAILS: RunDetails = { changedFiles: null, equalsBase: false, judgedFiles: null, addedLinesOf: () => NO_LINES, rawTextOf: () => null };

/** What the engine says of a run beside its document. */
export function detailsOf(engine: Partial<ChangeEngine>, report: Report): RunDetails {
  return {
    changedFiles: engine.changedFilesOf?.(report) ?? null,
    equalsBase: engine.equalsBase?.(report) ?? false,
    judgedFiles: engine.judgedFilesOf?.(report) ?? null,
    addedLinesOf: (path) => engine.addedLinesOf?.(report, path) ?? NO_LINES,
    rawTextOf: (path) => (engine.rawTextOf ?? engine.sourceOf)?.(report, path) ?? null,
  };
}
