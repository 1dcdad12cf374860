import type { Failure } from "../failure.ts";
import type { OutputTarget } from "../options/outputs.ts";
import { printable } from "../render/printable.ts";
import { writeReport, writeTo } from "../sink.ts";
import { lookOf, PIPE, type Look, type Surroundings } from "../terminal.ts";

export interface Delivery<F extends string> {
  readonly outputs: readonly OutputTarget<F>[];
  readonly color: boolean;
  readonly render: (format: F, look: Look) => string;
}

/** Writes the reports that go to files. Every one is tried; the first failure is returned. */
export async function deliverFiles<F extends string>(around: Surroundings, { outputs, render }: Delivery<F>): Promise<Failure | null> {
  let failed: Failure | null = null;
  for (const { format, file } of outputs) {
    if (file === null) continue;
    const failure = await writeReport(around.cwd, file, render(format, PIPE));
    failed ??= failure;
  }
  return failed;
}

/**
 * Writes the report that goes to standard output. Where there is none, `summary` is said on standard error, so that a
 * run is never silent.
 */
export async function deliverStandard<F extends string>(around: Surroundings, { outputs, color, render }: Delivery<F>, summary: string): Promise<void> {
  const standard = outputs.find(({ file }) => file === null);
  if (standard !== undefined) return writeTo(around.stdout, render(standard.format, lookOf(around.stdout, around.env, color)));
  if (summary === "") return;
  const files = outputs.map(({ file }) => printable(file ?? ""));
  await writeTo(around.stderr, `agentgate: ${summary} · written to ${files.join(", ")}\n`);
}
