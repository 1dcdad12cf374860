import type { Technique } from "./rule.ts";
export const requireTimeoutTechniques: readonly Technique[] = [
  { name: "plain-call", summary: "The call as it is usually written.", kind: "true" },
];
