import type { Edit } from "web-tree-sitter";

/** Only its fields are read: the class itself is loaded with the WebAssembly. */
type Change = Pick<Edit, "startIndex" | "oldEndIndex" | "newEndIndex" | "startPosition" | "oldEndPosition" | "newEndPosition">;

/** The one change that makes `after` of `before`: all between what both begin with and what both end with. */
export function editBetween(before: string, after: string): Change {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let same = 0;
  while (same < shorter - start && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)) same++;
  const [oldEnd, newEnd] = [before.length - same, after.length - same];
  return {
    startIndex: start, oldEndIndex: oldEnd, newEndIndex: newEnd,
    startPosition: pointAt(after, start), oldEndPosition: pointAt(before, oldEnd), newEndPosition: pointAt(after, newEnd),
  };
}

function pointAt(text: string, offset: number): Edit["startPosition"] {
  let row = 0;
  let line = 0;
  for (let end = text.indexOf("\n"); end >= 0 && end < offset; end = text.indexOf("\n", line)) {
    row++;
    line = end + 1;
  }
  return { row, column: offset - line };
}
