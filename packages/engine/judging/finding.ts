import { onOneLine, positionAt } from "@agentgate/parsers";
import type { ModuleFacts, Span } from "@agentgate/parsers";
import type { Related, RuleFinding, Severity } from "@agentgate/rules";
import { comparePaths } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { Finding, RelatedPlace, ReportPosition } from "../report.ts";
import { fingerprintOf, plainFingerprint } from "./fingerprint.ts";
import type { Module } from "./module.ts";

interface Place {
  readonly start: ReportPosition;
  readonly end: ReportPosition;
}

/** A rule's finding as other programs read it. `moduleAt` gives the modules that related places lie in. */
export function findingOf(rule: string, severity: Severity, found: RuleFinding, module: Module, moduleAt: (path: TreePath) => Module | null): Finding {
  return {
    rule, severity, message: found.message, path: module.path, ...placeOf(module.facts, module.text, found.span),
    capability: found.capability, api: found.api, baseline: null,
    related: found.related.map((related) => relatedOf(related, module, moduleAt)),
    fingerprint: fingerprintOf(rule, found, module.facts, module.text),
  };
}

function relatedOf(related: Related, module: Module, moduleAt: (path: TreePath) => Module | null): RelatedPlace {
  const path = related.path ?? module.path;
  const other = path === module.path ? module : moduleAt(path);
  const place = other === null ? lineOne : placeOf(other.facts, other.text, related.span);
  return { path, ...place, message: related.message };
}

const lineOne: Place = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };

/** Lines and columns of a span, cut to the line on which it starts. */
export function placeOf(facts: Pick<ModuleFacts, "lines">, text: string, span: Span): Place {
  const [start, end] = onOneLine(facts.lines, span, text);
  const first = positionAt(facts.lines, start);
  return { start: first, end: { line: first.line, column: first.column + Math.max(0, end - start) } };
}

/** A finding about a file as a whole, or about a line of a file that is no module. */
export function plainFinding(rule: string, severity: Severity, path: string, message: string, key: string, place: Place = lineOne): Finding {
  return {
    rule, severity, message, path, start: place.start, end: place.end, capability: null, api: null, baseline: null, related: [],
    fingerprint: plainFingerprint(rule, key),
  };
}

/** Order of every list of findings: path, line, column, rule; then what else tells two apart. */
export function compareFindings(left: Finding, right: Finding): number {
  return comparePaths(left.path, right.path) || left.start.line - right.start.line || left.start.column - right.start.column ||
    comparePaths(left.rule, right.rule) || comparePaths(left.capability ?? "", right.capability ?? "") ||
    comparePaths(left.api ?? "", right.api ?? "") || comparePaths(left.message, right.message);
}
