import type { CheckOptions } from "../options.ts";

/** What `verifyContracts` is told. */
export interface VerifyOptions extends Pick<CheckOptions, "version" | "cwd" | "config" | "rules" | "now"> {
  /** Contracts to judge; each is then required. Empty: all that are active. */
  readonly systems: readonly string[];
  /** Full commit id to compare with instead of HEAD. */
  readonly head?: string;
  /** When head was pushed; default: the committer time of head. */
  readonly pushedAt?: Date;
  /** The whole environment that contracts may ask about. */
  readonly environment: ReadonlyMap<string, string>;
}
