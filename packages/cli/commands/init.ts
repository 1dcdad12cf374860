import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Failure } from "../failure.ts";
import { surveyOf } from "../init/survey.ts";
import { policyText } from "../init/template.ts";
import { TEXT_FORMATS } from "../options/outputs.ts";
import { requestOf, type SharedOptions } from "../options/request.ts";
import { startProgress } from "../progress.ts";
import { printable } from "../render/printable.ts";
import { reasonOf, writeTo } from "../sink.ts";
import type { Surroundings } from "../terminal.ts";

/**
 * `agentgate init`: writes a commented policy file fitted to the tree. `--config` or `--output` name another place.
 *
 * @throws Failure where the file is there already, where it cannot be written, and where the tree cannot be read
 */
export async function init(raw: SharedOptions, around: Surroundings): Promise<number> {
  const request = requestOf([], raw, TEXT_FORMATS, around);
  const engine = await import("@agentgate/engine");
  const { folder } = engine.findRoot(around.cwd);
  const file = path.resolve(around.cwd, raw.output ?? raw.config ?? path.join(folder, engine.POLICY_FILE));
  const shown = printable(path.relative(around.cwd, file));
  if (existsSync(file)) throw alreadyThere(shown);
  const progress = startProgress(around, !request.quiet);
  try {
    // The file it names is the one to be written, not one to be read.
    const { config: _config, ...options } = request.engine;
    const caps = await engine.capsOfTree({ ...options, cwd: folder, onProgress: progress.report });
    if (caps.error !== null) throw new Failure(caps.error.message, caps.error.hint);
    await create(file, policyText(surveyOf(caps)), shown);
  } finally {
    progress.stop();
  }
  await writeTo(around.stdout, `wrote ${shown}: name the ports that may do I/O, then run agentgate check\n`);
  return 0;
}

function alreadyThere(shown: string): Failure {
  return new Failure(`${shown} is there already and is never overwritten`, "Edit it, or move it away and run agentgate init again.");
}

async function create(file: string, text: string, shown: string): Promise<void> {
  try {
    // Exclusive: neither a file that appeared meanwhile nor what a link points at is overwritten.
    await writeFile(file, text, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw alreadyThere(shown);
    throw new Failure(`cannot write ${shown}: ${reasonOf(error)}`, "Run it where the root of the tree may be written.");
  }
}
