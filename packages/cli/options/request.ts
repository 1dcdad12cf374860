import type { ChangeOptions, CheckOptions } from "@agentgate/engine";
import { Failure, notInThisVersion } from "../failure.ts";
import type { Surroundings } from "../terminal.ts";
import { VERSION } from "../version.ts";
import { outputsOf, type Formats, type OutputTarget } from "./outputs.ts";
import { digestOf, filled, jobsOf, momentOf, oneOf, revisionOf, ruleSeverities, shardOf, type FailOn } from "./values.ts";

/** The options every command takes, as the command line gives them. */
export interface SharedOptions {
  readonly config?: string;
  readonly format: readonly string[];
  readonly output?: string;
  readonly failOn?: string;
  readonly rule: readonly string[];
  readonly strict?: boolean;
  readonly jobs?: string;
  readonly cache: boolean;
  readonly now?: string;
  readonly color: boolean;
  readonly quiet?: boolean;
  readonly all?: boolean;
  /** Only `check` has it. */
  readonly types?: boolean;
}

export interface CheckCommandOptions extends SharedOptions {
  readonly base?: string;
  readonly head?: string;
  readonly staged?: boolean;
  readonly accept?: string;
  readonly reach?: boolean;
  readonly requireChange?: boolean;
  readonly shard?: string;
  readonly stdin?: boolean;
  readonly stdinFilename?: string;
  readonly audit?: string;
}

/** A validated command line. */
export interface Request<F extends string> {
  readonly engine: CheckOptions;
  readonly outputs: readonly OutputTarget<F>[];
  readonly failOn: FailOn;
  readonly color: boolean;
  readonly quiet: boolean;
  readonly all: boolean;
}

/**
 * Reads the shared options.
 *
 * @throws Failure for any value that is not what the option takes
 */
export function requestOf<F extends string>(paths: readonly string[], raw: SharedOptions, formats: Formats<F>, around: Surroundings): Request<F> {
  const output = raw.output === undefined ? null : filled("--output", raw.output);
  return {
    engine: {
      version: VERSION,
      cwd: around.cwd,
      paths: paths.map((path) => filled("a path", path)),
      rules: ruleSeverities(raw.rule),
      strict: raw.strict === true,
      types: raw.types === true,
      ...(raw.cache ? {} : { cache: null }),
      ...(raw.config === undefined ? {} : { config: filled("--config", raw.config) }),
      ...(raw.jobs === undefined ? {} : { jobs: jobsOf(raw.jobs) }),
      ...(raw.now === undefined ? {} : { now: momentOf(raw.now) }),
    },
    outputs: outputsOf(raw.format, output, formats, around.cwd),
    failOn: raw.failOn === undefined ? "error" : oneOf<FailOn>("--fail-on", raw.failOn, ["error", "warning", "never"]),
    color: raw.color,
    quiet: raw.quiet === true,
    all: raw.all === true,
  };
}

/** What a change is compared with and how, or null in tree mode. */
export type ChangeRequest = Omit<ChangeOptions, keyof CheckOptions>;

/**
 * Reads the options of `check` that ask for a change.
 *
 * @throws Failure for a malformed value or a wrong combination
 */
export function changeOf(raw: CheckCommandOptions): ChangeRequest | null {
  const { accept, base, head } = raw;
  if (base === undefined) return null;
  return {
    base: revisionOf("--base", base),
    ...(head === undefined ? {} : { head: revisionOf("--head", head) }),
    ...(accept === undefined ? {} : { accept: digestOf(accept) }),
    staged: raw.staged === true, requireChange: raw.requireChange === true, reach: raw.reach === true, all: raw.all === true,
  };
}

const WHOLE = "Leave it out: this version judges all files that are asked for in one run.";
const NEED_BASE = [["head", "--head"], ["staged", "--staged"], ["requireChange", "--require-change"], ["accept", "--accept"], ["reach", "--reach"]] as const;

/**
 * Refuses what `check` will do later, where doing nothing would look like a verdict. Values are checked first, so
 * that a command line that is accepted later is not refused for its form.
 *
 * @throws Failure for a malformed value, a wrong combination, or an option of a later version
 */
export function refuseLaterOptions(paths: readonly string[], raw: CheckCommandOptions): void {
  checkForms(paths, raw);
  if (raw.shard !== undefined) throw notInThisVersion("--shard", WHOLE);
  if (raw.stdin === true) throw notInThisVersion("--stdin", "Name the file instead: agentgate check FILE.");
}

function checkForms(paths: readonly string[], raw: CheckCommandOptions): void {
  if (raw.accept !== undefined) digestOf(raw.accept);
  if (raw.shard !== undefined) shardOf(raw.shard);
  if (raw.audit !== undefined) filled("--audit", raw.audit);
  if (raw.stdinFilename !== undefined) filled("--stdin-filename", raw.stdinFilename);
  if (raw.staged === true && raw.head !== undefined) {
    throw new Failure("--staged and --head name two different heads", "Leave out one of them.");
  }
  for (const [option, flag] of NEED_BASE) {
    if (raw[option] !== undefined && raw.base === undefined) throw new Failure(`${flag} needs --base`, `Add --base REF, or leave out ${flag}.`);
  }
  if (raw.stdin === true && raw.stdinFilename === undefined) throw new Failure("--stdin needs --stdin-filename", "Say which file the text is: --stdin-filename src/app.py.");
  if (raw.stdinFilename !== undefined && raw.stdin !== true) throw new Failure("--stdin-filename needs --stdin", "Add --stdin, or name the file as a path.");
  if (raw.stdin === true && paths.length > 0) throw new Failure("--stdin judges one text and takes no paths", "Leave out the paths, or --stdin.");
}
