import { dialectOf, type ModuleFacts, parseEcmascript, parsePython, positionAt, type Span } from "@agentgate/parsers";
import { type FixtureFile, languageOf } from "../../tools/fixtures/cases.ts";
import type { Expectation } from "../../tools/fixtures/marks.ts";

/** Lines of a file, both ends included. */
export interface Place {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** Where one of their findings stands is our convention: a tool may as well report the import, the use or the literal. */
const ANYWHERE_IN_FILE = new Set(["no-invented-io", "no-unpinned-model"]);

/**
 * Where a finding counts for what is expected on a line: the line, the whole statement, and the innermost function
 * around it with its decorators, since a tool may report the `def`, the `while` or the call that is repeated.
 */
export function linesThatCount(expected: Expectation, files: readonly FixtureFile[]): Place[] {
  const line: Place = { path: expected.path, first: expected.line, last: expected.line };
  const facts = factsOf(files.find((file) => file.path === expected.path));
  if (facts === null) return [line];
  if (ANYWHERE_IN_FILE.has(expected.rule)) return [{ ...line, first: 1, last: facts.lines.length }];
  return [line, ...spansAround(facts, expected.line).map((span) => ({ path: expected.path, ...linesOf(facts, span) }))];
}

function factsOf(file: FixtureFile | undefined): ModuleFacts | null {
  const language = file === undefined ? null : languageOf(file.path);
  if (file === undefined || language === null || language === "policy") return null;
  return language === "python" ? parsePython(file.text) : parseEcmascript(file.text, { dialect: dialectOf(file.path) });
}

function spansAround(facts: ModuleFacts, line: number): Span[] {
  const holds = (span: Span): boolean => linesOf(facts, span).first <= line && linesOf(facts, span).last >= line;
  const [, ...functions] = facts.functions.map((one) => withDecorators(facts, one.span, one.decorators));
  const innermost = functions.filter(holds).sort((one, other) => length(one) - length(other))[0];
  return [...facts.statements.filter(holds), ...(innermost === undefined ? [] : [innermost])];
}

function withDecorators(facts: ModuleFacts, span: Span, decorators: readonly number[]): Span {
  return [Math.min(span[0], ...decorators.map((value) => facts.values[value]!.span[0])), span[1]];
}

function length([start, end]: Span): number {
  return end - start;
}

function linesOf(facts: ModuleFacts, [start, end]: Span): { readonly first: number; readonly last: number } {
  return { first: positionAt(facts.lines, start).line, last: positionAt(facts.lines, Math.max(start, end - 1)).line };
}
