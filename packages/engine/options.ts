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
  /** Where facts are kept between runs: a folder, or null for nowhere (`--no-cache`). Default: the user's cache folder. */
  readonly cache?: string | null;
  /** `--types`: TypeScript's checker decides what the receivers of calls are. */
  readonly types?: boolean;
  /** Called as files are done; for a progress line. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** What `checkChange` and `diffOfChange` are told beyond `CheckOptions`. */
export interface ChangeOptions extends CheckOptions {
  /** `--base`: the ref whose merge base with head is the base of the change, and whose tip holds the policy. */
  readonly base: string;
  /** `--head`: a revision instead of the working tree. */
  readonly head?: string;
  /** `--staged`: the index instead of the working tree. */
  readonly staged?: boolean;
  /** `--accept`: the digest of the weakenings that are accepted, 64 lower-case hex digits. */
  readonly accept?: string;
  /** `--require-change`: a base equal to head is an error. */
  readonly requireChange?: boolean;
  /** `--reach`: also follow calls into other modules of the tree. */
  readonly reach?: boolean;
  /** Milliseconds that git may take to answer one question. Default 120,000. */
  readonly gitTimeout?: number;
  /** `--all`: `findings` also lists unchanged ones, with `baseline: "unchanged"`. */
  readonly all?: boolean;
}
