import type { CapsReport } from "@agentgate/engine";
import { asFailure } from "../failure.ts";
import { CAPS_FORMATS } from "../options/outputs.ts";
import { requestOf, type Request, type SharedOptions } from "../options/request.ts";
import { startProgress } from "../progress.ts";
import { renderCaps, renderCapsHtml, summaryOfCaps } from "../render/caps.ts";
import { printableJson } from "../render/printable.ts";
import type { Look, Surroundings } from "../terminal.ts";
import { deliverFiles, deliverStandard, type Delivery } from "./deliver.ts";
import { emptyCaps, withFailure } from "./empty.ts";
import { sayFailure } from "./say.ts";

type CapsFormat = (typeof CAPS_FORMATS.built)[number];

/**
 * `agentgate caps`: what each module can do.
 *
 * @returns the exit code: 0, or 2 where the tree could not be read in full
 * @throws Failure for a wrong command line
 */
export async function caps(paths: readonly string[], raw: SharedOptions, around: Surroundings): Promise<number> {
  const request = requestOf(paths, raw, CAPS_FORMATS, around);
  const seen = await read(request, around);
  const report = withFailure(seen, await deliverFiles(around, deliveryOf(seen, request)));
  if (report.error !== null) await sayFailure(around, report.error);
  const summary = request.quiet || isNothing(report) ? "" : summaryOfCaps(report);
  await deliverStandard(around, deliveryOf(report, request), summary);
  return report.error === null ? 0 : 2;
}

function deliveryOf(report: CapsReport, request: Request<CapsFormat>): Delivery<CapsFormat> {
  const table = (look: Look): string => (isNothing(report) ? "" : renderCaps(report, look, request.all));
  const render = (format: CapsFormat, look: Look): string => {
    if (format === "json") return `${printableJson(report)}\n`;
    return format === "html" ? renderCapsHtml(report) : table(look);
  };
  return { outputs: request.outputs, color: request.color, render };
}

/** Nothing was read and standard error says why. */
function isNothing({ error, modules }: CapsReport): boolean {
  return error !== null && modules.length === 0;
}

async function read(request: Request<string>, around: Surroundings): Promise<CapsReport> {
  const progress = startProgress(around, !request.quiet);
  try {
    const engine = await import("@agentgate/engine");
    return await engine.capsOfTree({ ...request.engine, onProgress: progress.report });
  } catch (error) {
    return emptyCaps(asFailure(error));
  } finally {
    progress.stop();
  }
}
