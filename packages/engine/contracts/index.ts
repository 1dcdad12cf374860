export { verifyContracts } from "./verify.ts";
export type { VerifyOptions } from "./options.ts";
export { lockContracts } from "./lock.ts";
export type { LockOptions, LockReport, LockedPin } from "./lock.ts";
