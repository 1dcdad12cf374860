export { runGit, splitAtNul } from "./git/run.ts";
export type { GitOutput } from "./git/run.ts";
