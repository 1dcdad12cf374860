import { RULE_METAS } from "@agentgate/rules";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Documents, ruleDocuments } from "./documents.ts";
import { editorRulesDocument } from "./editor-rules.ts";
import { capabilitiesDocument, configurationDocument, schemaDocument, schemaGaps } from "./reference.ts";

/** Everything that is generated, from the one source that each part has. */
export function allDocuments(root: string): Documents {
  const page = (file: string): string => readFileSync(path.join(root, "docs", file), "utf8");
  const rules = ruleDocuments(root, RULE_METAS);
  const references = [configurationDocument(page("configuration.md")), capabilitiesDocument(page("capabilities.md")), schemaDocument(), editorRulesDocument()];
  return { documents: [...rules.documents, ...references], gaps: [...rules.gaps, ...schemaGaps()] };
}
