import type { Technique } from "./rule.ts";

/** How a write comes to have another key each time, and what only looks like it; each has fixtures of its own. */
export const noFreshIdempotencyKeyTechniques: readonly Technique[] = [
  { name: "made-in-the-loop", kind: "true", summary: "A loop of attempts makes the key in each round." },
];
