import type { Place } from "@agentgate/parsers/contract";
import { type Diagnostic, keyPathOf } from "../contract.ts";
import type { Spot } from "../fields.ts";

/** The items of a list in which a key is there with a bad value, which is reported: it lies between an item and the next one. */
export function itemsReported<T extends Spot>(key: string, items: readonly T[], found: readonly Diagnostic[]): ReadonlySet<T> {
  const ordered = [...items].sort((one, two) => compare(one.at, two.at));
  const reported = found.filter((one) => keyPathOf(one) === key).flatMap(({ at }) => {
    const item = ordered[lastUpTo(ordered, at)];
    return item === undefined ? [] : [item];
  });
  return new Set(reported);
}

/** Index of the last item that begins at a place or before it; -1 for none. */
function lastUpTo(items: readonly Spot[], at: Place): number {
  let low = -1;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (compare(items[middle]!.at, at) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

function compare(one: Place, two: Place): number {
  return one.line - two.line || one.column - two.column;
}
