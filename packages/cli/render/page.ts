import type { Look } from "../terminal.ts";
import { wrap } from "./width.ts";

const LIST = /^(\s*(?:[-*]|\d+\.)\s+)(.*)$/;

/** A rule's Markdown page: as it is in a pipe, with headings and code set apart and lines wrapped on a terminal. */
export function renderPage(markdown: string, look: Look): string {
  const { columns } = look;
  if (columns === null) return markdown;
  const lines: string[] = [];
  let code = false;
  for (const line of markdown.replace(/<!--[^]*?-->\n?/g, "").trimEnd().split("\n")) {
    if (line.startsWith("```")) code = !code;
    else lines.push(...(code ? [`    ${look.paint.faint(line)}`] : prose(line, columns, look)));
  }
  return `${lines.join("\n")}\n`;
}

function prose(line: string, columns: number, { paint }: Look): string[] {
  const heading = /^#{1,6} (.*)$/.exec(line);
  if (heading !== null) return [paint.strong(heading[1]!)];
  if (line.trim() === "" || line.startsWith("|")) return [line];
  const [, bullet = "", text = line] = LIST.exec(line) ?? [];
  const plain = text.replace(/\*\*([^*]+)\*\*/g, "$1").replace(/\[([^\]]+)\]\([^)]*\)/g, "$1");
  return wrap(plain, columns - bullet.length).map((part, index) => (index === 0 ? bullet : " ".repeat(bullet.length)) + part);
}
