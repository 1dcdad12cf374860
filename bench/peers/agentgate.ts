import { checkChange, checkTree } from "@agentgate/engine";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { FixtureFile } from "../../tools/fixtures/cases.ts";
import { type EvasionCase, type EvasionLanguage, readEvasions, sharedPolicy } from "../../tools/fixtures/evasion.ts";
import type { Answer } from "./run.ts";
import { withoutHints } from "./suite.ts";

/** agentgate itself over the same texts: each technique as a tree of its own, and a change with its base, as the suite's test does. */
export async function askAgentgate(fixtures: string, language: EvasionLanguage, scratch: string): Promise<Answer> {
  const start = process.hrtime.bigint();
  const findings: Answer["findings"][number][] = [];
  for (const evasion of readEvasions(fixtures, language)) findings.push(...await findingsOf(evasion, sharedPolicy(fixtures), scratch));
  return { findings, seconds: Number(process.hrtime.bigint() - start) / 1e9 };
}

async function findingsOf(evasion: EvasionCase, policy: FixtureFile, scratch: string): Promise<Answer["findings"]> {
  const worker = pathToFileURL(path.resolve("packages/cli/dist/worker.js"));
  const options = { version: "0.0.0", worker, jobs: 1, cache: null } as const;
  const [base, head] = sidesOf(evasion, policy);
  const folder = path.join(scratch, evasion.technique);
  const report = base === null
    ? await checkTree({ ...options, cwd: written(folder, head) })
    : await checkChange({ ...options, cwd: branched(folder, base, head), base: "main" });
  if (report.error !== null) throw new Error(`${evasion.technique}: ${report.error.message}`);
  return report.findings.map((finding) => ({ check: finding.rule, path: `${evasion.technique}/${finding.path}`, line: finding.start.line }));
}

type Sources = Readonly<Record<string, string>>;

/** The files of both sides, with the shared policy where a technique has none of its own; the base is null for a tree. */
function sidesOf({ files }: EvasionCase, policy: FixtureFile): readonly [Sources | null, Sources] {
  const side = (prefix: string): Sources => Object.fromEntries([
    [policy.path, policy.text], ...files.filter(({ path: name }) => name.startsWith(prefix)).map(({ path: name, text }) => [name.slice(prefix.length), withoutHints(text)]),
  ]) as Sources;
  const isChange = files.every(({ path: name }) => /^(?:base|head)\//.test(name));
  return isChange ? [side("base/"), side("head/")] : [null, side("")];
}

function written(folder: string, files: Sources): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

/** A repository whose branch `main` holds the base and whose checked-out branch holds the head. */
function branched(folder: string, base: Sources, head: Sources): string {
  written(folder, base);
  git(folder, "init", "--quiet", "--initial-branch=main");
  commit(folder);
  git(folder, "checkout", "--quiet", "-b", "topic");
  for (const entry of readdirSync(folder).filter((name) => name !== ".git")) rmSync(path.join(folder, entry), { recursive: true });
  written(folder, head);
  commit(folder);
  return folder;
}

function commit(folder: string): void {
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", "bench");
}

function git(folder: string, ...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=Bench", "-c", "user.email=bench@example.com", "-c", "commit.gpgsign=false", ...args], { cwd: folder });
}
