export { verifyContracts } from "./verify.ts";
export type { VerifyOptions } from "./options.ts";
