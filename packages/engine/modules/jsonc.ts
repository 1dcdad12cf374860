import type { Json } from "./manifests.ts";

/** Parses JSON with comments and trailing commas (tsconfig.json); undefined where it is none. */
export function readJsonWithComments(text: string): Json | undefined {
  try {
    return JSON.parse(withoutComments(text)) as Json;
  } catch {
    return undefined;
  }
}

function withoutComments(text: string): string {
  let result = "";
  let index = 0;
  while (index < text.length) {
    const end = tokenEnd(text, index);
    const token = text.slice(index, end);
    if (token.startsWith("//") || token.startsWith("/*")) result += " ";
    else if (token !== "," || !closes(text, end)) result += token;
    index = end;
  }
  return result;
}

function tokenEnd(text: string, start: number): number {
  const two = text.slice(start, start + 2);
  if (two === "//") return endOr(text.indexOf("\n", start), text);
  if (two === "/*") return endOr(text.indexOf("*/", start + 2), text, 2);
  return text[start] === '"' ? stringEnd(text, start) : start + 1;
}

function endOr(found: number, text: string, more = 0): number {
  return found === -1 ? text.length : found + more;
}

function stringEnd(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return Math.min(index + 1, text.length);
}

/** Whether the next token after a comma is a closing bracket. */
function closes(text: string, start: number): boolean {
  let index = start;
  while (index < text.length) {
    const character = text[index]!;
    if (!/\s/.test(character) && character !== "/") return character === "]" || character === "}";
    index = character === "/" ? Math.max(index + 1, tokenEnd(text, index)) : index + 1;
  }
  return false;
}
