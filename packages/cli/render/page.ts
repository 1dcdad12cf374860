import type { Look } from "../terminal.ts";
import { wrap } from "./width.ts";

const HEADING = /^#{1,6} (.*)$/;
const ITEM = /^(\s*(?:[-*]|\d+\.)\s+)(.*)$/;

/** Marks of the generator that makes parts of the pages. */
function withoutComments(markdown: string): string {
  return markdown.replace(/<!--[^]*?-->\n*/g, "").trim();
}

/** A rule's Markdown page: as it is in a pipe, with headings and code set apart and lines wrapped on a terminal. */
export function renderPage(markdown: string, look: Look): string {
  const page = withoutComments(markdown);
  if (look.columns === null) return `${page}\n`;
  const lines: string[] = [];
  let code = false;
  let paragraph: string[] = [];
  const flush = (): void => {
    lines.push(...flowed(paragraph, look.columns ?? 0));
    paragraph = [];
  };
  for (const line of page.split("\n")) {
    const starts = line.startsWith("```");
    if (!code && !starts && isText(line)) {
      if (ITEM.test(line)) flush();
      paragraph.push(line);
      continue;
    }
    flush();
    if (starts) code = !code;
    else lines.push(code ? codeLine(line, look) : headingOrTable(line, look));
  }
  flush();
  return `${lines.join("\n").replace(/\n{3,}/g, "\n\n")}\n`;
}

function codeLine(line: string, { paint }: Look): string {
  return line === "" ? "" : `    ${paint.faint(line)}`;
}

function headingOrTable(line: string, { paint }: Look): string {
  const heading = HEADING.exec(line)?.[1];
  return heading === undefined ? line : paint.strong(heading);
}

/** A line that flows on into the next one: no blank, heading or table. */
function isText(line: string): boolean {
  return line.trim() !== "" && !HEADING.test(line) && !line.startsWith("|");
}

/** A paragraph or a list item in lines of the terminal's width, its continuation under its first word. */
function flowed(paragraph: readonly string[], columns: number): string[] {
  if (paragraph.length === 0) return [];
  const [first = "", ...rest] = paragraph;
  const [, bullet = "", start = first] = ITEM.exec(first) ?? [];
  const text = [start, ...rest].map((line) => line.trim()).join(" ");
  const plain = text.replace(/\*\*([^*]+)\*\*/g, "$1").replace(/\[([^\]]+)\]\([^)]*\)/g, "$1");
  return wrap(plain, columns - bullet.length).map((part, index) => (index === 0 ? bullet : " ".repeat(bullet.length)) + part);
}
