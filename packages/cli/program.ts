import { Command, Option } from "commander";
import { laterCommand, LATER_COMMANDS } from "./commands/later.ts";
import type { CheckCommandOptions, SharedOptions } from "./options/request.ts";
import type { Surroundings } from "./terminal.ts";
import { VERSION } from "./version.ts";

const collect = (value: string, previous: readonly string[]): string[] => [...previous, value];

function withSharedOptions(command: Command, formats: string): Command {
  return command
    .option("--config <file>", "read the policy from this file instead of the root's agentgate.yml")
    .addOption(new Option("--format <format>", `${formats}; repeatable, also as format=FILE`).argParser(collect).default([], "the first"))
    .option("--output <file>", "write the report to this file instead of standard output")
    .option("--fail-on <level>", "exit 1 from this level: error, warning, never (default: error)")
    .addOption(new Option("--rule <id=severity>", "set a rule to error, warning or off; repeatable").argParser(collect).default([], "none"))
    .option("--strict", "also report fs.read, env.read and tool")
    .option("--jobs <n>", "share the work between this many processes")
    .option("--no-cache", "read every file anew")
    .option("--now <time>", "the clock that expiries see, in ISO 8601")
    .option("--no-color", "no colour, as with NO_COLOR")
    .option("--quiet", "list only what decides the exit code")
    .option("--all", "also list unchanged findings, and every place in full");
}

function addCheck(program: Command, run: (code: Promise<number>) => Promise<void>, around: Surroundings): void {
  const command = program.command("check").description("judge code").argument("[path...]", "files and folders; default: the whole tree");
  withSharedOptions(command, "stylish, json, sarif, github, gitlab, junit, markdown or agent")
    .option("--base <ref>", "judge the change since this revision")
    .option("--head <rev>", "judge the change up to this revision instead of the working tree")
    .option("--staged", "judge the change up to the index")
    .option("--accept <digest>", "accept exactly the weakening of the gate with this digest")
    .option("--reach", "also follow calls into other modules of the tree")
    .option("--types", "also use TypeScript's types")
    .option("--require-change", "exit 2 when base and head are equal")
    .option("--shard <i/n>", "judge the i-th of n parts")
    .option("--stdin", "judge the text on standard input")
    .option("--stdin-filename <file>", "the file that the text on standard input is")
    .option("--audit <file>", "write the whole report as JSON, with what is permitted and suppressed")
    .action((paths: string[], options: CheckCommandOptions) => run(import("./commands/check.ts").then(({ check }) => check(paths, options, around))));
}

function addOthers(program: Command, run: (code: Promise<number>) => Promise<void>, around: Surroundings): void {
  const caps = program.command("caps").description("print what each module can do").argument("[path...]", "files and folders; default: the whole tree");
  withSharedOptions(caps, "table, json or html")
    .action((paths: string[], options: SharedOptions) => run(import("./commands/caps.ts").then((module) => module.caps(paths, options, around))));
  const explain = program.command("explain").description("print a rule's page").argument("<rule>", "for example no-invented-io");
  withSharedOptions(explain, "stylish")
    .action((rule: string, options: SharedOptions) => run(import("./commands/explain.ts").then((module) => module.explain(rule, options, around))));
  withSharedOptions(program.command("init").description("write a commented agentgate.yml fitted to the tree; never overwrites"), "stylish")
    .action((options: SharedOptions) => run(import("./commands/init.ts").then((module) => module.init(options, around))));
}

function addLater(program: Command): void {
  for (const { name, summary } of LATER_COMMANDS) {
    program.command(name).description(`${summary} (not in this version)`).argument("[argument...]").allowUnknownOption()
      .action(() => {
        throw laterCommand(name);
      });
  }
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
  addOthers(program, run, around);
  addLater(program);
  return program;
}
