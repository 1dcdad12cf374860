/**
 * The items that have the key of an earlier one, each with the first of that key, in their order. An item without a key
 * repeats none.
 */
export function repeats<T>(items: readonly T[], keyOf: (item: T) => unknown): (readonly [again: T, first: T])[] {
  const first = new Map<unknown, T>();
  return items.flatMap((item): (readonly [T, T])[] => {
    const key = keyOf(item);
    if (key === undefined) return [];
    const before = first.get(key);
    if (before === undefined) first.set(key, item);
    return before === undefined ? [] : [[item, before]];
  });
}
