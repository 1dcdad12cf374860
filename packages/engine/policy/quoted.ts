/** Beyond what JSON escapes: DEL, C1, and characters that reorder or hide text. */
const HIDDEN = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text in double quotes, as JSON and YAML both read it, with nothing in it that a terminal or a reviewer's eye would obey. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(HIDDEN, (character) => {
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}
