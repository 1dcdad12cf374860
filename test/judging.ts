import { checkChange, checkTree, type Finding } from "@agentgate/engine";
import { branched } from "@agentgate/engine/testing";
import { ESLint } from "eslint";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** The clock of the tests that judge trees. */
export const NOW = new Date("2026-01-31T00:00:00Z");
const worker = new URL("../packages/cli/dist/worker.js", import.meta.url);

/** Writes files into a fresh folder outside the repository, whose own policy must not count, and judges them as a tree. */
export async function judgeFiles(folder: string, files: readonly { readonly path: string; readonly text: string }[]): Promise<readonly Finding[]> {
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file.path)), { recursive: true });
    writeFileSync(path.join(folder, file.path), file.text);
  }
  const report = await checkTree({ version: "0.0.0", cwd: folder, worker, jobs: 1, now: NOW });
  if (report.error !== null) throw new Error(report.error.message);
  return report.findings;
}

interface File {
  readonly path: string;
  readonly text: string;
}

/** Whether files are the two sides of a change, in folders called `base` and `head`. */
export function isChange(files: readonly File[]): boolean {
  return files.every(({ path: name }) => name.startsWith("base/") || name.startsWith("head/"));
}

/** Commits both sides in a fresh repository and judges the change. Paths come back with the side that holds them: head's, else the base's. */
export async function judgeSides(files: readonly File[]): Promise<readonly Finding[]> {
  const side = (name: string): Map<string, string> => new Map(files.filter((file) => file.path.startsWith(`${name}/`)).map((file) => [file.path.slice(name.length + 1), file.text]));
  const [base, head] = [side("base"), side("head")];
  const gone = [...base.keys()].filter((file) => !head.has(file)).map((file) => [file, null] as const);
  const root = branched(Object.fromEntries(base), Object.fromEntries([...head, ...gone]));
  const report = await checkChange({ version: "0.0.0", cwd: root, worker, jobs: 1, now: NOW, cache: null, base: "main" });
  if (report.error !== null) throw new Error(report.error.message);
  return report.findings.map((finding) => ({ ...finding, path: `${head.has(finding.path) ? "head" : "base"}/${finding.path}` }));
}

/** One finding as ESLint reports it. */
export interface Linted {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning";
}

interface Plugin {
  readonly default: { readonly configs: { readonly recommended: ESLint.Options["overrideConfig"] } };
}

/** What the built plugin's recommended rules say in ESLint of all files of a folder. Paths are relative to it. */
export async function lintFolder(folder: string): Promise<readonly Linted[]> {
  const plugin = await import(pathToFileURL(path.resolve(import.meta.dirname, "../packages/eslint-plugin/dist/index.js")).href) as Plugin;
  const eslint = new ESLint({ cwd: folder, overrideConfigFile: true, overrideConfig: plugin.default.configs.recommended ?? [] });
  const results = await eslint.lintFiles(["."]);
  return results.flatMap(({ filePath, messages }) => messages.map(({ ruleId, line, column, severity }) => ({
    rule: String(ruleId).replace("agentgate/", ""), path: path.relative(folder, filePath).split(path.sep).join("/"), line, column, severity: severity === 2 ? "error" : "warning",
  })));
}
