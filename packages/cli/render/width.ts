/** First and last code points of the blocks whose characters take two cells (East Asian Width W and F, Unicode 16). */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f], [0x2e80, 0x303e], [0x3041, 0x33ff], [0x3400, 0x4dbf], [0x4e00, 0xa4cf], [0xa960, 0xa97f],
  [0xac00, 0xd7a3], [0xf900, 0xfaff], [0xfe30, 0xfe6f], [0xff01, 0xff60], [0xffe0, 0xffe6], [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff], [0x1f200, 0x1f2ff], [0x20000, 0x3fffd],
];

const NO_CELL = /^[\p{Mn}\p{Me}\p{Cf}\ufe00-\ufe0f]$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;

/** Cells that one code point takes in a terminal: 0, 1 or 2. */
export function cellsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (NO_CELL.test(character)) return 0;
  if (EMOJI.test(character)) return 2;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

/** Cells that a printable text takes in a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += cellsOf(character);
  return width;
}

/** The text with spaces after it up to `width` cells. */
export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** The text cut to `width` cells, with an ellipsis where something is missing. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let cut = "";
  let used = 1;
  for (const character of text) {
    used += cellsOf(character);
    if (used > width) break;
    cut += character;
  }
  return `${cut}…`;
}

/**
 * The text in lines of at most `width` cells, broken at spaces. A word that is longer than a line keeps a line of
 * its own: a path or a command that is to be copied must not be torn.
 */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of text.split(" ")) {
    const cells = widthOf(word);
    if (line !== "" && used + 1 + cells > width) {
      lines.push(line);
      line = word;
      used = cells;
      continue;
    }
    line = line === "" ? word : `${line} ${word}`;
    used += (used === 0 ? 0 : 1) + cells;
  }
  if (line !== "") lines.push(line);
  return lines;
}
