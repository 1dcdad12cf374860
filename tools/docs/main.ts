import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { allDocuments } from "./all.ts";
import { staleDocuments } from "./documents.ts";

/** `npm run docs` writes what is generated, `npm run docs -- --check` only says what is missing or stale. */
const root = process.cwd();
const { documents, gaps } = allDocuments(root);
const check = process.argv.includes("--check");
if (!check) {
  for (const document of documents) {
    mkdirSync(path.dirname(path.join(root, document.path)), { recursive: true });
    writeFileSync(path.join(root, document.path), document.text);
  }
}
const problems = [...gaps, ...staleDocuments(root, documents)];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${documents.length} documents up to date`);
