import { edited, linesInsideTexts, wholeLines } from "./edits.ts";
import type { Edit, Source } from "./edits.ts";

/** All statements inside a function; null where the language forbids it. What a file says of itself at its head stays there. */
export function wrapInFunction(source: Source): string | null {
  return source.facts.language === "python" ? wrapPython(source) : wrapEcmascript(source);
}

function wrapPython(source: Source): string | null {
  const { facts, text } = source;
  const isOpen = facts.imports.some((entry) => entry.specifier === "__future__" || entry.names.some((name) => name.binding === -1));
  if (isOpen || facts.length === 0 || /^\s*(?:global|nonlocal)\b/m.test(text)) return null;
  const inside = linesInsideTexts(source);
  const edits = facts.lines.flatMap((start, line): Edit[] => (inside.has(line) ? [] : [{ start, end: start, text: "    " }]));
  const [head] = /^(?:#.*\n|\s*\n)*/.exec(text)!;
  const body = edited(text, edits.filter(({ start }) => start >= head.length));
  return `${head}def wrapped():\n${body.slice(head.length)}\n    return None\n`;
}

/** Imports stay where they are; a declaration that was exported is a plain one. */
function wrapEcmascript(source: Source): string | null {
  const { facts, text } = source;
  const isBound = /^\s*(?:export\s*(?:default|\{|\*|=|type|declare|abstract)|declare|namespace|module\.|import\s+\w+\s*=|#!)/m.test(text) || /\b(?:exports|require)\b/.test(text);
  const waits = facts.calls.some((call) => call.function === 0 && call.awaited === true);
  if (isBound || waits) return null;
  // A type can be imported where it stands.
  const statements = facts.imports.filter((entry) => (entry.form === "import" || entry.form === "from") && /^import\s*[\w"'{*]/.test(text.slice(entry.span[0])));
  const imports = statements.map((entry) => wholeLines(source, entry.span));
  const head = imports.map(([start, end]) => text.slice(start, end)).join("");
  const body = edited(text, imports.map(([start, end]) => ({ start, end, text: "" }))).replace(/^export\s+/gm, "");
  const [comments] = /^(?:\/\/.*\n|\/\*[^]*?\*\/[ \t]*\n|\s*\n)*/.exec(body)!;
  return `${comments}${head}\nexport function wrapped() {\n${body.slice(comments.length)}\n}\n`;
}
