import { checkTree, type Finding } from "@agentgate/engine";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The clock of the tests that judge trees. */
export const NOW = new Date("2026-01-31T00:00:00Z");
const worker = new URL("../packages/cli/dist/worker.js", import.meta.url);

/** Writes files into a fresh folder outside the repository, whose own policy must not count, and judges them as a tree. */
export async function judgeFiles(folder: string, files: readonly { readonly path: string; readonly text: string }[]): Promise<readonly Finding[]> {
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file.path)), { recursive: true });
    writeFileSync(path.join(folder, file.path), file.text);
  }
  const report = await checkTree({ version: "0.0.0", cwd: folder, worker, jobs: 1, now: NOW });
  if (report.error !== null) throw new Error(report.error.message);
  return report.findings;
}
