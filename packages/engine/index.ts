export * from "./report.ts";
export type { CheckOptions } from "./options.ts";
export { capsOfTree, checkTree, notesOf, sourceOf } from "./check.ts";
