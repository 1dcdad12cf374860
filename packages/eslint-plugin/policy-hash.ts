import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { findRoot, POLICY_FILE } from "@agentgate/engine/root";
import path from "node:path";

/** What ESLint's cache must see: what it keeps for a file does not hold under another policy. Empty where there is none. */
export function policyHash(): Readonly<Record<string, unknown>> {
  try {
    const text = readFileSync(path.join(findRoot(process.cwd()).folder, POLICY_FILE));
    return { policyHash: createHash("sha256").update(text).digest("hex") };
  } catch {
    return {};
  }
}
