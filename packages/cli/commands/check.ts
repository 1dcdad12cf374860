import { detailsOf, NO_DETAILS } from "../details.ts";
import { asFailure, type Failure } from "../failure.ts";
import { CHECK_FORMATS } from "../options/outputs.ts";
import { changeOf, refuseLaterOptions, requestOf, type ChangeRequest, type CheckCommandOptions, type Request } from "../options/request.ts";
import { startProgress } from "../progress.ts";
import { sourceText, type SourceOf } from "../render/source.ts";
import { writeReport } from "../sink.ts";
import type { Surroundings } from "../terminal.ts";
import { deliverFiles } from "./deliver.ts";
import { emptyReport } from "./empty.ts";
import { type CheckFormat, type Judged, deliveryOf, json, sarifFor } from "./report.ts";
import { tellJudged } from "./tell.ts";

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
  return tellJudged(judged, failure, request, around);
}

async function writeFiles(audit: string | undefined, judged: Judged, request: Request<CheckFormat>, around: Surroundings): Promise<Failure | null> {
  const failure = await deliverFiles(around, deliveryOf(judged.report, judged, request));
  if (audit === undefined) return failure;
  return (await writeReport(around.cwd, audit, json(judged.report))) ?? failure;
}

async function judge(request: Request<CheckFormat>, change: ChangeRequest | null, around: Surroundings): Promise<Judged> {
  const progress = startProgress(around, !request.quiet);
  const sarif = await sarifFor(request, "code");
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
