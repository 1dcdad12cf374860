import { PREFIX } from "./rename.ts";

interface Judged {
  readonly rule: string;
  readonly severity: string;
  readonly capability: string | null;
  readonly api: string | null;
  readonly message: string;
}

/**
 * What was judged, without where: as sorted lines. `no-invented-io` names the first of the APIs of a class and warns of
 * the others; where the order changes (`reordered`), its classes alone are compared.
 */
export function verdictOf(findings: readonly Judged[], reordered = false): readonly string[] {
  if (reordered) return [...new Set(findings.map((one) => (one.rule === "no-invented-io" ? `${one.rule} ${one.capability ?? "-"}` : verdictOf([one])[0]!)))].sort();
  return findings.map(({ rule, severity, capability, api, message }) =>
    [rule, severity, capability ?? "-", api ?? "-", message].join(" ").replaceAll(PREFIX, "").replace(/\b(lines?) \d+(?:(?:, | and )\d+)*/g, "$1 N")).sort();
}
