import type { ChangedFileName, Report } from "@agentgate/engine";

/** What the engine knows of a run beside its document. Each may be unknown: then nothing is said of it. */
export interface RunDetails {
  /** Sorted by path; null in tree mode. */
  readonly changedFiles: readonly ChangedFileName[] | null;
  /** Base and head are the same commit with nothing on top of it. */
  readonly equalsBase: boolean;
  /** Judged files, sorted; null where the engine does not say. */
  readonly judgedFiles: readonly string[] | null;
  /** Line numbers that the change added to a file at head. */
  readonly addedLinesOf: (path: string) => ReadonlySet<number>;
  /** A file as it was judged, without byte order mark; null where it is not known. */
  readonly textOf: (path: string) => string | null;
  /** The same as UTF-8 with its byte order mark. */
  readonly rawTextOf: (path: string) => string | null;
  /** There is a policy file in the tree. */
  readonly hasPolicy: boolean;
}

/** What of the engine tells of a run. */
type Engine = Pick<typeof import("@agentgate/engine"), "addedLinesOf" | "changedFilesOf" | "equalsBase" | "judgedFilesOf" | "rawTextOf" | "sourceOf">;

/** The policy file at the root. */
export const POLICY = "agentgate.yml";

const NO_LINES: ReadonlySet<number> = new Set();

export const NO_DETAILS: RunDetails = { changedFiles: null, equalsBase: false, judgedFiles: null, addedLinesOf: () => NO_LINES, textOf: () => null, rawTextOf: () => null, hasPolicy: false };

/** What the engine says of a run beside its document. */
export function detailsOf(engine: Engine, report: Report): RunDetails {
  const judgedFiles = engine.judgedFilesOf(report);
  return {
    changedFiles: engine.changedFilesOf(report),
    equalsBase: engine.equalsBase(report),
    judgedFiles,
    addedLinesOf: (path) => engine.addedLinesOf(report, path) ?? NO_LINES,
    textOf: (path) => engine.sourceOf(report, path), rawTextOf: (path) => engine.rawTextOf(report, path),
    hasPolicy: engine.sourceOf(report, POLICY) !== null,
  };
}
