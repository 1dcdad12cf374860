/** For suites that judge changes from outside of this workspace. */
export { NOW, lines } from "./check.ts";
export { branched, changeTester, commit, edit } from "./change.ts";
export type { ChangeTester, Edits } from "./change.ts";
export { cloneOf, growBranch } from "./history.ts";
export { addFiles, git, makeTree } from "./tree.ts";
export type { Files } from "./tree.ts";
