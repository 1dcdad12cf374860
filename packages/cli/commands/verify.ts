import { detailsOf, NO_DETAILS } from "../details.ts";
import { asFailure } from "../failure.ts";
import type { Request } from "../options/request.ts";
import { verifyRequestOf, type VerifyCommandOptions, type VerifyRequest } from "../options/verify-request.ts";
import { linesOf, type SourceOf } from "../render/source.ts";
import type { Surroundings } from "../terminal.ts";
import { deliverFiles } from "./deliver.ts";
import { emptyReport } from "./empty.ts";
import { type CheckFormat, type Judged, deliveryOf, sarifFor } from "./report.ts";
import { tellJudged } from "./tell.ts";

/**
 * `agentgate verify`: judges contracts and their evidence.
 *
 * @returns the exit code
 * @throws Failure for a wrong command line
 */
export async function verify(systems: readonly string[], raw: VerifyCommandOptions, around: Surroundings): Promise<number> {
  const { contracts, request } = await verifyRequestOf(systems, raw, around);
  const judged = await judge(contracts, request);
  const failure = await deliverFiles(around, deliveryOf(judged.report, judged, request));
  return tellJudged(judged, failure, request, around);
}

async function judge(options: VerifyRequest, request: Request<CheckFormat>): Promise<Judged> {
  const sarif = await sarifFor(request, "contracts");
  try {
    const [engine, { verifyContracts }] = await Promise.all([import("@agentgate/engine"), import("@agentgate/engine/contracts")]);
    const report = await verifyContracts(options);
    const details = detailsOf(engine, report);
    const sourceOf: SourceOf = (path) => {
      const text = details.textOf(path);
      return text === null ? null : linesOf(text);
    };
    return { report, notes: engine.notesOf(report), sourceOf, sarif, details, exitCode: engine.exitCodeOf(report, request.failOn) };
  } catch (error) {
    return { report: emptyReport(asFailure(error), "verify"), notes: [], sourceOf: () => null, sarif, details: NO_DETAILS, exitCode: 2 };
  }
}
