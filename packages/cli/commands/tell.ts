import type { Failure } from "../failure.ts";
import type { Request } from "../options/request.ts";
import { summaryOf } from "../render/summary.ts";
import type { Surroundings } from "../terminal.ts";
import { deliverStandard } from "./deliver.ts";
import { withFailure } from "./empty.ts";
import { type CheckFormat, type Judged, deliveryOf, saysNothing } from "./report.ts";
import { sayFailure, sayNotes } from "./say.ts";

/**
 * Says what was judged on both streams, once the files are written. `failure`: what kept one of them from being written.
 *
 * @returns the exit code
 */
export async function tellJudged(judged: Judged, failure: Failure | null, request: Request<CheckFormat>, around: Surroundings): Promise<number> {
  const report = withFailure(judged.report, failure);
  if (!request.quiet) await sayNotes(around, judged.notes);
  if (report.error !== null) await sayFailure(around, report.error);
  const summary = request.quiet || failure !== null || saysNothing(report) ? "" : summaryOf(report, request);
  await deliverStandard(around, deliveryOf(report, judged, request), summary);
  return report.error === null ? judged.exitCode : 2;
}
