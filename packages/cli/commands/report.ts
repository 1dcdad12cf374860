import type { Finding, Report } from "@agentgate/engine";
import type { ReportingDescriptor } from "sarif";
import type { RunDetails } from "../details.ts";
import type { CHECK_FORMATS } from "../options/outputs.ts";
import type { Request } from "../options/request.ts";
import type { FailOn } from "../options/values.ts";
import { printableJson } from "../render/printable.ts";
import type { SourceOf } from "../render/source.ts";
import { renderStylish } from "../render/stylish.ts";
import type { Look } from "../terminal.ts";
import type { Delivery } from "./deliver.ts";

/** The formats of `check` and `verify`. */
export type CheckFormat = (typeof CHECK_FORMATS.built)[number];

/** A report with what its renderings need beside it. */
export interface Judged {
  readonly report: Report;
  readonly notes: readonly string[];
  readonly sourceOf: SourceOf;
  readonly details: RunDetails;
  /** Renders SARIF; null where no output asks for it. */
  readonly sarif: Sarif | null;
  readonly exitCode: number;
}

export type Sarif = (report: Report, details: RunDetails) => string;

/** Loads what SARIF needs, the pages of the rules among it, only where it is asked for. */
export async function sarifFor({ outputs }: Request<CheckFormat>, judges: "code" | "contracts"): Promise<Sarif | null> {
  if (!outputs.some(({ format }) => format === "sarif")) return null;
  const [{ renderSarif }, { describedContractRules, describedRules }] = await Promise.all([import("../render/sarif/log.ts"), import("../render/sarif/rules.ts")]);
  const rules: readonly ReportingDescriptor[] = await (judges === "code" ? describedRules() : describedContractRules());
  return (report, details) => renderSarif(report, details, rules);
}

/** The document as JSON. */
export function json(report: Report): string {
  return `${printableJson(report)}\n`;
}

/** How a report is written in each format. */
export function deliveryOf(report: Report, judged: Judged, request: Request<CheckFormat>): Delivery<CheckFormat> {
  const render = (format: CheckFormat, look: Look): string => {
    if (format === "json") return json(report);
    if (format === "sarif") return judged.sarif?.(report, judged.details) ?? "";
    return stylish(report, judged, request, look);
  };
  return { outputs: request.outputs, color: request.color, render };
}

/** Nothing was judged and standard error says why: a summary would say "no finding". */
export function saysNothing({ error, findings, summary }: Report): boolean {
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
