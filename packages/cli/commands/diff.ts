import type { ChangeOptions, DiffReport, DiffRun } from "@agentgate/engine";
import { asFailure } from "../failure.ts";
import { DIFF_FORMATS } from "../options/outputs.ts";
import { requestOf, type Request, type SharedOptions } from "../options/request.ts";
import { filled } from "../options/values.ts";
import { startProgress } from "../progress.ts";
import { commentOf } from "../render/diff/comment.ts";
import { renderDiffHtml } from "../render/diff/html.ts";
import { renderMarkdown } from "../render/diff/markdown.ts";
import { counted } from "../render/message.ts";
import { printableJson } from "../render/printable.ts";
import type { Surroundings } from "../terminal.ts";
import { deliverFiles, deliverStandard, type Delivery } from "./deliver.ts";
import { emptyCaps, withFailure } from "./empty.ts";
import { sayFailure } from "./say.ts";

type DiffFormat = (typeof DIFF_FORMATS.built)[number];

interface Compared {
  readonly report: DiffReport;
  readonly run: DiffRun;
}

/**
 * `agentgate diff`: what the change newly can do, as a review comment. It judges nothing: see `check`.
 *
 * @returns the exit code: 0, or 2 where the two sides could not be compared in full
 * @throws Failure for a wrong command line
 */
export async function diff(base: string, head: string | undefined, raw: SharedOptions, around: Surroundings): Promise<number> {
  const sides = { base: filled("the base", base), ...(head === undefined ? {} : { head: filled("the head", head) }) };
  const request = requestOf([], raw, DIFF_FORMATS, around);
  const compared = await compare({ ...request.engine, ...sides }, request, around);
  const report = withFailure(compared.report, await deliverFiles(around, deliveryOf(compared, request)));
  if (report.error !== null) await sayFailure(around, report.error);
  const summary = request.quiet || report.error !== null ? "" : summaryOfDiff(report);
  await deliverStandard(around, deliveryOf({ ...compared, report }, request), summary);
  return report.error === null ? 0 : 2;
}

async function compare(options: ChangeOptions, request: Request<DiffFormat>, around: Surroundings): Promise<Compared> {
  const progress = startProgress(around, !request.quiet);
  try {
    const engine = await import("@agentgate/engine");
    const report = await engine.diffOfChange({ ...options, onProgress: progress.report });
    return { report, run: engine.diffRunOf(report) };
  } catch (error) {
    return { report: emptyCaps(asFailure(error)), run: { hadAtBase: () => null, portFor: () => null, unjudged: [], strict: false } };
  } finally {
    progress.stop();
  }
}

/** A comment is written at exit 2 too: an older one that stays would speak for another change. */
function deliveryOf({ report, run }: Compared, request: Request<DiffFormat>): Delivery<DiffFormat> {
  const render = (format: DiffFormat): string => {
    if (format === "json") return `${printableJson(report)}\n`;
    const comment = commentOf(report, run);
    return format === "html" ? renderDiffHtml(comment) : renderMarkdown(comment);
  };
  return { outputs: request.outputs, color: request.color, render };
}

function summaryOfDiff({ modules }: DiffReport): string {
  const gaining = modules.filter(({ gained, moved }) => gained.length + moved.length > 0).length;
  return gaining === 0 ? "no module gained a capability" : `${counted(gaining, "module")} gained a capability`;
}
