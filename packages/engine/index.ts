export * from "./report.ts";
export type { ChangeOptions, CheckOptions } from "./options.ts";
export { capsOfTree, checkTree, notesOf, sourceOf } from "./check.ts";
export { publishedSchema } from "./policy/schema.ts";
export { DEFAULT_EXCLUDE } from "./discovery/exclude.ts";
export { findRoot, POLICY_FILE } from "./discovery/root.ts";
export { BASELINE_FILE } from "./policy/baseline.ts";
export { writeBaseline } from "./policy/baseline-write.ts";
export type { BaselineReport } from "./policy/baseline-write.ts";
