import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import path from "node:path";
import { readText } from "@agentgate/engine/policy-text";
import { findRoot, POLICY_FILE } from "@agentgate/engine/root";

/**
 * What ESLint's cache must see: what it keeps for a file does not hold under another policy. Empty where there is none; of one
 * that is not read, such as a link out of the tree, the reason.
 */
export function policyHash(): Readonly<Record<string, unknown>> {
  try {
    const { folder } = findRoot(process.cwd());
    const file = path.join(folder, POLICY_FILE);
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return {};
    const text = readText(file, folder);
    return { policyHash: createHash("sha256").update(typeof text === "string" ? text : text.reason).digest("hex") };
  } catch {
    // A folder that is gone or closed has no policy to look at; the session says so.
    return {};
  }
}
