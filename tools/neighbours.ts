import type { RuleMeta } from "@agentgate/rules";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";

/**
 * What a rule lacks of its neighbours, in words. A rule is a file, a test, a fixtures folder and a page with one name;
 * a rule with several files has a folder with an index. The reverse holds too: a page or a fixtures folder belongs to
 * a registered rule.
 */
export function missingNeighbours(root: string, metas: readonly RuleMeta[]): string[] {
  return [...metas.flatMap((meta) => missingOf(root, meta)), ...strays(root, metas)];
}

function missingOf(root: string, meta: RuleMeta): string[] {
  const has = (file: string): boolean => existsSync(path.join(root, file));
  const missing: string[] = [];
  if (!has(`rules/${meta.id}.ts`) && !has(`rules/${meta.id}/index.ts`)) missing.push(`rules/${meta.id}.ts`);
  if (!isTested(root, meta)) missing.push(`rules/${meta.id}.test.ts`);
  if (names(path.join(root, "fixtures/rules", meta.id)).length === 0) missing.push(`fixtures/rules/${meta.id}/`);
  if (!has(`docs/rules/${meta.id}.md`)) missing.push(`docs/rules/${meta.id}.md`);
  return missing.map((file) => `${meta.id}: ${file} is missing`);
}

/** What the engine reports by itself is tested where it is made. */
function isTested(root: string, meta: RuleMeta): boolean {
  if (existsSync(path.join(root, `rules/${meta.id}.test.ts`))) return true;
  if (names(path.join(root, "rules", meta.id)).some((name) => name.endsWith(".test.ts"))) return true;
  return meta.category !== "code" && engineTests(root).some((text) => text.includes(meta.id));
}

function engineTests(root: string): string[] {
  const folder = path.join(root, "packages/engine");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".test.ts"));
  return files.map((name) => readFileSync(path.join(folder, name), "utf8"));
}

function strays(root: string, metas: readonly RuleMeta[]): string[] {
  const known = new Set(metas.map((meta) => meta.id));
  const pages = names(path.join(root, "docs/rules")).filter((name) => name !== "README.md").map((name) => name.replace(/\.md$/, ""));
  const folders = names(path.join(root, "fixtures/rules"));
  return [...new Set([...pages, ...folders])].filter((name) => !known.has(name))
    .map((name) => `${name}: has a page or fixtures, and rules/registry.ts does not list it`);
}

function names(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
