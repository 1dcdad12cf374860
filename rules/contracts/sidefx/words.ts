/** An upper-case letter begins a word of its own in `logOnly`. */
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[\p{Lo}\p{Lm}]+/gu;
const WHOLE = /[\p{L}\p{N}]+/gu;

function wordsOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([word]) => word.toLowerCase());
}

/** The beginning of a word, so that each of its forms counts, or those of two words side by side. */
export type Mention = readonly [beginning: string] | readonly [first: string, second: string];

/** The first of the given words that a text mentions, also as a part of a name; null for none. */
export function mentioned(text: string, mentions: readonly Mention[]): string | null {
  return firstOf(wordsOf(text, WHOLE), mentions) ?? firstOf(wordsOf(text, PART), mentions);
}

function firstOf(words: readonly string[], mentions: readonly Mention[]): string | null {
  for (const [index, word] of words.entries()) {
    const next = words[index + 1] ?? "";
    const hit = mentions.find(([first, second]) => word.startsWith(first) && (second === undefined || next.startsWith(second)));
    if (hit !== undefined) return hit.length === 1 ? word : `${word} ${next}`;
  }
  return null;
}

/** Whether a text has a word, also as a part of a name. */
export function hasWord(text: string, word: string): boolean {
  return wordsOf(text, WHOLE).includes(word) || wordsOf(text, PART).includes(word);
}
