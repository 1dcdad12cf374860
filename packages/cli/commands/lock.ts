import type { LockReport } from "@agentgate/engine/contracts";
import { LOCK_FORMATS } from "../options/policy-formats.ts";
import { requestOf, type SharedOptions } from "../options/request.ts";
import { filled } from "../options/values.ts";
import { counted } from "../render/message.ts";
import { printable, printableJson } from "../render/printable.ts";
import type { Surroundings } from "../terminal.ts";
import { deliverFiles, deliverStandard } from "./deliver.ts";
import { sayFailure } from "./say.ts";

export interface LockCommandOptions extends SharedOptions {
  readonly check?: boolean;
}

/**
 * `agentgate lock`: writes the digests that contracts pin; with `--check` it only says which differ.
 *
 * @returns the exit code: 0, 1 where `--check` finds one that differs, 2 where nothing could be compared or written
 * @throws Failure for a wrong command line
 */
export async function lock(systems: readonly string[], raw: LockCommandOptions, around: Surroundings): Promise<number> {
  const request = requestOf([], raw, LOCK_FORMATS, around);
  const { lockContracts } = await import("@agentgate/engine/contracts");
  const { config, cwd, version } = request.engine;
  const report = lockContracts({ version, cwd, systems: systems.map((system) => filled("a contract", system)), check: raw.check === true, ...(config === undefined ? {} : { config }) });
  const render = (format: string): string => (format === "json" ? `${printableJson(report)}\n` : said(report, raw.check === true));
  const failure = await deliverFiles(around, { outputs: request.outputs, color: request.color, render });
  const problem = report.error ?? failure;
  if (problem !== null) await sayFailure(around, problem);
  await deliverStandard(around, { outputs: request.outputs, color: request.color, render }, request.quiet ? "" : said(report, raw.check === true).trimEnd());
  if (problem !== null) return 2;
  return raw.check === true && report.pins.length > 0 ? 1 : 0;
}

function said({ error, looked, pins }: LockReport, check: boolean): string {
  if (error !== null) return "";
  const lines = pins.map(({ column, key, line, now, of, path, was }) => {
    const place = `${printable(path)}:${line}:${column}: ${printable(key)}`;
    return check ? `${place} is ${short(was)}, and ${printable(of)} is ${short(now)}` : `${place} is now ${short(now)} (${printable(of)})`;
  });
  const last = pins.length === 0 ? `${counted(looked, "digest")} up to date` : `${pins.length} of ${counted(looked, "digest")} ${check ? "differ" : "written"}`;
  return `${[...lines, last].join("\n")}\n`;
}

/** Enough of a digest to tell it from others. */
function short(digest: string): string {
  if (digest.trim() === "") return "blank";
  return digest.length > 16 ? `${printable(digest.slice(0, 12))}…` : printable(digest);
}
