export type { ReachPolicy } from "./apis.ts";
export type { ReachTree } from "./ends.ts";
export { ReachGraph } from "./graph.ts";
export type { ApiLink, Link, ReachNode } from "./graph.ts";
export { ReachModule } from "./modules.ts";
export { REACH_VERSION } from "./record.ts";
export type { ReachEdge, ReachImport, ReachReference, ReachSummary } from "./record.ts";
export { Spread } from "./spread.ts";
export type { Hop } from "./spread.ts";
