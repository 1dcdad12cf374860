import { RULE_METAS } from "@agentgate/rules";
import type { Finding } from "../report.ts";

const LICENSED = new Set(RULE_METAS.filter((meta) => meta.licensedByPorts === true).map((meta) => meta.id));

/** The capability for which a port licenses a finding; null where no port can. */
export function licensable({ rule, capability }: Pick<Finding, "rule" | "capability">): Finding["capability"] {
  return LICENSED.has(rule) ? capability : null;
}
