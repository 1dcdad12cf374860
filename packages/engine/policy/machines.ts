import data from "./machine-names.json" with { type: "json" };

const WORDS = listed(data.words);
const BESIDE = listed(data.beside);
const NAMES = listed(data.names);

/** A version or a size: `5`, `v4`, `4o`, `70b`. */
const VERSION = /^v?\d+[a-z]?$/;

/** Whether a name is that of a machine, or of nobody: what counts is its words, and a further name makes a person of it. */
export function isMachine(name: string): boolean {
  const text = name.normalize("NFKC");
  if (/\[bot\]$|[-_ ]bot$/i.test(text.trim())) return true;
  // `ClaudeCode` is two words, `GitHub` is one.
  return [text, text.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")].some((spelling) => isMachineByWords(wordsOf(spelling)));
}

function isMachineByWords(words: readonly string[]): boolean {
  if (NAMES.has(words.join(" "))) return true;
  return words.some((word) => WORDS.has(word)) && words.every((word) => WORDS.has(word) || BESIDE.has(word) || VERSION.test(word));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

function listed(groups: readonly { readonly words: readonly string[] }[]): ReadonlySet<string> {
  return new Set(groups.flatMap(({ words }) => words));
}
