import { positionAt } from "@agentgate/parsers";
import type { Acquired } from "@agentgate/rules";
import type { Suppression } from "../judging/suppressions.ts";
import type { PolicyPort } from "../policy/policy.ts";
import type { Finding, License, LicensedFinding } from "../report.ts";
import type { View } from "./view.ts";

/** A port as what licensed a finding. `path` is the policy's. */
export function licenceOf(port: PolicyPort, path: string): License {
  return { kind: "port", path, line: port.line, owner: port.owner, note: port.note };
}

/** A finding with the directive that speaks for it. */
export function suppressedBy(finding: Finding, suppression: Suppression): LicensedFinding {
  return { ...finding, by: { kind: "suppression", path: finding.path, line: suppression.line, owner: suppression.owner, note: suppression.reason } };
}

/** The directive that speaks for a capability: it stands where the finding would stand in a tree. */
export function suppressionFor({ module, suppressions }: View, { sites }: Acquired): Suppression | null {
  return suppressions.at("no-invented-io", positionAt(module.facts.lines, sites[0]!.span[0]).line);
}
