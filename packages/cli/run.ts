import { CommanderError } from "commander";
import { emptyCaps, emptyReport } from "./commands/empty.ts";
import { sayFailure } from "./commands/say.ts";
import { asFailure, Failure } from "./failure.ts";
import { programOf } from "./program.ts";
import { printableJson } from "./render/printable.ts";
import { writeTo } from "./sink.ts";
import type { Surroundings } from "./terminal.ts";

/** Runs one command line (without the names of node and the script). Never rejects; returns the exit code. */
export async function run(argv: readonly string[], around: Surroundings): Promise<number> {
  let code = 0;
  try {
    await programOf(around, (result) => (code = result)).parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return fail(error, argv, around);
  }
}

/** Says why nothing was judged: two lines on standard error, and the document where one was asked for. */
export async function fail(error: unknown, argv: readonly string[], around: Surroundings): Promise<2> {
  const failure = error instanceof CommanderError ? usageFailure(error, argv) : asFailure(error);
  await sayFailure(around, failure);
  if (wantsJson(argv)) await writeTo(around.stdout, `${printableJson(documentOf(argv, failure))}\n`);
  return 2;
}

const SUGGESTION = /\s*\(Did you mean ([^)]*)\?\)$/;

function usageFailure({ code, message }: CommanderError, argv: readonly string[]): Failure {
  if (code === "commander.help") return new Failure("no command given", "Run agentgate check, or agentgate --help for all commands.");
  const said = message.replace(/^error: /, "");
  const meant = SUGGESTION.exec(said)?.[1];
  const command = argv[0] !== undefined && /^[a-z]+$/.test(argv[0]) && code !== "commander.unknownCommand" ? `${argv[0]} ` : "";
  return new Failure(said.replace(SUGGESTION, ""), meant === undefined ? `See agentgate ${command}--help.` : `Did you mean ${meant}?`);
}

function documentOf(argv: readonly string[], failure: Failure): object {
  const [command] = argv;
  if (command === "caps" || command === "diff") return emptyCaps(failure);
  if (command === "verify") return emptyReport(failure, "verify");
  return emptyReport(failure, optionsIn(argv).some((option) => option === "--base" || option.startsWith("--base=")) ? "change" : "tree");
}

/** The words before `--`: what follows it are paths. */
function optionsIn(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end < 0 ? argv : argv.slice(0, end);
}

/** Whether standard output is to be a JSON document, read without the parser: the command line may be wrong. */
function wantsJson(argv: readonly string[]): boolean {
  const options = optionsIn(argv);
  if (options.some((option) => option === "--output" || option.startsWith("--output="))) return false;
  return options.some((option, index) => option === "--format=json" || (option === "--format" && options[index + 1] === "json"));
}
