/** A piece of a sentence: our own words, words to stress, or a name of the judged tree. */
export type Piece = string | { readonly strong: string } | { readonly name: string };

/** A name or command of the judged tree: shown as code, whatever it holds. */
export function name(text: string): Piece {
  return { name: text };
}

/** The lists with a separator between every two. */
export function joined(lists: readonly (readonly Piece[])[], separator: string): Piece[] {
  return lists.flatMap((list, index) => (index === 0 ? list : [separator, ...list]));
}

/** `a, b and c`. */
export function listed(lists: readonly (readonly Piece[])[], last = " and "): Piece[] {
  return lists.flatMap((list, index) => [...(index === 0 ? [] : [index === lists.length - 1 ? last : ", "]), ...list]);
}

/** The first few of a list; what is left out is counted. */
export function fewOf<T>(items: readonly T[], most: number, show: (item: T) => readonly Piece[], separator = ", "): Piece[] {
  const shown = joined(items.slice(0, most).map(show), separator);
  return items.length <= most ? shown : [...shown, `${separator}and ${items.length - most} more`];
}

const FIRST = 180;
const LAST = 60;

/** A name that is short enough for a sentence: of a longer one, its beginning and its end. */
export function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= FIRST + LAST) return text;
  return `${characters.slice(0, FIRST).join("")}…${characters.slice(-LAST).join("")}`;
}
