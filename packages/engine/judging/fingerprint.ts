import { createHash } from "node:crypto";
import type { ModuleFacts } from "@agentgate/parsers";
import type { RuleFinding } from "@agentgate/rules";
import { normalisedStatement } from "./tokens.ts";

/** Version of the algorithm; a stored fingerprint is compared only with its own. */
export const FINGERPRINT_VERSION = 1;

const digests = new WeakMap<ModuleFacts, Map<number, string>>();

/**
 * What makes a finding the same finding in another revision: SHA-256 over rule, capability, the rule's key and (the
 * SHA-256 of) the statement around it with locals numbered, comments and layout dropped. No path, line or enclosing
 * name.
 */
export function fingerprintOf(rule: string, finding: Pick<RuleFinding, "capability" | "key" | "statement">, facts: ModuleFacts, text: string): string {
  return hash([rule, finding.capability ?? "", finding.key, statementDigest(finding.statement, facts, text)]);
}

/** Each statement once: a long one may hold many findings. */
function statementDigest(statement: number, facts: ModuleFacts, text: string): string {
  const known = digests.get(facts) ?? new Map<number, string>();
  digests.set(facts, known);
  let digest = known.get(statement);
  if (digest === undefined) {
    const span = facts.statements[statement];
    digest = hash([span === undefined ? "" : normalisedStatement(facts, text, span)]);
    known.set(statement, digest);
  }
  return digest;
}

/** The fingerprint of a finding about the policy or a file as a whole. */
export function plainFingerprint(rule: string, key: string): string {
  return hash([rule, "", key, ""]);
}

function hash(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify([FINGERPRINT_VERSION, ...parts])).digest("hex");
}
