import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { CapsReport, DiffReport, Report } from "@agentgate/engine";
import { Ajv, type ValidateFunction } from "ajv";
import { afterEach, expect } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The built command. `npm run build` makes it. */
export const COMMAND = process.env["AGENTGATE_COMMAND"] ?? path.join(ROOT, "packages/cli/dist/agentgate.js");

if (!existsSync(COMMAND)) throw new Error("the command is not built: npm run build");

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A new empty folder outside every repository, removed after the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "agentgate-cli-"));
  made.push(folder);
  return folder;
}

export type Files = Readonly<Record<string, string | Uint8Array>>;

export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** A tree in a real repository; nothing is committed, as nothing needs to be. */
export function repository(files: Files): string {
  const folder = emptyFolder();
  git(folder, "init", "--quiet");
  writeFiles(folder, files);
  return folder;
}

export function git(folder: string, ...args: readonly string[]): string {
  const { status, stderr, stdout } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** Commits everything, as somebody whose name no test depends on. */
export function commit(folder: string, message: string): void {
  git(folder, "add", "--all");
  git(folder, "-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false", "commit", "--quiet", "--allow-empty", "--message", message);
}

/** A repository whose branch `main` holds the first files, and whose working tree, on another branch, the second ones on top; null removes a file. */
export function changed(base: Files, head: Readonly<Record<string, string | Uint8Array | null>>): string {
  const folder = emptyFolder();
  git(folder, "init", "--quiet", "--initial-branch=main");
  writeFiles(folder, base);
  commit(folder, "base");
  git(folder, "checkout", "--quiet", "-b", "work");
  for (const [name, content] of Object.entries(head)) {
    if (content === null) rmSync(path.join(folder, name));
    else writeFiles(folder, { [name]: content });
  }
  return folder;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Runs as another user; only root may. */
  readonly uid?: number;
}

/** Runs the built command in a folder, with pipes for its three streams. */
export function agentgate(cwd: string, args: readonly string[], { env = {}, input = "", uid }: RunOptions = {}): Ran {
  const { status, stderr, stdout } = spawnSync(process.execPath, [COMMAND, ...args], {
    cwd, input, encoding: "utf8", env: { ...process.env, ...env }, maxBuffer: 1 << 28,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  expect(stderr, "no stack trace, ever").not.toMatch(/^\s+at .*[:(]\d+|node:internal/m);
  return { code: status, stdout, stderr };
}

/** Runs the command with its standard output on a terminal of the given width, its progress line left out; `null` where this system has no `script`. */
export function onTerminal(cwd: string, args: readonly string[], columns: number, env: Readonly<Record<string, string>> = {}): Ran | null {
  const inner = [process.execPath, COMMAND, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const { error, status, stdout } = spawnSync("script", ["-qec", `stty cols ${columns}; ${inner} 2>/dev/null`, "/dev/null"], {
    cwd, encoding: "utf8", env: { ...process.env, TERM: "xterm-256color", ...env },
  });
  return error === undefined ? { code: status, stdout: stdout.replaceAll("\r\n", "\n"), stderr: "" } : null;
}

/** Starts the command for tests that interrupt it. */
export function start(cwd: string, args: readonly string[]): ReturnType<typeof spawn> {
  return spawn(process.execPath, [COMMAND, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
}

async function validatorOf(name: string): Promise<ValidateFunction> {
  return new Ajv({ allErrors: true }).compile(JSON.parse(await readFile(path.join(ROOT, "packages/cli/schema", name), "utf8")) as object);
}

const report = await validatorOf("report.schema.json");
const caps = await validatorOf("caps.schema.json");
const diff = await validatorOf("diff.schema.json");

function valid(text: string, validate: ValidateFunction): unknown {
  const document: unknown = JSON.parse(text);
  expect(validate(document) ? [] : validate.errors).toEqual([]);
  return document;
}

/** The report on standard output: one document that the published schema accepts, and sums that add up. */
export function reportOf({ stdout }: Pick<Ran, "stdout">): Report {
  const document = valid(stdout, report) as Report;
  const counted = document.findings.filter((finding) => finding.baseline !== "unchanged");
  expect(document.summary).toMatchObject({
    errors: counted.filter(({ severity }) => severity === "error").length,
    warnings: counted.filter(({ severity }) => severity === "warning").length,
    permitted: document.permitted.length, suppressed: document.suppressed.length, unscanned: document.unscanned.length,
  });
  return document;
}

export function capsOf({ stdout }: Pick<Ran, "stdout">): CapsReport {
  return valid(stdout, caps) as CapsReport;
}

export function diffOf({ stdout }: Pick<Ran, "stdout">): DiffReport {
  return valid(stdout, diff) as DiffReport;
}

/** `rule path:line` of each finding. */
export function found(document: Report): string[] {
  return document.findings.map(({ path: file, rule, start: { line } }) => `${rule} ${file}:${line}`);
}

/** Two lines, the first naming the command: how every failure is said. */
export function expectFailure({ code, stderr }: Ran, why: RegExp): void {
  expect(stderr).toMatch(/^agentgate: [^\n]+\n[^\n]+\n$/);
  expect(stderr).toMatch(why);
  expect(code).toBe(2);
}
