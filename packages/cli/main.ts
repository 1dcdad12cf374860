#!/usr/bin/env node
import process from "node:process";
import type { Surroundings } from "./terminal.ts";
import { VERSION } from "./version.ts";

/** The working directory; a folder that was removed meanwhile has none. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    process.stderr.write("agentgate: the working directory no longer exists.\nChange to a folder that does.\n");
    process.exit(2);
  }
}

/** A reader that went away is handled where the text is written; without a listener it would end the process. */
function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** An interrupt takes the progress line away and then ends the process as the shell expects it. */
function leaveTerminalClean(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      if (process.stderr.isTTY && process.env.TERM !== "dumb") process.stderr.write("\r\u001b[K");
      process.kill(process.pid, signal);
    });
  }
}

async function main(argv: readonly string[]): Promise<void> {
  ignoreBrokenPipes();
  if (argv.length === 1 && argv[0] === "--version") {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  leaveTerminalClean();
  const around: Surroundings = { stdout: process.stdout, stderr: process.stderr, stdin: process.stdin, env: process.env, cwd: workingDirectory() };
  const { fail, run } = await import("./run.ts");
  const stray = (error: unknown): void => void fail(error, argv, around).then((code) => process.exit(code));
  process.on("uncaughtException", stray).on("unhandledRejection", stray);
  process.exit(await run(argv, around));
}

await main(process.argv.slice(2));
