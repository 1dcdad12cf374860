export * from "./rule.ts";
export { CAPABILITIES, capabilityTable } from "./catalogue/capability.ts";
export type { Capability, CapabilityEntry, CapabilityRow } from "./catalogue/capability.ts";
export { asWritten, classify, isException, isPureMember } from "./catalogue/classify.ts";
export { distinctiveTail, sendsMutatingVerb } from "./catalogue/tails.ts";
export type { ArgumentsView, Classification, Classified } from "./catalogue/classify.ts";
export { CODE_RULES, ENGINE_RULES, RULE_METAS } from "./registry.ts";
