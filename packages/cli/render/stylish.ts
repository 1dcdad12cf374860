import type { Finding, Report } from "@agentgate/engine";
import type { RunDetails } from "../details.ts";
import type { Look } from "../terminal.ts";
import { acceptanceOf, withoutDigest } from "./acceptance.ts";
import { frameOf } from "./frame.ts";
import { lineOfFinding } from "./lines.ts";
import { partsOf, placeOf } from "./message.ts";
import { printable } from "./printable.ts";
import type { SourceOf } from "./source.ts";
import { headerOf, summaryOf, type Listing } from "./summary.ts";
import { cutTo, padTo, widthOf, wrap } from "./width.ts";

export interface StylishOptions extends Listing {
  readonly look: Look;
  readonly sourceOf: SourceOf;
  readonly details: RunDetails;
  /** Findings below the level that decides are left out under `quiet`. */
  readonly decides: (finding: Finding) => boolean;
}

const PLACES = 5;
const SEVERITY = "warning".length;
/** `    also  ` and `    next  `. */
const LABEL = 10;

/**
 * The report for people: frames on a terminal, one line a finding elsewhere; its last line says what was judged. What
 * accepts a weakened gate is said once, after the findings.
 */
export function renderStylish(report: Report, options: StylishOptions): string {
  const chosen = options.quiet ? report.findings.filter(options.decides) : report.findings;
  const accept = acceptanceOf(chosen);
  const findings = accept === null ? chosen : chosen.map(withoutDigest);
  const { columns } = options.look;
  const body = columns === null ? pipeLines(report, findings, options) : blocks(report, findings, columns, options);
  const last = [...(accept === null ? [] : [accept]), summaryOf(report, options)];
  return `${[...body, ...(columns === null ? last : last.flatMap((line) => wrap(line, columns)))].join("\n")}\n`;
}

/** No header: a line is a finding. That there was nothing to compare is said all the same. */
function pipeLines(report: Report, findings: readonly Finding[], options: StylishOptions): string[] {
  const lines = findings.map((finding) => lineOfFinding(finding, options.all));
  return options.details.equalsBase ? [headerOf(report, options.details), ...lines] : lines;
}

function blocks(report: Report, findings: readonly Finding[], columns: number, options: StylishOptions): string[] {
  const headed = options.details.equalsBase || (!options.quiet && findings.length > 0);
  const lines: string[] = headed ? [...wrap(headerOf(report, options.details), columns), ""] : [];
  const placeWidth = Math.max(0, ...findings.map((finding) => positionOf(finding).length));
  let path: string | null = null;
  for (const finding of findings) {
    if (finding.path !== path) lines.push(options.look.paint.path(printable(finding.path)));
    path = finding.path;
    lines.push(...block(finding, { ...options, columns, placeWidth }), "");
  }
  return lines;
}

interface BlockOptions extends StylishOptions {
  readonly columns: number;
  readonly placeWidth: number;
}

function positionOf(finding: Finding): string {
  return `${finding.start.line}:${finding.start.column}`;
}

function block(finding: Finding, options: BlockOptions): string[] {
  const { next, told } = partsOf(finding.message);
  return [
    ...firstLines(finding, told, options),
    ...frameLines(finding, options),
    ...alsoLines(finding, options),
    ...(next === null ? [] : labelled("next", next, options)),
  ];
}

/** Place, severity and what is wrong, with the rule at the right of the first line where there is room. */
function firstLines(finding: Finding, told: string, options: BlockOptions): string[] {
  const { columns, look, placeWidth } = options;
  const indent = 2 + placeWidth + 2 + SEVERITY + 2;
  const room = columns - indent - finding.rule.length - 2;
  const beside = room >= 30;
  const text = wrap(finding.baseline === "unchanged" ? `${told} (unchanged)` : told, beside ? room : Math.max(20, columns - indent));
  const severity = look.paint[finding.severity](padTo(finding.severity, SEVERITY));
  const first = text[0] ?? "";
  const rule = beside ? `${" ".repeat(Math.max(2, columns - indent - widthOf(first) - finding.rule.length))}${look.paint.faint(finding.rule)}` : "";
  const rest = text.slice(1).map((line) => " ".repeat(indent) + line);
  const under = beside ? [] : [" ".repeat(indent) + look.paint.faint(finding.rule)];
  return [`  ${padTo(positionOf(finding), placeWidth)}  ${severity}  ${first}${rule}`, ...rest, ...under];
}

function frameLines(finding: Finding, options: BlockOptions): string[] {
  const source = options.sourceOf(finding.path);
  if (source === null) return [];
  const indent = "    ";
  const added = options.details.addedLinesOf(finding.path);
  const frame = frameOf({ source, start: finding.start, end: finding.end, added }, options.columns - indent.length, options.look.paint, finding.severity === "error");
  return frame.map((line) => indent + line);
}

function alsoLines(finding: Finding, options: BlockOptions): string[] {
  const shown = options.all ? finding.related : finding.related.slice(0, PLACES);
  const places = shown.map((related) => placeOf(finding, related));
  const width = Math.max(0, ...places.map(widthOf));
  const lines = shown.map((related, index) => `${padTo(places[index]!, width)}  ${printable(related.message)}`);
  const rest = finding.related.length - shown.length;
  if (rest > 0) lines.push(`and ${rest} more (--all)`);
  const room = Math.max(20, options.columns - LABEL);
  return lines.map((line, index) => `    ${index === 0 ? "also" : "    "}  ${cutTo(line, room)}`.trimEnd());
}

function labelled(label: string, text: string, options: BlockOptions): string[] {
  const room = Math.max(20, options.columns - LABEL);
  return wrap(text, room).map((line, index) => `    ${index === 0 ? options.look.paint.strong(label) : "    "}  ${line}`);
}
