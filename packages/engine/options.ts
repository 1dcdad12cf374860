import type { Severity } from "@agentgate/rules";

/** What `checkTree` and `capsOfTree` are told. Everything that a run depends on is here; nothing is read from globals. */
export interface CheckOptions {
  /** Version of the published command, for `tool.version`. */
  readonly version: string;
  /** Absolute. Paths below are relative to it, and the root is looked for from it upward. */
  readonly cwd: string;
  /** Files and folders to judge, as given on the command line. Empty: the whole tree. */
  readonly paths?: readonly string[];
  /** Path of a policy file that replaces the root's `agentgate.yml`, relative to `cwd`; never moves the root. */
  readonly config?: string;
  /** `--strict`: as `strict: true` in the policy. */
  readonly strict?: boolean;
  /** `--rule id=severity`, by rule id. Wins over the policy. */
  readonly rules?: Readonly<Record<string, Severity | "off">>;
  /** Child processes at most; default: the processors at hand, at most 8. Results do not depend on it. */
  readonly jobs?: number;
  /** The clock that expiries see. Default: now. */
  readonly now?: Date;
  /** The built worker (`packages/engine/worker.ts`). Default: `worker.js` beside this module or one folder up. */
  readonly worker?: URL;
  /** Milliseconds that one file may take to parse. Default 5,000. */
  readonly timeout?: number;
  /** Called as files are done; for a progress line. */
  readonly onProgress?: (done: number, total: number) => void;
}
