import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The built worker: beside the command, or one folder up from a chunk of it. Null where the installation lacks it. */
export function findWorker(): URL | null {
  const candidates = [new URL("./worker.js", import.meta.url), new URL("../worker.js", import.meta.url)];
  return candidates.find((candidate) => existsSync(fileURLToPath(candidate))) ?? null;
}
