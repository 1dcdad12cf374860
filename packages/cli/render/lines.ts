import type { Finding } from "@agentgate/engine";
import { placeOf } from "./message.ts";
import { printable } from "./printable.ts";

const PLACES = 10;

/** One finding on one line, for pipes and files: `path:line:column: severity: message [rule]`. */
export function lineOfFinding(finding: Finding, all: boolean): string {
  const place = `${printable(finding.path)}:${finding.start.line}:${finding.start.column}`;
  const unchanged = finding.baseline === "unchanged" ? " (unchanged)" : "";
  return `${place}: ${finding.severity}: ${printable(finding.message)}${alsoAt(finding, all)}${unchanged} [${finding.rule}]`;
}

function alsoAt(finding: Finding, all: boolean): string {
  if (finding.related.length === 0) return "";
  const shown = all ? finding.related : finding.related.slice(0, PLACES);
  const rest = finding.related.length - shown.length;
  return ` (also ${shown.map((related) => placeOf(finding, related)).join(", ")}${rest === 0 ? "" : ` and ${rest} more`})`;
}
