import type { FunctionFacts, ModuleFacts } from "@agentgate/parsers";

/** Characters of a type that are read; a longer one is a program of its own. */
const MOST = 2000;

/** The declared type of what a function returns, as it is written; null where none is. */
export function returnTypeOf(facts: ModuleFacts, text: string, told: FunctionFacts): string | null {
  if (facts.language === "python") {
    const span = told.returnAnnotation === null ? null : facts.values[told.returnAnnotation]!.span;
    return span === null ? null : text.slice(span[0], span[1]);
  }
  if (facts.dialect === "javascript" || facts.dialect === "jsx") return null;
  const from = Math.max(told.parameters.at(-1)?.span[1] ?? 0, told.nameSpan[1], told.span[0]);
  const head = text.slice(from, Math.min(told.span[1], from + MOST));
  const start = afterParameters(head);
  return start === -1 ? null : typeAt(head, start);
}

/** Where the type begins: behind the colon that follows the parenthesis of the parameters; -1 where there is none. */
function afterParameters(head: string): number {
  let depth = 0;
  for (let index = 0; index < head.length; index++) {
    if (head[index] === "(") depth++;
    // The parenthesis that opens the parameters stands before the last of them, where there is one.
    if (head[index] === ")" && --depth <= 0) return /^\s*:/.test(head.slice(index + 1)) ? head.indexOf(":", index + 1) + 1 : -1;
  }
  return -1;
}

/** Up to the body. A brace belongs to the type where one has to follow: at its beginning, and behind an operator. */
function typeAt(head: string, start: number): string | null {
  let depth = 0;
  let last = ":";
  for (let index = start; index < head.length; index++) {
    const character = head[index]!;
    if (depth === 0 && (character === ";" || character === "=" && head[index + 1] === ">" || character === "{" && !OPERATORS.has(last))) return head.slice(start, index).trim();
    if ("([{<".includes(character)) depth++;
    else if (")]}".includes(character) || character === ">" && head[index - 1] !== "=") depth--;
    if (!/\s/.test(character)) last = character;
  }
  return null;
}

const OPERATORS = new Set([":", "|", "&"]);
