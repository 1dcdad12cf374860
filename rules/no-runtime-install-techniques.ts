import type { Technique } from "./rule.ts";

export const noRuntimeInstallTechniques: readonly Technique[] = [
  { name: "plain-call", summary: "The call as it is usually written.", kind: "true" },
];
