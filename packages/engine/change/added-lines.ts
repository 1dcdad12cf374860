import { diffArrays } from "diff";

/** Beyond this many differing lines an exact answer takes long and tells nobody anything. */
const MOST_EDITS = 1500;

/**
 * The lines of a text, 1-based, that an older text does not have, by the shortest edit between them (Myers, as git
 * shows it). Line ends do not count. All lines where there was no older text.
 */
export function addedLines(before: string | null, after: string): ReadonlySet<number> {
  const now = linesOf(after);
  if (before === null) return new Set(now.map((_, index) => index + 1));
  const old = linesOf(before);
  let start = 0;
  while (start < now.length && start < old.length && now[start] === old[start]) start++;
  let end = 0;
  while (end < now.length - start && end < old.length - start && now[now.length - 1 - end] === old[old.length - 1 - end]) end++;
  return addedBetween(old.slice(start, old.length - end), now.slice(start, now.length - end), start);
}

function addedBetween(old: readonly string[], now: readonly string[], offset: number): ReadonlySet<number> {
  const added = new Set<number>();
  if (now.length === 0) return added;
  const changes = old.length === 0 ? null : (diffArrays([...old], [...now], { maxEditLength: MOST_EDITS }) as ReturnType<typeof diffArrays> | undefined);
  if (changes === null || changes === undefined) {
    const known = new Set(old);
    now.forEach((line, index) => {
      if (!known.has(line)) added.add(offset + index + 1);
    });
    return added;
  }
  let line = offset + 1;
  for (const { added: isAdded, removed, value } of changes) {
    if (removed) continue;
    if (isAdded) for (let index = 0; index < value.length; index++) added.add(line + index);
    line += value.length;
  }
  return added;
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
