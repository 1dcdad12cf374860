import type { PermitReport } from "@agentgate/engine";
import { Failure } from "../failure.ts";
import { PERMIT_FORMATS } from "../options/policy-formats.ts";
import { requestOf, type SharedOptions } from "../options/request.ts";
import { closest } from "../options/suggest.ts";
import { filled } from "../options/values.ts";
import { printable, printableJson } from "../render/printable.ts";
import type { Surroundings } from "../terminal.ts";
import { deliverFiles, deliverStandard } from "./deliver.ts";
import { sayFailure, sayNotes } from "./say.ts";

export interface PermitCommandOptions extends SharedOptions {
  readonly owner: string;
  readonly note: string;
  readonly expires?: string;
}

/**
 * `agentgate permit`: writes a port into the policy file.
 *
 * @returns the exit code: 0, or 2 where nothing was written
 * @throws Failure for a wrong command line
 */
export async function permit(path: string, capabilities: readonly string[], raw: PermitCommandOptions, around: Surroundings): Promise<number> {
  const request = requestOf([], raw, PERMIT_FORMATS, around);
  const engine = await import("@agentgate/engine");
  for (const capability of capabilities) checkCapability(capability, engine.PORT_CAPABILITIES);
  const { version, cwd, config, now } = request.engine;
  const report = await engine.writePermit({
    version, cwd, path: filled("the path", path), capabilities, owner: filled("--owner", raw.owner), note: filled("--note", raw.note),
    ...(raw.expires === undefined ? {} : { expires: raw.expires }), ...(config === undefined ? {} : { config }), ...(now === undefined ? {} : { now }),
  });
  const render = (format: string): string => (format === "json" ? `${printableJson(report)}\n` : said(report));
  const delivery = { outputs: request.outputs, color: request.color, render };
  const problem = report.error ?? (await deliverFiles(around, delivery));
  if (problem !== null) await sayFailure(around, problem);
  else if (!request.quiet) await sayNotes(around, report.notes);
  await deliverStandard(around, delivery, request.quiet ? "" : said(report).split("\n", 1)[0]!);
  return problem === null ? 0 : 2;
}

function checkCapability(capability: string, known: readonly string[]): void {
  if (known.includes(capability)) return;
  const message = `there is no capability "${printable(capability)}"`;
  if (capability.includes(",")) throw new Failure(message, "Set capabilities apart by blanks: net fs.write.");
  const near = closest(capability, known);
  throw new Failure(message, near === null ? `The capabilities are: ${known.join(", ")}.` : `Did you mean ${near}?`);
}

const COUNTS = "A change is judged by the policy of its base: this licence counts once it is there, and a change that brings it is reported by gate-weakened.";

function said({ path, port, written }: PermitReport): string {
  if (port === null) return "";
  const place = `${printable(path)}:${port.line}`;
  if (written === "unchanged") return `${place} licenses that already, owner ${printable(port.owner)}\n`;
  const until = port.expires === null ? "" : `, until ${port.expires}`;
  return `wrote ${place}: ${printable(port.path)} may use ${port.capabilities.join(", ")}, owner ${printable(port.owner)}${until}\n${COUNTS}\n`;
}
