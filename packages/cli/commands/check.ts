import type { Finding, Report } from "@agentgate/engine";
import type { ReportingDescriptor } from "sarif";
import { detailsOf, NO_DETAILS, type RunDetails } from "../details.ts";
import { asFailure, type Failure } from "../failure.ts";
import { CHECK_FORMATS } from "../options/outputs.ts";
import { changeOf, refuseLaterOptions, requestOf, type ChangeRequest, type CheckCommandOptions, type Request } from "../options/request.ts";
import type { FailOn } from "../options/values.ts";
import { startProgress } from "../progress.ts";
import { printableJson } from "../render/printable.ts";
import { sourceText, type SourceOf } from "../render/source.ts";
import { renderStylish } from "../render/stylish.ts";
import { summaryOf } from "../render/summary.ts";
import { writeReport } from "../sink.ts";
import type { Look, Surroundings } from "../terminal.ts";
import { deliverFiles, deliverStandard, type Delivery } from "./deliver.ts";
import { emptyReport, withFailure } from "./empty.ts";
import { sayFailure, sayNotes } from "./say.ts";

type CheckFormat = (typeof CHECK_FORMATS.built)[number];

interface Judged {
  readonly report: Report;
  readonly notes: readonly string[];
  readonly sourceOf: SourceOf;
  readonly details: RunDetails;
  /** Renders SARIF; null where no output asks for it. */
  readonly sarif: Sarif | null;
  readonly exitCode: number;
}

type Sarif = (report: Report, details: RunDetails) => string;

/**
 * `agentgate check`: judges, writes the reports and says on standard error what kept it from judging.
 *
 * @returns the exit code
 * @throws Failure for a wrong command line
 */
export async function check(paths: readonly string[], raw: CheckCommandOptions, around: Surroundings): Promise<number> {
  refuseLaterOptions(paths, raw);
  const request = requestOf(paths, raw, CHECK_FORMATS, around);
  const judged = await judge(request, changeOf(raw), around);
  const failure = await writeFiles(raw.audit, judged, request, around);
  const report = withFailure(judged.report, failure);
  if (!request.quiet) await sayNotes(around, judged.notes);
  if (report.error !== null) await sayFailure(around, report.error);
  const summary = request.quiet || failure !== null || saysNothing(report) ? "" : summaryOf(report, request);
  await deliverStandard(around, deliveryOf(report, judged, request), summary);
  return report.error === null ? judged.exitCode : 2;
}

async function writeFiles(audit: string | undefined, judged: Judged, request: Request<CheckFormat>, around: Surroundings): Promise<Failure | null> {
  const failure = await deliverFiles(around, deliveryOf(judged.report, judged, request));
  if (audit === undefined) return failure;
  return (await writeReport(around.cwd, audit, json(judged.report))) ?? failure;
}

async function judge(request: Request<CheckFormat>, change: ChangeRequest | null, around: Surroundings): Promise<Judged> {
  const progress = startProgress(around, !request.quiet);
  const sarif = await sarifFor(request);
  try {
    const engine = await import("@agentgate/engine");
    const options = { ...request.engine, onProgress: progress.report };
    const report = change === null ? await engine.checkTree(options) : await engine.checkChange({ ...options, ...change });
    const details = detailsOf(engine, report);
    const sourceOf: SourceOf = (path) => {
      const text = details.textOf(path);
      return text === null ? null : sourceText(path, text);
    };
    return { report, notes: engine.notesOf(report), sourceOf, sarif, details, exitCode: engine.exitCodeOf(report, request.failOn) };
  } catch (error) {
    const report = emptyReport(asFailure(error), change === null ? "tree" : "change");
    return { report, notes: [], sourceOf: () => null, sarif, details: NO_DETAILS, exitCode: 2 };
  } finally {
    progress.stop();
  }
}

/** Loads what SARIF needs, the pages of the rules among it, only where it is asked for. */
async function sarifFor({ outputs }: Request<CheckFormat>): Promise<Sarif | null> {
  if (!outputs.some(({ format }) => format === "sarif")) return null;
  const [{ renderSarif }, { describedRules }] = await Promise.all([import("../render/sarif/log.ts"), import("../render/sarif/rules.ts")]);
  const rules: readonly ReportingDescriptor[] = await describedRules();
  return (report, details) => renderSarif(report, details, rules);
}

function json(report: Report): string {
  return `${printableJson(report)}\n`;
}

function deliveryOf(report: Report, judged: Judged, request: Request<CheckFormat>): Delivery<CheckFormat> {
  const render = (format: CheckFormat, look: Look): string => {
    if (format === "json") return json(report);
    if (format === "sarif") return judged.sarif?.(report, judged.details) ?? "";
    return stylish(report, judged, request, look);
  };
  return { outputs: request.outputs, color: request.color, render };
}

/** Nothing was judged and standard error says why: a summary would say "no finding". */
function saysNothing({ error, findings, summary }: Report): boolean {
  return error !== null && summary.files === 0 && findings.length === 0;
}

function stylish(report: Report, { details, sourceOf }: Judged, request: Request<CheckFormat>, look: Look): string {
  if (saysNothing(report)) return "";
  const decides = (finding: Finding): boolean => decidesAt(finding, request.failOn);
  return renderStylish(report, { look, quiet: request.quiet, all: request.all, decides, sourceOf, details });
}

function decidesAt({ baseline, severity }: Finding, failOn: FailOn): boolean {
  return baseline !== "unchanged" && (severity === "error" || failOn === "warning");
}
