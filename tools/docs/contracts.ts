import { CONTRACT_SYSTEMS, type ContractRule, type ContractSystem, type DocumentShape, WIRING, ownRulesOf, rulesOf, schemaOf } from "@agentgate/rules/contracts";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Document, Documents } from "./documents.ts";
import { type JsonSchema, keyRows } from "./schema.ts";
import { type Section, table, withSections } from "./sections.ts";

/** Where the schema of a document is published, inside the package that people install. */
export function schemaPath({ id }: Pick<ContractSystem, "id">, { name }: Pick<DocumentShape, "name">): string {
  return `packages/cli/schema/${name === "" ? id : `${id}-${name}`}.schema.json`;
}

/** The pages, schemas and lists of the contracts, from what each says of itself. */
export function contractDocuments(root: string): Documents {
  const pages = [...CONTRACT_SYSTEMS.map((system) => pageOf(root, system.id, sectionsOf(system), CONTRACT_HEADINGS)), pageOf(root, WIRING.id, wiringSections(), WIRING_HEADINGS)];
  const schemas = CONTRACT_SYSTEMS.flatMap((system) => system.documents.map((shape) => ({ path: schemaPath(system, shape), text: json(schemaOf(shape)) })));
  const ids = [...CONTRACT_SYSTEMS.flatMap(rulesOf), ...ownRulesOf(WIRING)].map((rule) => rule.id).sort();
  const documents = [...pages.flatMap((page) => page.documents), ...schemas, { path: "rules/contracts/rule-ids.json", text: json(ids) }, index()];
  return { documents, gaps: pages.flatMap((page) => page.gaps) };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const CONTRACT_HEADINGS = ["Why it matters", "A contract that passes", "What it cannot see"];
const WIRING_HEADINGS = ["Why it matters", "A workflow that passes", "What it cannot see"];

function pageOf(root: string, id: string, sections: readonly Section[], headings: readonly string[]): Documents {
  const file = `docs/contracts/${id}.md`;
  const full = path.join(root, file);
  if (!existsSync(full)) return { documents: [], gaps: [`${file}: no such page`] };
  const page = readFileSync(full, "utf8");
  const written = withSections(page.startsWith(`# ${id}\n`) ? page.slice(page.indexOf("\n") + 1) : page, sections);
  const gaps = headings.filter((heading) => !written.includes(`\n## ${heading}\n`)).map((heading) => `${file}: no section "${heading}"`);
  return { documents: [{ path: file, text: written }], gaps };
}

function sectionsOf(system: ContractSystem): Section[] {
  return [
    { name: "header", body: headerOf(system), place: "top" },
    { name: "fields", body: fieldsOf(system), place: "end" },
    { name: "rules", body: rulesTable(rulesOf(system)), place: "end" },
  ];
}

function wiringSections(): Section[] {
  return [
    { name: "header", body: `# ${WIRING.id}\n\n${WIRING.purpose}\n\nJudged by \`agentgate verify\` where no contract is named, and by \`agentgate verify wiring\`.`, place: "top" },
    { name: "rules", body: rulesTable(ownRulesOf(WIRING)), place: "end" },
  ];
}

function headerOf(system: ContractSystem): string {
  const schemas = system.documents.map((shape) => `\`${path.basename(schemaPath(system, shape))}\``).join(", ") || "none";
  const also = system.alsoRead.length === 0 ? "" : `\n\nAlso read: ${system.alsoRead.map((one) => (/[./]/.test(one) ? `\`${one}\`` : one)).join(", ")}.`;
  return `# ${system.id}\n\n${system.purpose}\n\n${table(["file", "schema", "judged by"], [[`\`${system.place}\``, schemas, `\`agentgate verify ${system.id}\``]])}${also}`;
}

function fieldsOf(system: ContractSystem): string {
  const parts = system.documents.map((shape) => {
    const { properties, ...rest } = schemaOf(shape) as JsonSchema;
    const own = Object.fromEntries(Object.entries(properties ?? {}).filter(([key]) => key !== "$schema"));
    const rows = keyRows({ ...rest, properties: own }).map((row) => [`\`${row.key}\``, row.type, row.default, row.description]);
    return `### ${shape.title}\n\n\`${shape.where}\`\n\n${table(["key", "type", "default", "meaning"], rows)}`;
  });
  return parts.length === 0 ? "The file is a Markdown text and has no schema." : `## Fields\n\n${parts.join("\n\n")}`;
}

const NEEDS = { base: " Needs `--base`, and comes in a later version.", code: " Judged over code, and comes in a later version." } as const;

function rulesTable(rules: readonly ContractRule[]): string {
  const rows = rules.map((rule) => [`\`${rule.id}\``, rule.severity, `${rule.summary}${rule.needs === null ? "" : NEEDS[rule.needs]}`]);
  return `## Rules\n\n${table(["rule", "severity", "reports"], rows)}`;
}

const EDITORS = `## In an editor

Each page names the JSON Schema of its files; they lie in the folder \`schema\` of the package. In YAML, name one in the first line:

\`\`\`yaml
# yaml-language-server: $schema=node_modules/@agentgate/cli/schema/eval-gate.schema.json
\`\`\`

In JSON, a key \`$schema\` at the root does it; no contract takes it for an unknown one. An editor sees what one file says by itself.
What needs the evidence, the clock or the commit is for \`agentgate verify\`, which also tells \`1.0\` from a whole number.
`;

function index(): Document {
  const rows = CONTRACT_SYSTEMS.map((system) => [`[${system.id}](${system.id}.md)`, `\`${system.place}\``, system.purpose]);
  const wiring = [`[${WIRING.id}](${WIRING.id}.md)`, "the workflows", WIRING.purpose];
  const text = `# Contracts\n\nGenerated by \`npm run docs\` from each contract's table. \`agentgate verify\` judges them.\n\n${table(["contract", "file", "purpose"], [...rows, wiring])}\n\n${EDITORS}`;
  return { path: "docs/contracts/README.md", text };
}
