import type { RuleMeta } from "@agentgate/rules";

/** What code scanning orders and filters alerts by. */
export interface Risk {
  readonly precision: "very-high" | "high" | "medium" | "low";
  /** CVSS-like, 0.1 to 10.0, as text: code scanning refuses a number. */
  readonly score: string;
  /** Numbers of the weaknesses (CWE) that a finding may be. */
  readonly weaknesses: readonly number[];
}

/** Rules that say more than their category does. */
const RISKS: Readonly<Record<string, Risk>> = {
  // Functionality from outside the sphere of control; a covert way out.
  "no-invented-io": { precision: "high", score: "7.5", weaknesses: [829] },
  // Externally chosen code, and code made of text.
  "no-dynamic-import": { precision: "high", score: "7.5", weaknesses: [94, 470] },
  // A protection mechanism that fails.
  "gate-weakened": { precision: "very-high", score: "8.9", weaknesses: [693] },
};

const BY_CATEGORY: Readonly<Record<RuleMeta["category"], Risk>> = {
  code: { precision: "high", score: "6.5", weaknesses: [710] },
  // What was not judged may do anything.
  input: { precision: "very-high", score: "7.0", weaknesses: [693] },
  policy: { precision: "very-high", score: "3.5", weaknesses: [1188] },
};

export function riskOf({ category, id }: Pick<RuleMeta, "category" | "id">): Risk {
  return (Object.hasOwn(RISKS, id) ? RISKS[id] : undefined) ?? BY_CATEGORY[category];
}

/** At most ten, each once: code scanning reads no more. */
export function tagsOf(risk: Risk): string[] {
  return ["security", ...risk.weaknesses.map((weakness) => `external/cwe/cwe-${String(weakness).padStart(3, "0")}`)];
}
