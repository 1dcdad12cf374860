export * from "./contract.ts";
export * from "./judge.ts";
export { rulesOf } from "./generic.ts";
export type { ContractRule } from "./generic.ts";
export { CONTRACT_SYSTEMS, contractSystem } from "./registry.ts";
export { schemaOf } from "./json-schema.ts";
export type { Field, Fields } from "./fields.ts";
export { checkStructure } from "./structure.ts";
export { parseDocument } from "./evidence.ts";
