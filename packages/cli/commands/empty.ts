import type { CapsReport, DiffReport, Report, ReportError } from "@agentgate/engine";
import type { Failure } from "../failure.ts";
import { TOOL } from "../version.ts";

function plain({ hint, message }: ReportError): ReportError {
  return { message, hint };
}

/** The document of a run that judged nothing. */
export function emptyReport(error: ReportError, mode: Report["mode"] = "tree"): Report {
  return {
    version: 1, tool: TOOL, mode, base: null, error: plain(error),
    summary: { files: 0, errors: 0, warnings: 0, unchanged: 0, suppressed: 0, permitted: 0, unscanned: 0, unclassified: 0 },
    findings: [], unscanned: [], permitted: [], suppressed: [],
  };
}

/** The document of a `caps` or a `diff` that saw nothing. */
export function emptyCaps(error: ReportError): CapsReport & DiffReport {
  return { version: 1, tool: TOOL, base: null, error: plain(error), modules: [] };
}

/** The document with what failed after it was made; an error that it already has stays. */
export function withFailure<D extends Report | CapsReport | DiffReport>(document: D, failure: Failure | null): D {
  return failure === null || document.error !== null ? document : { ...document, error: plain(failure) };
}
