import { RULE_METAS } from "@agentgate/rules";
import { type Documents, ruleDocuments } from "./documents.ts";

/** Everything under docs/ that is generated, from the one source that each part has. */
export function allDocuments(root: string): Documents {
  return ruleDocuments(root, RULE_METAS);
}
