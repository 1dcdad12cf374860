const SIMPLE: Readonly<Record<string, string>> = {
  "\n": "", "\\": "\\", "'": "'", '"': '"', a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v",
};

/**
 * The text that a string literal's content stands for. A character given by its Unicode name (`\N{…}`) is not decoded:
 * the text is cut there, so one piece more than there are such names is returned. Bytes come back as Latin-1.
 */
export function decodeEscapes(raw: string, isBytes: boolean): string[] {
  const pieces: string[] = [];
  let piece = "";
  let index = 0;
  for (;;) {
    const slash = raw.indexOf("\\", index);
    if (slash < 0 || slash + 1 >= raw.length) break;
    piece += raw.slice(index, slash);
    const letter = raw[slash + 1]!;
    const simple = SIMPLE[letter];
    const numeric = simple === undefined ? decodeNumeric(raw, slash, isBytes) : null;
    if (simple !== undefined) {
      piece += simple;
      index = slash + 2;
    } else if (numeric !== null) {
      piece += numeric.text;
      index = numeric.end;
    } else if (letter === "N" && !isBytes && raw[slash + 2] === "{" && raw.includes("}", slash)) {
      pieces.push(piece);
      piece = "";
      index = raw.indexOf("}", slash) + 1;
    } else {
      // Not an escape: the backslash stays.
      piece += `\\${letter}`;
      index = slash + 2;
    }
  }
  pieces.push(piece + raw.slice(index));
  return pieces;
}

/** Length of the digits after the letter. */
const WIDTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function decodeNumeric(raw: string, slash: number, isBytes: boolean): { text: string; end: number } | null {
  const letter = raw[slash + 1]!;
  if (letter >= "0" && letter <= "7") {
    const digits = /^[0-7]{1,3}/.exec(raw.slice(slash + 1, slash + 4))![0];
    const code = Number.parseInt(digits, 8);
    return { text: String.fromCharCode(isBytes ? code & 255 : code), end: slash + 1 + digits.length };
  }
  const width = WIDTHS[letter];
  if (width === undefined || (isBytes && letter !== "x")) return null;
  const digits = raw.slice(slash + 2, slash + 2 + width);
  if (digits.length !== width || !/^[0-9a-fA-F]+$/.test(digits)) return null;
  const code = Number.parseInt(digits, 16);
  return code > 0x10ffff ? null : { text: String.fromCodePoint(code), end: slash + 2 + width };
}
