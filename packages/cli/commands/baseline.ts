import type { BaselineReport } from "@agentgate/engine";
import { Failure } from "../failure.ts";
import { BASELINE_FORMATS } from "../options/policy-formats.ts";
import { requestOf, type SharedOptions } from "../options/request.ts";
import { startProgress } from "../progress.ts";
import { printable, printableJson } from "../render/printable.ts";
import type { Surroundings } from "../terminal.ts";
import { deliverFiles, deliverStandard } from "./deliver.ts";
import { sayFailure } from "./say.ts";

/**
 * `agentgate baseline`: records the findings of the whole tree, so that only what comes on top is reported.
 *
 * @returns the exit code: 0, or 2 where the tree could not be judged or the file not be written
 * @throws Failure for a wrong command line
 */
export async function baseline(paths: readonly string[], raw: SharedOptions, around: Surroundings): Promise<number> {
  if (paths.length > 0) throw new Failure("baseline records the whole tree and takes no paths", "Leave them out; what is not to be judged at all belongs into extendExclude in agentgate.yml.");
  const request = requestOf([], raw, BASELINE_FORMATS, around);
  const progress = startProgress(around, !request.quiet);
  let report: BaselineReport;
  try {
    const engine = await import("@agentgate/engine");
    report = await engine.writeBaseline({ ...request.engine, onProgress: progress.report });
  } finally {
    progress.stop();
  }
  const render = (format: string): string => (format === "json" ? `${printableJson(report)}\n` : said(report));
  const failure = await deliverFiles(around, { outputs: request.outputs, color: request.color, render });
  const problem = report.error ?? failure;
  if (problem !== null) await sayFailure(around, problem);
  await deliverStandard(around, { outputs: request.outputs, color: request.color, render }, request.quiet ? "" : said(report).trimEnd());
  return problem === null ? 0 : 2;
}

function said({ error, path, lines, unheld }: BaselineReport): string {
  if (error !== null) return "";
  const { added, kept, dropped } = lines;
  const first = `wrote ${printable(path)}: ${added} ${added === 1 ? "line" : "lines"} added, ${kept} kept, ${dropped} dropped\n`;
  if (unheld.length === 0) return first;
  return `${first}not recorded, since no baseline holds it: ${unheld.map(({ rule, findings }) => `${findings} ${rule}`).join(", ")}\n`;
}
