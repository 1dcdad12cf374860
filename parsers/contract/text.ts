import { LINE_ONE, type Place, type Read, SyntaxFault, reading } from "./document.ts";

/** The lines of a text, ended by LF alone, and where an offset of it stands. */
export class Lines {
  readonly #text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.#text = text;
    for (let index = text.indexOf("\n"); index !== -1; index = text.indexOf("\n", index + 1)) this.#starts.push(index + 1);
  }

  /** The place from one offset to another, cut to the line on which it starts. */
  place(start: number, end: number): Place {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= start) low = middle;
      else high = middle - 1;
    }
    const lineEnd = this.#starts[low + 1] ?? this.#text.length + 1;
    const length = Math.max(0, Math.min(end, lineEnd - 1) - start);
    const ended = this.#text.charCodeAt(start + length - 1) === 13 && length > 0 ? length - 1 : length;
    return { line: low + 1, column: start - this.#starts[low]! + 1, length: ended };
  }
}

/** One physical line, without its end. */
export interface TextLine {
  readonly text: string;
  readonly at: Place;
}

/** The lines of a text, split at LF only, one trailing CR dropped; what follows the last LF counts where there is any. */
export function textLines(text: string): TextLine[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, index) => {
    const bare = line.endsWith("\r") ? line.slice(0, -1) : line;
    return { text: bare, at: { line: index + 1, column: 1, length: bare.length } };
  });
}

/** The text of a file's bytes without its byte order mark, or where its first byte stands that is no UTF-8. */
export function decodeText(bytes: Uint8Array): Read<string> {
  try {
    return { value: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { problem: { message: "The file holds bytes that are no UTF-8, so that two readers may see two contracts.", at: firstInvalid(bytes) } };
  }
}

/** The line up to which the bytes are UTF-8. */
function firstInvalid(bytes: Uint8Array): Place {
  const shown = new TextDecoder("utf-8").decode(bytes);
  const written = shown.indexOf("\ufffd");
  return written === -1 ? LINE_ONE : new Lines(shown).place(written, written + 1);
}

/** What no structured text may hold: some readers end a line at a carriage return alone and others do not. */
export function refuseLoneReturn(text: string): Read<string> {
  return reading(() => {
    const index = text.search(/\r(?!\n)/);
    if (index !== -1) throw new SyntaxFault("A carriage return stands alone: some readers end the line there and others do not.", new Lines(text).place(index, index + 1));
    return text;
  });
}
