import type { Technique } from "./rule.ts";

/** How an effect comes to be repeated without end, and what only looks like it; each has fixtures of its own. */
export const noUnboundedLoopTechniques: readonly Technique[] = [
  { name: "no-bound", kind: "true", summary: "A loop without end, which only a good answer leaves." },
  { name: "finite-walk", kind: "look-alike", summary: "A loop over things that are there." },
];
