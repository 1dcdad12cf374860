import ts from "typescript";
import { edited, linesInsideTexts } from "./edits.ts";
import type { Edit, Source } from "./edits.ts";

/** A comment of its own before every statement that begins a line. */
export function addComments(source: Source): string {
  const { facts, text } = source;
  const inside = linesInsideTexts(source);
  const mark = facts.language === "python" ? "#" : "//";
  const starts = new Set(facts.statements.map(([start]) => start));
  const edits = facts.lines.flatMap((start, line): Edit[] => {
    const indent = /^[ \t]*/.exec(text.slice(start, facts.lines[line + 1] ?? text.length))![0];
    if (inside.has(line) || !starts.has(start + indent.length) || isUnderDirective(source, line)) return [];
    return [{ start, end: start, text: `${indent}${mark} while (true) { eval("model") } is only a note\n` }];
  });
  return edited(text, edits);
}

/** A directive speaks for the line below it. */
function isUnderDirective({ facts, text }: Source, line: number): boolean {
  return line > 0 && text.slice(facts.lines[line - 1], facts.lines[line]).includes("agentgate:");
}

/** The same statements in another layout. */
export function reformat(source: Source): string {
  return source.facts.language === "python" ? indentTwice(source) : printed(source);
}

/** Twice the indentation, blank lines between statements, blanks at the ends of lines. */
function indentTwice(source: Source): string {
  const { facts, text } = source;
  const inside = linesInsideTexts(source);
  const starts = new Set(facts.statements.map(([start]) => start));
  const edits = facts.lines.flatMap((start, line): Edit[] => {
    const content = text.slice(start, facts.lines[line + 1] ?? text.length);
    const indent = /^[ \t]*/.exec(content)![0];
    if (inside.has(line) || content.trim() === "") return [];
    const blank = starts.has(start + indent.length) && !isUnderDirective(source, line) ? "\n" : "";
    return [{ start, end: start + indent.length, text: blank + indent + indent }];
  });
  return edited(text, edits);
}

/** As TypeScript's own printer writes it. */
function printed({ path, text }: Source): string {
  const kind = /\.[cm]?jsx?$/.test(path) ? ts.ScriptKind.JSX : path.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createPrinter().printFile(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind));
}
