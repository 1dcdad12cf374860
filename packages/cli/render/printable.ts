/**
 * Beyond C0, what must not reach a terminal from judged text: DEL and C1, and the marks that reorder or hide text
 * (bidirectional controls, zero-width and tag characters, line separators).
 */
const HIDDEN = String.raw`\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}`;

/** These, C0 and lone surrogates. */
const UNPRINTABLE = new RegExp(String.raw`[\u0000-\u001f${HIDDEN}\p{Cs}]`, "gu");

/** JSON.stringify escapes the others. */
const JSON_UNPRINTABLE = new RegExp(`[${HIDDEN}]`, "gu");

/** `##[…]` and `##vso[…]` are commands to some build services wherever they stand in a line. */
const COMMAND_ANYWHERE = /##(?=\[|[a-z]{1,16}\[)/gi;

/** `::error::` is one at the start of a line; in prose it is never needed as it is. */
const COMMAND_AT_START = /::(?=[a-z])/gi;

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 10) return "\\n";
  if (code === 13) return "\\r";
  if (code === 9) return "\\t";
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, "0")}`;
  return `\\u{${code.toString(16).padStart(4, "0")}}`;
}

/** Source text for a code frame: as `printable`, but colons stay, since a frame's line never starts with them. */
export function printableSource(text: string): string {
  return text.replace(UNPRINTABLE, escaped).replace(COMMAND_ANYWHERE, "#\\x23");
}

/**
 * Text from the judged tree (names, messages, reasons) on one line and without power over a terminal or a build
 * service. Every string that is not our own passes through here before it is printed.
 */
export function printable(text: string): string {
  return printableSource(text).replace(COMMAND_AT_START, ":\\x3a");
}

function jsonEscaped(character: string): string {
  let escape = "";
  for (let unit = 0; unit < character.length; unit++) escape += `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`;
  return escape;
}

/**
 * Indented JSON with the values that `JSON.stringify` gives (which escapes C0 and lone surrogates), where everything
 * else that a terminal or a build service might obey is written as `\u` escapes too.
 */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(JSON_UNPRINTABLE, jsonEscaped).replace(COMMAND_ANYWHERE, "#\\u0023");
}
