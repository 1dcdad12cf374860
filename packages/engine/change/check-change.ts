import { GateError } from "../errors.ts";
import { comparePaths } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { REPORT_VERSION } from "../report.ts";
import type { Finding, Report } from "../report.ts";
import { compareFindings } from "../judging/finding.ts";
import { setRun } from "../runs.ts";
import type { ChangeOptions } from "../options.ts";
import { accept, judgeChange } from "./judge-change.ts";
import type { JudgedChange } from "./judge-change.ts";
import { listChange, openChange } from "./open.ts";
import type { Listed } from "./open.ts";
import { policyAt } from "./policy.ts";
import { unscannedOf } from "./unjudged.ts";

/**
 * Judges what a change does. What the repository, the tree or the command line holds never rejects: see `Report.error`,
 * with which the report is still as full as it can be.
 *
 * @throws Error where children cannot be started at all (an incomplete installation)
 */
export async function checkChange(options: ChangeOptions): Promise<Report> {
  try {
    const listed = await listChange(options);
    try {
      return await judgeListed(listed, options);
    } finally {
      listed.repository.close();
    }
  } catch (error) {
    if (error instanceof GateError) return emptyChange(options, error);
    throw error;
  }
}

async function judgeListed(listed: Listed, options: ChangeOptions): Promise<Report> {
  const base = { ref: listed.revisions.ref, tip: listed.revisions.tip, mergeBase: listed.revisions.mergeBases[0] ?? "" };
  const nothing = listed.nameProblem !== null && listed.named.length === 0;
  if (nothing) return { ...emptyChange(options, listed.nameProblem), base };
  const judged = await judgeUnder(listed, options);
  const error = listed.policy.error ?? listed.nameProblem ?? equalProblem(judged, options);
  const report = reportOf(judged, options, base, error);
  setRun(report, {
    texts: (path) => textAtHead(judged, path),
    blobs: (path) => judged.change.head.module(path)?.blob ?? null,
    notes: notesOf(judged),
    changedFiles: filesOf(judged), equalsBase: isEqual(judged), judgedFiles: judgedPaths(judged), addedLines: (path) => judged.places.added(path),
  });
  return report;
}

function notesOf(judged: JudgedChange): readonly string[] {
  const { cache, types, head } = judged.change;
  const changed = new Set(filesOf(judged).map((file) => file.path));
  return [...cache.note === null ? [] : [cache.note], ...types?.notes(head.discovery.sources.filter(({ path }) => changed.has(path))) ?? []];
}

/** Judges by the policy of the base's tip; where exactly its weakenings were accepted, by head's. */
async function judgeUnder(listed: Listed, options: ChangeOptions): Promise<JudgedChange> {
  const judged = await openAndJudge(listed, listed.policy, options);
  const { digest } = judged.weakened;
  if (digest === null || options.accept !== digest) return judged;
  const held = await policyAt(listed.head, listed.reader, listed.place, listed.root, "head");
  const again = await openAndJudge(listed, held.error === null ? held : listed.policy, options, true);
  // Head's policy decides what is judged, so its weakenings may differ; accepted are those that were shown.
  const accepted = { ...again, weakened: judged.weakened };
  again.compared.findings.splice(0, again.compared.findings.length, ...again.compared.findings.filter((finding) => !again.weakened.findings.includes(finding)), ...judged.weakened.findings);
  accept(accepted, digest);
  return accepted;
}

async function openAndJudge(listed: Listed, held: Listed["policy"], options: ChangeOptions, accepted = false): Promise<JudgedChange> {
  const change = await openChange(listed, held, options, accepted);
  try {
    return await judgeChange(change, options);
  } finally {
    await change.close();
  }
}

/** Findings stand in head's files, in its policy file too: where the change left that alone, it is the one in force. */
function textAtHead({ change: { head, held }, places }: JudgedChange, path: TreePath): string | null {
  const policy = path === held.loaded.path && head.entries.has(path) ? held.loaded.text : null;
  const text = head.module(path)?.text ?? places.text(path) ?? policy;
  return text === null ? null : places.shown(path, text);
}

function isEqual({ change }: JudgedChange): boolean {
  const { revisions } = change.listed;
  return revisions.tip === revisions.headCommit && change.comparisons.every(({ difference }) => difference.files.length === 0);
}

/** A head that lies behind the base has nothing to judge either. */
function equalProblem(judged: JudgedChange, { requireChange }: ChangeOptions): GateError | null {
  const { comparisons, listed } = judged.change;
  if (requireChange !== true || comparisons.some(({ difference }) => difference.files.length > 0)) return null;
  return new GateError(`Head has nothing that ${listed.revisions.ref} does not have, so there is no change to judge.`, "Compare with the branch that the change goes into, or leave out --require-change.");
}

function reportOf(judged: JudgedChange, options: ChangeOptions, base: Report["base"], error: GateError | null): Report {
  const { compared } = judged;
  const unscanned = unscannedOf(judged.change, judged.subjects);
  const shown = <T extends Finding>(findings: readonly T[]): T[] => findings.map((finding) => ({ ...finding, message: judged.places.said(finding.message) }));
  const listed: Finding[] = options.all === true ? [...compared.findings, ...compared.unchanged].sort(compareFindings) : compared.findings;
  return {
    version: REPORT_VERSION, tool: { name: "agentgate", version: options.version }, mode: "change", base, error: error?.toReport() ?? null,
    summary: {
      files: judgedPaths(judged).length,
      errors: compared.findings.filter((finding) => finding.severity === "error").length,
      warnings: compared.findings.filter((finding) => finding.severity === "warning").length,
      unchanged: compared.unchanged.length, suppressed: compared.suppressed.length, permitted: compared.permitted.length,
      unscanned: unscanned.length, unclassified: unclassifiedIn(judged),
    },
    findings: shown(listed), unscanned, permitted: shown(compared.permitted), suppressed: shown(compared.suppressed),
  };
}

function unclassifiedIn({ subjects }: JudgedChange): number {
  return new Set(subjects.subjects.flatMap(({ view }) => view?.unclassified.map(({ root }) => root) ?? [])).size;
}

function judgedPaths({ subjects }: JudgedChange): TreePath[] {
  return subjects.subjects.filter(({ view }) => view !== null).map(({ path }) => path).sort(comparePaths);
}

/** What differs from the first merge base. */
function filesOf({ change }: JudgedChange): { readonly path: TreePath; readonly status: "added" | "modified" | "renamed" | "deleted" }[] {
  return (change.comparisons[0]?.difference.files ?? []).map(({ path, status }) => ({ path, status }));
}

function emptyChange(options: ChangeOptions, error: GateError): Report {
  return {
    version: REPORT_VERSION, tool: { name: "agentgate", version: options.version }, mode: "change", base: null, error: error.toReport(),
    summary: { files: 0, errors: 0, warnings: 0, unchanged: 0, suppressed: 0, permitted: 0, unscanned: 0, unclassified: 0 },
    findings: [], unscanned: [], permitted: [], suppressed: [],
  };
}
