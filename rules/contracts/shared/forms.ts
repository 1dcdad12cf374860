/**
 * The forms of section "Values" as regular expressions: the check and the published schema read the same text, so that
 * they cannot drift apart. All are written for the `u` flag, without any other.
 */

const PLACEHOLDER_WORDS = ["tbd", "todo", "fixme", "n/a", "na", "none", "null", "unknown", "xxx", "changeme"];
const NOBODY = ["ai", "agent", "bot", "copilot", "assistant", "model", "llm", "nobody", "anyone", "everyone"];
const PROSE = ["revert", "restore", "ask", "contact", "see", "roll", "please", "undo", "redeploy"];

/** A word in any case: a schema's pattern has no flag for it. */
function anyCase(word: string): string {
  return word.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function oneOf(words: readonly string[]): string {
  return `(?:${words.map(anyCase).join("|")})`;
}

export const NOT_BLANK = "\\S";
/** A whole value that only holds the place of one. */
export const PLACEHOLDER = `^\\s*(?:${oneOf(PLACEHOLDER_WORDS)}\\s*$|${anyCase("replace")}[_\\-]|<[\\s\\S]*>\\s*$)`;
/** A whole value that names no person or team. */
export const NO_OWNER = `^\\s*@?(?:${oneOf(NOBODY)}\\s*$|#|${anyCase("whoever")})|(?:\\[${anyCase("bot")}\\]|-${anyCase("bot")})\\s*$`;
/** A path that may lie outside of the repository, or mean another place on another machine. */
export const UNSAFE_PATH = "^/|^[A-Za-z]:|[\\\\~$\\u0000]|(?:^|/)\\.\\.(?:/|$)";
/** A text that can be pasted into a shell: no prose and no address. */
export const COMMAND = `^\\s*(?!${oneOf(PROSE)}[,.:;]?(?:\\s|$))(?!\\S*\\p{Lu})(?![a-z][a-z0-9+.\\-]*://\\S*\\s*$)\\S`;
export const ENV_NAME = "^[A-Z_][A-Z0-9_]*$";
export const DIGEST = "^[0-9a-f]{64}$";
export const COMMIT = "^[0-9a-f]{40}$";
export const DATE = "^\\d{4}-\\d{2}-\\d{2}$";
export const TIMESTAMP = "^\\d{4}-\\d{2}-\\d{2}[Tt](?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:[Zz]|[+\\-](?:[01]\\d|2[0-3]):[0-5]\\d)$";

const compiled = new Map<string, RegExp>();

/** Whether a text has a form. */
export function hasForm(form: string, text: string): boolean {
  let pattern = compiled.get(form);
  if (pattern === undefined) compiled.set(form, (pattern = new RegExp(form, "u")));
  return pattern.test(text);
}
