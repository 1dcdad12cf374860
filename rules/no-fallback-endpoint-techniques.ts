import type { Technique } from "./rule.ts";

/** How code goes on with another model or endpoint, and what only looks like it; each has fixtures of its own. */
export const noFallbackEndpointTechniques: readonly Technique[] = [
  { name: "other-model-in-handler", kind: "true", summary: "The handler asks another model." },
];
