import type { Severity } from "@agentgate/rules";

/** Version of the JSON document; other programs are written against it. */
export const REPORT_VERSION = 1;

/** 1-based line and column; the column counts UTF-16 code units. */
export interface ReportPosition {
  readonly line: number;
  readonly column: number;
}

export interface RelatedPlace {
  /** Relative to the root, forward slashes. */
  readonly path: string;
  readonly start: ReportPosition;
  readonly end: ReportPosition;
  readonly message: string;
}

/** One finding as other programs read it. It starts and ends on one line. */
export interface Finding {
  /** Without the `agentgate/` prefix. */
  readonly rule: string;
  readonly severity: Severity;
  /** What, why and what to do. May hold text of the judged tree: escape it before it meets a terminal. */
  readonly message: string;
  readonly path: string;
  readonly start: ReportPosition;
  readonly end: ReportPosition;
  readonly capability: string | null;
  /** The resolved name. */
  readonly api: string | null;
  readonly baseline: "new" | "unchanged" | null;
  readonly related: readonly RelatedPlace[];
  /** SHA-256, 64 lower-case hex digits. */
  readonly fingerprint: string;
}

/** What licensed a finding: `path` and `line` say where it is written. */
export interface License {
  readonly kind: "port" | "baseline" | "suppression" | "accept";
  readonly path: string;
  readonly line: number;
  readonly owner: string;
  readonly note: string;
}

export type LicensedFinding = Finding & { readonly by: License };

/** A file that was not judged and could hold code. */
export interface Unscanned {
  readonly path: string;
  readonly reason: "excluded" | "unsupported";
  /** The glob that excludes it, or the language. */
  readonly detail: string;
}

/** Why the gate could not judge (exit code 2), and what to do. Each one line. */
export interface ReportError {
  readonly message: string;
  readonly hint: string;
}

export interface Summary {
  /** Files judged, those with a parse error included. */
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly unchanged: number;
  readonly suppressed: number;
  readonly permitted: number;
  readonly unscanned: number;
  /** Third-party packages that the catalogue does not know, each counted once. */
  readonly unclassified: number;
}

/** The JSON document of `check`, key for key. Same input, same bytes. */
export interface Report {
  readonly version: typeof REPORT_VERSION;
  readonly tool: { readonly name: "agentgate"; readonly version: string };
  readonly mode: "tree" | "change" | "verify";
  readonly base: { readonly ref: string; readonly tip: string; readonly mergeBase: string } | null;
  readonly error: ReportError | null;
  readonly summary: Summary;
  readonly findings: readonly Finding[];
  readonly unscanned: readonly Unscanned[];
  readonly permitted: readonly LicensedFinding[];
  readonly suppressed: readonly LicensedFinding[];
}

export interface CapabilitySites {
  readonly capability: string;
  readonly api: string;
  readonly sites: readonly ReportPosition[];
}

/** The JSON document of `caps`. Modules that can do nothing are left out. */
export interface CapsReport {
  readonly version: typeof REPORT_VERSION;
  readonly tool: { readonly name: "agentgate"; readonly version: string };
  readonly base: null;
  readonly error: ReportError | null;
  readonly modules: readonly { readonly path: string; readonly capabilities: readonly CapabilitySites[] }[];
}

/** One module of a `diff`. Each gain or loss is an API root of a capability, as in `caps`. */
export interface ModuleDifference {
  readonly path: string;
  readonly gained: readonly CapabilitySites[];
  readonly lost: readonly CapabilitySites[];
  /** Gains that another module lost in the same change. Not repeated in `gained`. */
  readonly moved: readonly (CapabilitySites & { readonly from: string })[];
  /** The path of the port that should own the first gain, or null where no port has its capability. */
  readonly port: string | null;
  /** The contract that must change with it; null where none is active. */
  readonly contract: string | null;
}

/** The JSON document of `diff`. Modules without gain or loss are left out. */
export interface DiffReport {
  readonly version: typeof REPORT_VERSION;
  readonly tool: { readonly name: "agentgate"; readonly version: string };
  readonly base: Report["base"];
  readonly error: ReportError | null;
  readonly modules: readonly ModuleDifference[];
}

/**
 * The exit code of a report: 2 where the gate could not judge, 1 where a finding is at or above `failOn`, else 0.
 * `never` still gives 2.
 */
export function exitCodeOf(report: Pick<Report, "error" | "summary">, failOn: Severity | "never"): 0 | 1 | 2 {
  if (report.error !== null) return 2;
  if (failOn === "never") return 0;
  const counted = report.summary.errors + (failOn === "warning" ? report.summary.warnings : 0);
  return counted > 0 ? 1 : 0;
}
