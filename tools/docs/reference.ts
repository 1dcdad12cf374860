import { publishedSchema } from "@agentgate/engine";
import { capabilityTable } from "@agentgate/rules";
import type { Document } from "./documents.ts";
import { keyTable, unexplainedKeys } from "./schema.ts";
import { table, withSections } from "./sections.ts";

/** Where the schema of `agentgate.yml` is published, inside the package that people install. */
export const SCHEMA_PATH = "packages/cli/schema/agentgate.schema.json";

/** The schema as the file that editors read. */
export function schemaDocument(): Document {
  return { path: SCHEMA_PATH, text: `${JSON.stringify(publishedSchema(), null, 2)}\n` };
}

/** Keys of the policy that nobody has explained, in words. */
export function schemaGaps(): string[] {
  return unexplainedKeys(publishedSchema()).map((key) => `docs/configuration.md: key "${key}" has no description in the policy's schema`);
}

/** The configuration's page with its reference brought up to date. */
export function configurationDocument(page: string): Document {
  const body = `## Reference\n\n${keyTable(publishedSchema())}`;
  return { path: "docs/configuration.md", text: withSections(page, [{ name: "reference", body, place: "end" }]) };
}

/** The page of the capabilities with the catalogue's table brought up to date. */
export function capabilitiesDocument(page: string): Document {
  const rows = capabilityTable.map((row) => [`\`${row.capability}\``, row.meaning, names(row.python), names(row.ecmascript)]);
  const body = `## The table\n\n${table(["capability", "meaning", "in Python, for example", "in TypeScript and JavaScript, for example"], rows)}`;
  return { path: "docs/capabilities.md", text: withSections(page, [{ name: "table", body, place: "end" }]) };
}

function names(apis: readonly string[]): string {
  return apis.map((api) => `\`${api}\``).join(" ");
}
