export * from "./report.ts";
export type { ChangeOptions, CheckOptions } from "./options.ts";
export { capsOfTree, checkTree, notesOf, sourceOf } from "./check.ts";
export { publishedSchema } from "./policy/schema.ts";
export { DEFAULT_EXCLUDE } from "./discovery/exclude.ts";
export { findRoot, POLICY_FILE } from "./discovery/root.ts";
