import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** One cache for a test run, and none of the user's: what tests start finds it in its environment. */
export function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), "agentgate-cache-"));
  process.env["AGENTGATE_CACHE_DIR"] = folder;
  return () => { rmSync(folder, { recursive: true, force: true }); };
}
