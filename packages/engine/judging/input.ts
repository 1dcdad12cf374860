import { positionAt } from "@agentgate/parsers";
import type { TreePath } from "../paths.ts";
import type { Finding, RelatedPlace } from "../report.ts";
import { placeOf, plainFinding } from "./finding.ts";
import type { Failure, Module } from "./module.ts";

/** Further wrong places of a file that are listed with the first. */
const MAX_RELATED = 20;

/** The `not-judged` finding of a file that could not be read or parsed. */
export function notJudgedFinding(failure: Failure): Finding {
  const message = `This file was not judged: ${failure.reason}. What it does is not known. ${failure.advice}`;
  return plainFinding("not-judged", failure.severity, failure.path, message, failure.reason.replaceAll(/\d+/g, "0"));
}

/** The `not-judged` finding of a file that was judged without some of its types; `reason` is a clause. */
export function untypedFinding(path: TreePath, reason: string): Finding {
  const message = `This file was not judged in full: ${reason}. What such receivers are was told by their names alone. Simplify the types.`;
  return plainFinding("not-judged", "error", path, message, reason.replaceAll(/\d+/g, "0"));
}

/** The `parse-error` finding of a module: at its first wrong token, with the others as related places. */
export function parseErrorFinding(module: Module): Finding | null {
  const { facts, text } = module;
  const problems = [...module.undecodable, ...facts.problems].sort((left, right) => left.span[0] - right.span[0]);
  const [first, ...others] = problems;
  if (first === undefined) return null;
  const finding = plainFinding("parse-error", "error", module.path, messageOf(module, first.message), first.message, placeOf(facts, text, first.span));
  const lines = new Set([finding.start.line]);
  const related: RelatedPlace[] = [];
  for (const other of others) {
    const { line } = positionAt(facts.lines, other.span[0]);
    if (lines.has(line) || related.length === MAX_RELATED) continue;
    lines.add(line);
    related.push({ path: module.path, ...placeOf(facts, text, other.span), message: other.message });
  }
  return { ...finding, related };
}

function messageOf({ facts }: Module, problem: string): string {
  const sentence = /[.!?]$/.test(problem) ? problem : `${problem}.`;
  const language = facts.language === "python" ? "Python" : "JavaScript or TypeScript";
  // The module's own statement is always there.
  const rest = facts.statements.length > 1 ? "The rest of the file is judged" : "Nothing else in the file is judged";
  return `This cannot be read as ${language}. ${sentence[0]!.toUpperCase()}${sentence.slice(1)} ${rest}: correct it here.`;
}
