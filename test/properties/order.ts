import type { ModuleFacts, Span, Statement } from "@agentgate/parsers";
import { edited, wholeLines } from "./edits.ts";
import type { Edit, Source } from "./edits.ts";

/**
 * Swaps neighbours of which neither can matter to the other: imports of different modules, function declarations, and
 * constants given to names.
 */
export function reorderIndependent(source: Source): string {
  const edits: Edit[] = swappedImports(source);
  for (const body of bodiesOf(source.facts)) {
    for (let index = 0; index + 1 < body.length; index++) {
      const [first, second] = [independent(source, body[index]!), independent(source, body[index + 1]!)];
      if (first === null || second === null || first.name === second.name || second.span[0] < first.span[1]) continue;
      const texts = [first, second].map(({ span: [start, end] }) => terminated(source.text.slice(start, end)));
      edits.push({ start: first.span[0], end: first.span[1], text: texts[1]! }, { start: second.span[0], end: second.span[1], text: texts[0]! });
      index++;
    }
  }
  return edited(source.text, edits);
}

function swappedImports(source: Source): Edit[] {
  const { facts, text } = source;
  const lines = facts.imports.filter((entry) => entry.form === "import" || entry.form === "from").flatMap((entry) => {
    const [start, end] = wholeLines(source, entry.span);
    const isAlone = text.slice(start, entry.span[0]) === "" && /^\s*;?\s*$/.test(text.slice(entry.span[1], end));
    return isAlone && entry.specifier !== "__future__" ? [{ start, end, specifier: entry.specifier }] : [];
  });
  const edits: Edit[] = [];
  for (let index = 0; index + 1 < lines.length; index++) {
    const [first, second] = [lines[index]!, lines[index + 1]!];
    if (first.end !== second.start || first.specifier === second.specifier) continue;
    edits.push({ start: first.start, end: second.end, text: text.slice(second.start, second.end) + text.slice(first.start, first.end) });
    index++;
  }
  return edits;
}

function terminated(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

function* bodiesOf(facts: ModuleFacts): Iterable<readonly Statement[]> {
  const pending = facts.functions.map((subject) => subject.body);
  for (let body = pending.pop(); body !== undefined; body = pending.pop()) {
    yield body;
    for (const statement of body) {
      if (statement.kind === "test") pending.push(statement.then, statement.else);
      else if (statement.kind === "loop" || statement.kind === "with" || statement.kind === "block") pending.push(statement.body);
      else if (statement.kind === "try") pending.push(statement.body, ...statement.handlers.map((handler) => handler.body), statement.finally);
    }
  }
}

function independent(source: Source, statement: Statement): { readonly name: string; readonly span: Span } | null {
  const { facts } = source;
  if (statement.kind === "define" && statement.function !== undefined) {
    const { name, span, decorators, kind, parameters } = facts.functions[statement.function]!;
    const isPlain = kind === "function" && decorators.length === 0 && parameters.every((parameter) => parameter.default === null && parameter.annotation === null);
    return isPlain ? alone(source, name, span) : null;
  }
  if (statement.kind !== "assign" || statement.operator !== "=" || statement.targets.length !== 1) return null;
  const target = facts.values[statement.targets[0]!];
  const value = facts.values[statement.value]!;
  if (target?.kind !== "name" || !["string", "number", "constant"].includes(value.kind)) return null;
  return alone(source, target.name, facts.statements[statement.at]!);
}

/** With the whole lines of a statement, where nothing else stands on them. */
function alone(source: Source, name: string, span: Span): { readonly name: string; readonly span: Span } | null {
  const [start, end] = wholeLines(source, span);
  const before = source.text.slice(start, span[0]);
  const after = source.text.slice(span[1], end);
  if (!/^\s*(?:export\s+)?(?:async\s+)?(?:(?:const|let|var)\s+)?$/.test(before) || !/^\s*;?\s*(?:(?:#|\/\/).*)?\s*$/.test(after)) return null;
  return { name, span: [start, end] };
}
