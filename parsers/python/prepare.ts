/**
 * The text as the grammar is given it; every change keeps the length, so that offsets hold. A lone CR ends a line in
 * Python but not in the grammar, where it would carry code into a comment. A NUL would end the text.
 */
export function prepareText(text: string): string {
  let prepared = text;
  if (prepared.includes("\r")) prepared = prepared.replace(/\r(?!\n)/g, "\n");
  if (prepared.includes("\0")) prepared = prepared.replaceAll("\0", " ");
  return prepared;
}

const GENERIC = /\b(?:def|class|type)[ \t]+[\p{L}_][\p{L}\p{N}_]*[ \t]*\[/gu;

/**
 * Defaults of type parameters (`[T = int]`, PEP 696) are unknown to the grammar: with `:` for `=` they read as
 * bounds. Null where the text has none.
 */
export function withoutTypeDefaults(text: string): string | null {
  const places: number[] = [];
  for (const match of text.matchAll(GENERIC)) collectDefaults(text, match.index + match[0].length, places);
  if (places.length === 0) return null;
  let result = "";
  let from = 0;
  for (const place of places) {
    result += `${text.slice(from, place)}:`;
    from = place + 1;
  }
  return result + text.slice(from);
}

/** Finds each `=` between the brackets of a type parameter list and outside of any other. */
function collectDefaults(text: string, start: number, places: number[]): void {
  let depth = 1;
  for (let index = start; index < text.length && index < start + 4096; index++) {
    const character = text[index]!;
    if (character === "[" || character === "(" || character === "{") depth++;
    else if (character === "]" || character === ")" || character === "}") depth--;
    else if (character === "=" && depth === 1 && !"=!<>:".includes(text[index - 1]!) && text[index + 1] !== "=") places.push(index);
    if (depth === 0) return;
  }
}

/** Offset of the first character of each line of a prepared text, in which every line ends at an LF. */
export function preparedLines(prepared: string): number[] {
  const starts = [0];
  for (let end = prepared.indexOf("\n"); end >= 0; end = prepared.indexOf("\n", end + 1)) starts.push(end + 1);
  return starts;
}
