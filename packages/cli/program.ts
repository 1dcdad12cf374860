import { Command, Option } from "commander";
import type { LockCommandOptions } from "./commands/lock.ts";
import type { PermitCommandOptions } from "./commands/permit.ts";
import { CAPS_FORMATS, CHECK_FORMATS, DIFF_FORMATS, type Formats } from "./options/outputs.ts";
import { BASELINE_FORMATS, LOCK_FORMATS, PERMIT_FORMATS } from "./options/policy-formats.ts";
import type { CheckCommandOptions, SharedOptions } from "./options/request.ts";
import type { VerifyCommandOptions } from "./options/verify-request.ts";
import type { Surroundings } from "./terminal.ts";
import { VERSION } from "./version.ts";

const LATER = "(not in this version)";

type Flag = readonly [flags: string, summary: string];

const CHANGE_OPTIONS: readonly Flag[] = [
  ["--base <ref>", "judge the change since the merge base with this revision, by the policy at its tip"],
  ["--head <rev>", "judge the change up to this revision instead of the working tree"],
  ["--staged", "judge the change up to the index"],
  ["--accept <digest>", "accept exactly the weakening of the gate with this digest"],
  ["--reach", "also follow new calls into other modules of the tree"],
  ["--require-change", "exit 2 when base and head are equal"],
];

/** The options of `check` that are read and checked, and refused until what they ask for is built. */
const LATER_OPTIONS: readonly Flag[] = [
  ["--shard <i/n>", "judge the i-th of n parts"],
  ["--stdin", "judge the text on standard input"],
  ["--stdin-filename <file>", "the file that the text on standard input is"],
];

const EXIT_CODES = `
Exit codes:
  0  nothing at or above --fail-on
  1  findings
  2  could not judge: standard error says why and what to do`;

function formatsIn({ built, later }: Formats<string>): string {
  const known = built.length < 2 ? built.join("") : `${built.slice(0, -1).join(", ")} or ${built.at(-1) ?? ""}`;
  return later.length === 0 ? known : `${known} (${later.join(", ")}: not in this version)`;
}

const collect = (value: string, previous: readonly string[]): string[] => [...previous, value];

function withSharedOptions(command: Command, formats: string): Command {
  return command
    .option("--config <file>", "read the policy from this file instead of the root's agentgate.yml")
    .addOption(new Option("--format <format>", `${formats}; repeatable, also as format=FILE`).argParser(collect).default([], "the first"))
    .option("--output <file>", "write the report to this file instead of standard output")
    .option("--fail-on <level>", "exit 1 from this level: error, warning, never (default: error)")
    .addOption(new Option("--rule <id=severity>", "set a rule to error, warning or off; repeatable").argParser(collect).default([], "none"))
    .option("--strict", "also report fs.read, env.read and tool, writes outside of a gate in every module, and fetch without a signal")
    .option("--jobs <n>", "share the work between this many processes")
    .option("--no-cache", "read every file anew")
    .option("--now <time>", "the clock that expiries see, in ISO 8601")
    .option("--no-color", "no colour, as with NO_COLOR")
    .option("--quiet", "list only what decides the exit code")
    .option("--all", "also list unchanged findings, and every place in full");
}

function addCheck(program: Command, run: (code: Promise<number>) => Promise<void>, around: Surroundings): void {
  const command = program.command("check").description("judge a tree, or with --base what a change adds to it").argument("[path...]", "files and folders; default: the whole tree");
  withSharedOptions(command, formatsIn(CHECK_FORMATS))
    .option("--types", "let TypeScript's checker say what the receivers of calls are; the files' tsconfig.json must lie in the tree")
    .option("--audit <file>", "write the whole report as JSON, with what is permitted and suppressed");
  for (const [flags, summary] of CHANGE_OPTIONS) command.option(flags, summary);
  for (const [flags, summary] of LATER_OPTIONS) command.option(flags, `${summary} ${LATER}`);
  command.addHelpText("after", EXIT_CODES)
    .action((paths: string[], options: CheckCommandOptions) => run(import("./commands/check.ts").then(({ check }) => check(paths, options, around))));
}

function addVerify(program: Command, run: (code: Promise<number>) => Promise<void>, around: Surroundings): void {
  const command = program.command("verify").description("judge contract files and their evidence").argument("[system...]", "contracts, for example eval-gate; default: all that are active");
  withSharedOptions(command, formatsIn(CHECK_FORMATS))
    .option("--head <sha>", "the commit that receipts are compared with; default: HEAD")
    .option("--pushed-at <time>", "when head was pushed; default: its committer time")
    .option("--environment <file>", "the whole environment, as lines NAME=value; default: the environment of the process")
    .option("--env-file <file>", "the same; Node itself reads this file too, NODE_OPTIONS in it included, so name none that a change can edit")
    .option("--base <ref>", `also judge the rules that compare with this revision ${LATER}`)
    .option("--candidate <file>", `judge this generated file ${LATER}`)
    .option("--spec <file>", `the spec of --candidate ${LATER}`)
    .addHelpText("after", EXIT_CODES)
    .action((systems: string[], options: VerifyCommandOptions) => run(import("./commands/verify.ts").then((module) => module.verify(systems, options, around))));
}

function addOthers(program: Command, run: (code: Promise<number>) => Promise<void>, around: Surroundings): void {
  const caps = program.command("caps").description("print what each module can do").argument("[path...]", "files and folders; default: the whole tree");
  withSharedOptions(caps, formatsIn(CAPS_FORMATS))
    .action((paths: string[], options: SharedOptions) => run(import("./commands/caps.ts").then((module) => module.caps(paths, options, around))));
  const diff = program.command("diff").description("print what a change newly can do, as a review comment")
    .argument("<base>", "for example origin/main").argument("[head]", "a revision; default: the working tree");
  withSharedOptions(diff, formatsIn(DIFF_FORMATS))
    .action((base: string, head: string | undefined, options: SharedOptions) => run(import("./commands/diff.ts").then((module) => module.diff(base, head, options, around))));
  const explain = program.command("explain").description("print a rule's page").argument("<rule>", "for example no-invented-io");
  withSharedOptions(explain, "stylish")
    .action((rule: string, options: SharedOptions) => run(import("./commands/explain.ts").then((module) => module.explain(rule, options, around))));
  withSharedOptions(program.command("init").description("write a commented agentgate.yml fitted to the tree; never overwrites"), "stylish")
    .action((options: SharedOptions) => run(import("./commands/init.ts").then((module) => module.init(options, around))));
}

function addPolicyWriters(program: Command, run: (code: Promise<number>) => Promise<void>, around: Surroundings): void {
  const baseline = program.command("baseline").description("record the findings of the tree, so that only what comes on top is reported").argument("[path...]", "none: the whole tree is recorded");
  withSharedOptions(baseline, formatsIn(BASELINE_FORMATS))
    .action((paths: string[], options: SharedOptions) => run(import("./commands/baseline.ts").then((module) => module.baseline(paths, options, around))));
  const permit = program.command("permit").description("write a port into agentgate.yml").argument("<path>", "the module, or a glob").argument("<capability...>", "what it may do, for example net or fs.write");
  withSharedOptions(permit, formatsIn(PERMIT_FORMATS))
    .requiredOption("--owner <owner>", "the person or team that licenses it")
    .requiredOption("--note <text>", "why it needs it")
    .option("--expires <date>", "the last day on which it holds, as 2027-01-31")
    .action((path: string, capabilities: string[], options: PermitCommandOptions) => run(import("./commands/permit.ts").then((module) => module.permit(path, capabilities, options, around))));
}

function addLock(program: Command, run: (code: Promise<number>) => Promise<void>, around: Surroundings): void {
  const command = program.command("lock").description("write the digests that contracts pin").argument("[system...]", "contracts, for example eval-gate; default: all that are active");
  withSharedOptions(command, formatsIn(LOCK_FORMATS))
    .option("--check", "only compare; exit 1 where one differs")
    .action((systems: string[], options: LockCommandOptions) => run(import("./commands/lock.ts").then((module) => module.lock(systems, options, around))));
}

/**
 * The command line. `done` receives the exit code of the command that ran; usage errors are thrown as commander's own
 * errors, everything else as a Failure.
 */
export function programOf(around: Surroundings, done: (code: number) => void): Command {
  const program = new Command("agentgate")
    .description("What can this code do now that it could not do before, and who licensed it?")
    .version(VERSION, "--version", "print the version")
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({ writeOut: (text) => void around.stdout.write(text), writeErr: () => undefined, getOutHelpWidth: () => around.stdout.columns ?? 80 });
  const run = async (code: Promise<number>): Promise<void> => done(await code);
  addCheck(program, run, around);
  addVerify(program, run, around);
  addOthers(program, run, around);
  addPolicyWriters(program, run, around);
  addLock(program, run, around);
  return program;
}
