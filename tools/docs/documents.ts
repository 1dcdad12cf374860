import type { RuleMeta } from "@agentgate/rules";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { gapsOf, ruleIndex, rulePage } from "./rule-page.ts";

/** A file that the generator writes or completes: its path in the repository and the text it should have. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

export interface Documents {
  readonly documents: readonly Document[];
  /** What only a person can write and has not: missing pages and sections, in words. */
  readonly gaps: readonly string[];
}

function read(root: string, file: string): string | null {
  const full = path.join(root, file);
  return existsSync(full) ? readFileSync(full, "utf8") : null;
}

/** The pages of the rules and their index, from what each rule says of itself. */
export function ruleDocuments(root: string, metas: readonly RuleMeta[]): Documents {
  const pages = metas.map((meta) => ({ meta, path: `docs/rules/${meta.id}.md`, text: read(root, `docs/rules/${meta.id}.md`) }));
  const documents = pages.flatMap(({ meta, path: file, text }) => (text === null ? [] : [{ path: file, text: rulePage(meta, text) }]));
  const gaps = pages.flatMap(({ meta, path: file, text }) => (text === null ? [`${file}: no such page`] : gapsOf(meta, rulePage(meta, text))));
  return { documents: [...documents, { path: "docs/rules/README.md", text: ruleIndex(metas) }], gaps };
}

/** The documents whose text in the repository is not the generated one. */
export function staleDocuments(root: string, documents: readonly Document[]): string[] {
  return documents.filter((document) => read(root, document.path) !== document.text)
    .map((document) => `${document.path}: not up to date, run npm run docs`);
}
