export * from "./rule.ts";
export { CAPABILITIES } from "./catalogue/capability.ts";
export type { Capability, CapabilityEntry } from "./catalogue/capability.ts";
export { classify } from "./catalogue/classify.ts";
export type { ArgumentsView, Classification, Classified } from "./catalogue/classify.ts";
export { CODE_RULES, ENGINE_RULES, RULE_METAS } from "./registry.ts";
