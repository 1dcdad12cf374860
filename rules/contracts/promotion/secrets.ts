import { Lines } from "@agentgate/parsers/contract";
import { type Diagnostic, diagnostic } from "../contract.ts";
import type { GateEvidence } from "./gates.ts";

const CREDENTIALS = [
  { what: "the id of an AWS access key", form: /(?<![A-Za-z0-9])AKIA[0-9A-Z]{16}(?![A-Za-z0-9])/g, isPattern: false },
  { what: "the header of a private key", form: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g, isPattern: true },
];

/** Evidence is committed and read by many: it holds no credential. */
export function checkSecrets(evidence: readonly GateEvidence[]): Diagnostic<"secret-in-evidence">[] {
  return evidence.flatMap(({ path, statements, text }) => {
    const lines = new Lines(text);
    // A key's header among the patterns is what is looked for, and no key.
    const patterns = new Set(statements.filter(({ key }) => key === "patterns").flatMap((one) => one.lines));
    return CREDENTIALS.flatMap(({ form, isPattern, what }) => [...text.matchAll(form)].flatMap(({ 0: found, index }) => {
      const at = lines.place(index, index + found.length);
      if (isPattern && patterns.has(at.line)) return [];
      return [diagnostic("secret-in-evidence", { path, at, key: "credential", value: what }, `This evidence holds ${what}, which everybody can read who reads the repository. Revoke it, and take it out of the history too.`)];
    }));
  });
}
