import type { TreePath } from "../paths.ts";
import type { Difference } from "./change.ts";
import type { GrepEach } from "./importers.ts";

/** Files of a change beyond which a side is searched by itself: those that differ are looked into one by one. */
const MOST_CHANGED = 100;

/** A search that keeps what it found for each text. */
export function keptSearch(search: GrepEach): GrepEach {
  const known = new Map<string, readonly TreePath[]>();
  return async (words) => {
    const unknown = [...new Set(words)].filter((word) => !known.has(word));
    const found = unknown.length === 0 ? new Map<string, readonly TreePath[]>() : await search(unknown);
    if (found === null) return null;
    for (const word of unknown) known.set(word, found.get(word) ?? []);
    return new Map(words.map((word) => [word, known.get(word)!]));
  };
}

/**
 * A search of the base by what was found at head: files that are the same hold the same, and those that differ may hold
 * anything. `own` searches the base itself, for changes of many files.
 */
export function searchByHead(atHead: GrepEach, own: GrepEach, difference: () => Difference | null): GrepEach {
  return async (words) => {
    const files = difference()?.files;
    if (files === undefined || files.length > MOST_CHANGED) return own(words);
    const found = await atHead(words);
    if (found === null) return null;
    const changed = new Set(files.flatMap(({ path, basePath }) => (basePath === null ? [path] : [path, basePath])));
    const before = files.flatMap(({ basePath }) => basePath ?? []);
    return new Map(words.map((word) => [word, [...(found.get(word) ?? []).filter((path) => !changed.has(path)), ...before]]));
  };
}
