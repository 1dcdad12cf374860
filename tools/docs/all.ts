import { RULE_METAS } from "@agentgate/rules";
import { readFileSync } from "node:fs";
import path from "node:path";
import { contractDocuments } from "./contracts.ts";
import { type Documents, ruleDocuments } from "./documents.ts";
import { editorReadme } from "./editor-readme.ts";
import { editorRulesDocument } from "./editor-rules.ts";
import { missedDocument } from "./missed.ts";
import { capabilitiesDocument, configurationDocument, schemaDocument, schemaGaps } from "./reference.ts";

/** Everything that is generated, from the one source that each part has. */
export function allDocuments(root: string): Documents {
  const page = (file: string): string => readFileSync(path.join(root, "docs", file), "utf8");
  const rules = ruleDocuments(root, RULE_METAS);
  const contracts = contractDocuments(root);
  const references = [configurationDocument(page("configuration.md")), capabilitiesDocument(page("capabilities.md")), schemaDocument(), editorRulesDocument(), missedDocument(root)];
  const generated = new Map(rules.documents.map(({ path: file, text }) => [file, text]));
  const readme = editorReadme(readFileSync(path.join(root, "packages/eslint-plugin/README.md"), "utf8"), (id) => generated.get(`docs/rules/${id}.md`) ?? "");
  return { documents: [...rules.documents, ...contracts.documents, ...references, readme], gaps: [...rules.gaps, ...contracts.gaps, ...schemaGaps()] };
}
