/** Edit distance with neighbouring swaps (optimal string alignment), on short names only. */
function distance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      let least = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + same);
      const swapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) least = Math.min(least, beforeLast[column - 2]! + 1);
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length]!;
}

/** The known name that was most likely meant, or `null` where none is near. */
export function closest(name: string, known: readonly string[]): string | null {
  const asked = name.slice(0, 64).toLowerCase();
  const parts = known.find((candidate) => asked.length >= 4 && candidate.split("-").join(" ").includes(asked.split("-").join(" ")));
  let best: string | null = parts ?? null;
  let least = best === null ? Math.max(2, Math.floor(asked.length / 3)) + 1 : 1;
  for (const candidate of known) {
    const steps = distance(asked, candidate);
    if (steps >= least) continue;
    best = candidate;
    least = steps;
  }
  return best;
}
