import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import type { EvasionLanguage } from "../../tools/fixtures/evasion.ts";
import { COMMANDS, type PeerCommand, type Places } from "./commands.ts";
import type { PeerFinding } from "./outputs.ts";

/** What a tool said of all techniques of a language, and how long it took. */
export interface Answer {
  readonly findings: readonly PeerFinding[];
  readonly seconds: number;
}

/**
 * Runs one peer over the folder of a language.
 * @throws Error where it wrote no report: silence would be counted in its favour for every look-alike.
 */
export function ask(name: string, places: Places, language: EvasionLanguage, root: string): Answer {
  const commands = COMMANDS[name];
  if (commands === undefined) throw new Error(`commands.ts does not say how to run ${name}`);
  const start = process.hrtime.bigint();
  const findings = commands(places, language).flatMap((command) => reported(command, root));
  return { findings, seconds: Number(process.hrtime.bigint() - start) / 1e9 };
}

function reported({ command, args, environment, report, read }: PeerCommand, root: string): PeerFinding[] {
  const run = spawnSync(command, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 30, env: { ...process.env, NO_COLOR: "1", ...environment } });
  if (report !== undefined && !existsSync(report)) throw new Error(run.stderr.slice(-2000));
  const text = report === undefined ? run.stdout : readFileSync(report, "utf8");
  if (text.trim() === "") throw new Error(run.stderr.slice(-2000));
  return read(text, root);
}
