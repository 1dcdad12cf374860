import type { Finding } from "@agentgate/engine";

const RULE = "gate-weakened";
const DIGEST = /\b[0-9a-f]{64}\b/;
const BETWEEN_SENTENCES = /(?<=[.?!]) /;

function digestOf({ message, rule }: Finding): string | null {
  return rule === RULE ? (DIGEST.exec(message)?.[0] ?? null) : null;
}

/**
 * The line that says once how a weakened gate is accepted; null where nothing is to be accepted, or where findings
 * name several digests (then each keeps its own).
 */
export function acceptanceOf(findings: readonly Finding[]): string | null {
  const digests = findings.map(digestOf).filter((digest) => digest !== null);
  const [digest] = digests;
  if (digest === undefined || new Set(digests).size > 1) return null;
  const what = digests.length === 1 ? "this weakening" : `these ${digests.length} weakenings`;
  return `accept  whoever owns the gate accepts exactly ${what} of it with --accept ${digest}`;
}

/** The finding without the sentence that names the digest; as it was where nothing else would be left. */
export function withoutDigest(finding: Finding): Finding {
  if (digestOf(finding) === null) return finding;
  const sentences = finding.message.split(BETWEEN_SENTENCES).filter((sentence) => !DIGEST.test(sentence));
  return sentences.length === 0 ? finding : { ...finding, message: sentences.join(" ") };
}
